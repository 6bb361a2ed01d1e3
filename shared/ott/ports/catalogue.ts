import type { Event } from '../event.ts';

/** The version makes a write conditional on the state that was read. */
export interface StoredEvent {
  readonly event: Event;
  readonly version: number;
}

/** Without `before` the event is created, without `after` it is deleted. */
export interface EventChange {
  readonly before?: StoredEvent | undefined;
  readonly after?: Event | undefined;
}

/** `conflict`: the event has changed since it was read, and nothing was written. */
export type ChangeOutcome =
  | { readonly outcome: 'written' }
  | { readonly outcome: 'conflict' }
  | { readonly outcome: 'failed'; readonly reason: string };

/**
 * Finds signed paths that are a prefix of `path`. If `below` is set, also finds signed paths that begin with `path`.
 */
export interface SignedPathQuery {
  readonly host: string;
  readonly path: string;
  readonly below: boolean;
}

export interface DueChange {
  readonly eventId: string;
  readonly due: string;
}

/** An event that this release cannot read, because a later one has stored it, is left out of every answer. */
export interface Catalogue {
  findStored(id: string): Promise<StoredEvent | undefined>;
  findAllStored(ids: readonly string[]): Promise<ReadonlyMap<string, StoredEvent>>;
  /** Every event, in no particular order. */
  all(): AsyncIterable<StoredEvent>;
  /** The ids of the events whose signed paths match the query. An event written a moment ago may be missing. */
  idsSignedNear(query: SignedPathQuery): AsyncIterable<string>;
  /**
   * The events for which an entry of the schedule is due at this time, in epoch milliseconds, the oldest first. `due` is
   * the time under which the index has the event. An event written a moment ago may be missing or be listed as before.
   */
  changesDue(range: { readonly until: number }): AsyncIterable<DueChange>;
  /**
   * Writes many changes in one request. Each change is written completely or not at all. Outcomes are in the order of
   * the changes. An event is stored with the status that its schedule gives it at this moment.
   */
  write(changes: readonly EventChange[]): Promise<readonly ChangeOutcome[]>;
}
