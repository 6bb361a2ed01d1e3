import type { Event } from '../events/event.ts';
import type { EventStatus } from '../events/event-kinds.ts';

/** The version and the life make a write conditional on the state that was read. */
export interface EventVersion {
  readonly event: Event;
  readonly version: number;
  /**
   * Identifies the event since its creation: differs if the event was deleted and created again. Absent in events of
   * release 0.1.
   */
  readonly life?: string | undefined;
}

export interface StoredEvent extends EventVersion {
  /** The status at the time of the last write. It decides nothing, but indexes and notifications have it. */
  readonly presentStatus: EventStatus;
  /** The time under which the index of changes has the event. @default the index does not have it */
  readonly changeDue?: string | undefined;
}

/** Without `before` the event is created, without `after` it is deleted. */
export interface EventChange {
  readonly before?: StoredEvent | undefined;
  readonly after?: Event | undefined;
  /** The `life` of an event that is created. @default a random one */
  readonly life?: string | undefined;
}

/**
 * `conflict`: the event has changed since it was read, and nothing was written. `paths-changed`: somebody else has moved
 * a path of the host since its paths were read, so the change must be judged again.
 */
export type ChangeOutcome =
  | {
      readonly outcome: 'written';
      /**
       * Of the event after the change. Rises with each change of a field, also if an event is deleted and created again.
       */
      readonly version: number;
    }
  | { readonly outcome: 'conflict' }
  | { readonly outcome: 'paths-changed' }
  | {
      readonly outcome: 'failed';
      readonly reason: string;
      /** Whether the change needs more writes than one transaction has. @default false */
      readonly isTooLarge?: boolean;
    };

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

/** The signed path of an event, as an index has it. */
export interface RecentPath {
  readonly id: string;
  readonly path: string;
  /** Epoch milliseconds. */
  readonly at: number;
}

/** The paths of a host that were moved so recently that an index may not have them. */
export interface RecentPaths {
  /** Rises with each write that moves a path of the host. */
  readonly version: number;
  readonly paths: readonly RecentPath[];
  /**
   * The time, in epoch milliseconds, until which `paths` is not complete, because too many paths were moved at once.
   * @default `paths` is complete
   */
  readonly incompleteUntil?: number | undefined;
}

/** An event that this release cannot read, because a later one has stored it, is left out of every answer. */
export interface Catalogue {
  findStored(id: string): Promise<StoredEvent | undefined>;
  findAllStored(ids: readonly string[]): Promise<ReadonlyMap<string, StoredEvent>>;
  /** Every event, in no particular order. */
  all(): AsyncIterable<StoredEvent>;
  /** The ids of the events whose signed paths match the query. An event written a moment ago may be missing. */
  idsSignedNear(query: SignedPathQuery): AsyncIterable<string>;
  /** The state of each of these hosts. Strongly consistent. */
  recentPaths(hosts: Iterable<string>): Promise<Map<string, RecentPaths>>;
  /**
   * The events for which an entry of the schedule is due at this time, in epoch milliseconds, the oldest first. `due` is
   * the time under which the index has the event. An event written a moment ago may be missing or be listed as before.
   */
  changesDue(range: { readonly until: number }): AsyncIterable<DueChange>;
  /**
   * Writes many changes in one request. Each change is written completely or not at all, together with what the history
   * keeps of it. Outcomes are in the order of the changes. An event is stored with the status that its schedule gives it
   * at this moment.
   *
   * `paths` are the states of the hosts against which the changes were judged. A change that moves a path is written
   * only if nobody else has moved a path of its host since. What is written becomes part of `paths`. On a stage that
   * signs nothing, paths are not judged. @default paths are not judged
   */
  write(
    changes: readonly EventChange[],
    paths?: Map<string, RecentPaths> | undefined,
  ): Promise<readonly ChangeOutcome[]>;
}
