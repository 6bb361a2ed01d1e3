import type { Page } from '../../page.ts';
import type { Message, OperationType } from '../message.ts';
import type { Delivery, NotificationRecord, NotificationStatus, SentNotification } from '../record.ts';

export interface NotificationFilter {
  readonly applicationId: string;
  /** Published from the first time (inclusive) to the second (exclusive), milliseconds since the Unix epoch. */
  readonly from: number;
  readonly to: number;
  readonly status?: NotificationStatus | undefined;
  readonly operationType?: OperationType | undefined;
}

/**
 * Messages and the outcome of their deliveries, kept for 30 days. Either may arrive first, twice or late; a delivered
 * message stays delivered.
 */
export interface NotificationRecords {
  /** For each, in order, why it could not be recorded; `undefined` when it was. */
  recordSent(sent: readonly SentNotification[]): Promise<readonly unknown[]>;
  /** The same for the ends of deliveries. */
  recordDeliveries(deliveries: readonly Delivery[]): Promise<readonly unknown[]>;
  /** Newest first. A page whose records are rare may be short and still have a next page. */
  list(
    page: NotificationFilter & { readonly limit: number; readonly after?: string },
  ): Promise<Page<NotificationRecord>>;
  /**
   * By the topic's message id; `undefined` before its publication is recorded. It reads the whole record, and is for
   * people.
   */
  find(messageId: string): Promise<NotificationRecord | undefined>;
  /** The messages of a subject, at most 100, newest first. */
  ofSubject(key: {
    readonly applicationId: string;
    readonly message: Message;
    /** Published from the first time (inclusive) to the second (exclusive). @default at any time */
    readonly from?: number;
    readonly to?: number;
  }): Promise<NotificationRecord[]>;
  /** Notes that a failed message was published again for an address. */
  markRedriven(key: {
    readonly messageId: string;
    readonly destination: string;
    readonly at: number;
  }): Promise<void>;
  /**
   * How many messages failed at an address since a time, and how many at all were not published again. If an address
   * has failed for weeks, only about `atMost` are counted.
   */
  countFailures(key: {
    readonly destination: string;
    readonly since: number;
    readonly atMost: number;
  }): Promise<{ readonly since: number; readonly notRedriven: number }>;
}
