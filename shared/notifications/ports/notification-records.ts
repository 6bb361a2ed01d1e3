import type { Page } from '../../platform/page.ts';
import type { Message, OperationType } from '../messages/message.ts';
import type { Delivery, NotificationRecord, NotificationStatus, SentNotification } from '../record/record.ts';

export interface NotificationFilter {
  readonly applicationId: string;
  /** Messages published from `from` (inclusive) to `to` (exclusive), in milliseconds since the epoch. */
  readonly from: number;
  readonly to: number;
  readonly status?: NotificationStatus | undefined;
  readonly operationType?: OperationType | undefined;
}

/**
 * Messages and the outcomes of their deliveries, kept for 30 days. A message and its outcomes may be recorded in any
 * order, twice or late. A failure that is recorded after a success of the same delivery has no effect.
 */
export interface NotificationRecords {
  /** Returns for each message, in order, the error if it could not be recorded, otherwise `undefined`. */
  recordSent(sent: readonly SentNotification[]): Promise<readonly unknown[]>;
  /** Returns for each delivery, in order, the error if it could not be recorded, otherwise `undefined`. */
  recordDeliveries(deliveries: readonly Delivery[]): Promise<readonly unknown[]>;
  /** Newest first. With a filter, a page can have fewer than `limit` records without being the last page. */
  list(
    page: NotificationFilter & { readonly limit: number; readonly after?: string },
  ): Promise<Page<NotificationRecord>>;
  /**
   * Returns `undefined` until the publication is recorded. Use this method only for an operator's command: it is slow,
   * because it searches the lists of all applications.
   */
  find(messageId: string): Promise<NotificationRecord | undefined>;
  /** The newest messages of a subject, 100 at most, newest first. */
  ofSubject(key: {
    readonly applicationId: string;
    readonly message: Message;
    /** Messages published from `from` (inclusive) to `to` (exclusive). @default at any time */
    readonly from?: number;
    readonly to?: number;
  }): Promise<NotificationRecord[]>;
  /** The messages that were published from `from` to `to`, both inclusive, oldest first. May lag by some seconds. */
  sentBetween(window: {
    readonly applicationId: string;
    readonly from: number;
    readonly to: number;
  }): AsyncIterable<SentNotification>;
  /** Notes that a failed message was published again for an address. */
  markRedriven(key: {
    readonly messageId: string;
    readonly destination: string;
    readonly at: number;
  }): Promise<void>;
  /**
   * Counts the failed messages to `destination` that were published from `publishedFrom` on: those that have failed since
   * the time `since`, and those that were not published again, whenever they failed. Stops counting at about `atMost`.
   */
  countFailures(key: {
    readonly destination: string;
    readonly publishedFrom: number;
    readonly since: number;
    readonly atMost: number;
  }): Promise<{ readonly since: number; readonly notRedriven: number }>;
}
