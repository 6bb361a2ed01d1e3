import type { Event } from '../event.ts';

/** An event and its version, so that a write can be conditional on what was read. */
export interface StoredEvent {
  readonly event: Event;
  readonly version: number;
}

/** Changes an event from one state to another; without `before` it is new, without `after` it is deleted. */
export interface EventChange {
  readonly before?: StoredEvent | undefined;
  readonly after?: Event | undefined;
}

/** `conflict`: it changed since it was read, and nothing was written. */
export type ChangeOutcome =
  | { readonly outcome: 'written' }
  | { readonly outcome: 'conflict' }
  | { readonly outcome: 'failed'; readonly reason: string };

/** Where to look for overlapping signed paths; `below` also finds paths that begin with this one. */
export interface SignedPlaceQuery {
  readonly host: string;
  readonly path: string;
  readonly below: boolean;
}

/** The catalogue as operators see it. */
export interface Catalogue {
  findStored(id: string): Promise<StoredEvent | undefined>;
  /** The existing ones of these events, by id. */
  findAllStored(ids: readonly string[]): Promise<ReadonlyMap<string, StoredEvent>>;
  /** Every event, in no order; `isIndexed` unless a release with fewer indexes stored it. */
  all(): AsyncIterable<StoredEvent & { readonly isIndexed: boolean }>;
  /** The events whose signed path begins the given one; one written a moment ago may be missing. */
  idsSignedNear(query: SignedPlaceQuery): AsyncIterable<string>;
  /** Whether `idsSignedNear` knows every event. */
  isIndexed(): Promise<boolean>;
  /** Call it when every event was written with all its indexes. Does nothing while the table lacks one. */
  markIndexed(): Promise<void>;
  /** Each change is written whole or not at all, many in one request. Outcomes are in the order of the changes. */
  write(changes: readonly EventChange[]): Promise<readonly ChangeOutcome[]>;
}
