import type { Event } from '../event.ts';

/** An event and which of its states it is, so that a write can be conditional on what was read. */
export interface StoredEvent {
  readonly event: Event;
  readonly version: number;
}

/** To bring an event from one state to another; without `before` it is new, without `after` it goes. */
export interface EventChange {
  readonly before?: StoredEvent | undefined;
  readonly after?: Event | undefined;
}

/** `conflict`: it is no longer as it was read, and nothing was written. */
export type ChangeOutcome =
  | { readonly outcome: 'written' }
  | { readonly outcome: 'conflict' }
  | { readonly outcome: 'failed'; readonly reason: string };

/** Where a signature is looked for; `below` for what begins with the path, too, and not only for its beginnings. */
export interface SignedPlaceQuery {
  readonly host: string;
  readonly path: string;
  readonly below: boolean;
}

/** The catalogue as those who keep it see it. */
export interface Catalogue {
  findStored(id: string): Promise<StoredEvent | undefined>;
  /** Those of these events that are there, by their ids. */
  findAllStored(ids: readonly string[]): Promise<ReadonlyMap<string, StoredEvent>>;
  /** Every event, in no order; `isIndexed` unless it was stored by a release that knew fewer indexes. */
  all(): AsyncIterable<StoredEvent & { readonly isIndexed: boolean }>;
  /** The events whose signed place is a beginning of the one asked for; one written a moment ago may be missing. */
  idsSignedNear(query: SignedPlaceQuery): AsyncIterable<string>;
  /** Whether `idsSignedNear` knows every event. */
  isIndexed(): Promise<boolean>;
  /** To be called when every event was written with all its indexes. Does nothing while the table lacks one. */
  markIndexed(): Promise<void>;
  /** Each as a whole or not at all, many in one request. The outcomes are in the order of the changes. */
  write(changes: readonly EventChange[]): Promise<readonly ChangeOutcome[]>;
}
