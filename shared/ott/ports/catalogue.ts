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

/** The catalogue as those who keep it see it. */
export interface Catalogue {
  findStored(id: string): Promise<StoredEvent | undefined>;
  /** Every event, in no order. */
  all(): AsyncIterable<StoredEvent>;
  /** Each as a whole or not at all, many in one request. The outcomes are in the order of the changes. */
  write(changes: readonly EventChange[]): Promise<readonly ChangeOutcome[]>;
}
