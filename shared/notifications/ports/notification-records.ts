import type { Page } from '../../page.ts';
import type { Message, OperationType } from '../message.ts';
import type { Delivery, NotificationRecord, NotificationStatus, SentNotification } from '../record.ts';

export interface NotificationFilter {
  readonly applicationId: string;
  /** When they were published, milliseconds since the Unix epoch: from this one on, and before that one. */
  readonly from: number;
  readonly to: number;
  readonly status?: NotificationStatus | undefined;
  readonly operationType?: OperationType | undefined;
}

/**
 * What was sent and what became of it, kept for 30 days. Either may be told first, twice and late; what was delivered
 * stays delivered.
 */
export interface NotificationRecords {
  /** For each, in order, why it could not be recorded; `undefined` of one that was. */
  recordSent(sent: readonly SentNotification[]): Promise<readonly unknown[]>;
  /** The same for ends of deliveries. */
  recordDeliveries(deliveries: readonly Delivery[]): Promise<readonly unknown[]>;
  /** Newest first. A page that was long to find may be a shorter one, and yet have a next. */
  list(
    page: NotificationFilter & { readonly limit: number; readonly after?: string },
  ): Promise<Page<NotificationRecord>>;
  /** By the topic's id of it; `undefined` until it is told that it was sent. */
  find(messageId: string): Promise<NotificationRecord | undefined>;
  /** What was sent of a message's subject, at most 100, newest first. */
  ofSubject(key: {
    readonly applicationId: string;
    readonly message: Message;
    /** Published from this time on and before that one. @default at any time */
    readonly from?: number;
    readonly to?: number;
  }): Promise<NotificationRecord[]>;
  /** Notes that what failed at an address was published again for it. */
  markRedriven(key: {
    readonly messageId: string;
    readonly destination: string;
    readonly at: number;
  }): Promise<void>;
  /**
   * How many messages failed at an address since a time, and how many of all were not published again. Of an address that
   * fails for weeks not all are looked at: about `atMost`.
   */
  countFailures(key: {
    readonly destination: string;
    readonly since: number;
    readonly atMost: number;
  }): Promise<{ readonly since: number; readonly notRedriven: number }>;
}
