import type { Notification } from './message.ts';

/** How long messages and delivery outcomes are kept: 30 days. */
export const recordLifetimeMilliseconds = 30 * 24 * 60 * 60 * 1_000;

/** A message that the topic accepted. Times are milliseconds since the Unix epoch. */
export interface SentNotification extends Notification {
  /** The topic's message id. */
  readonly id: string;
  readonly publishedAt: number;
}

/** How the delivery of one message to one address ended. */
export interface Delivery {
  readonly messageId: string;
  readonly destination: string;
  readonly isDelivered: boolean;
  /** Absent when there was no answer. */
  readonly statusCode?: number | undefined;
  readonly attempts: number;
  readonly at: number;
  /** From the publication until SNS handed the message over for the last time; absent in old records. */
  readonly dwellMilliseconds?: number | undefined;
  /** The answer of the address as far as SNS logs it, or SNS's own error; empty when it logs none. */
  readonly reason: string;
  /** When the message was published again for this address after its failure. */
  readonly redrivenAt?: number | undefined;
}

export interface NotificationRecord extends SentNotification {
  readonly deliveries: readonly Delivery[];
}

export const notificationStatuses = ['published', 'delivered', 'failed'] as const;
export type NotificationStatus = (typeof notificationStatuses)[number];

/** `failed` when any address failed, `delivered` when one succeeded and none failed, else `published`. */
export const statusOf = (deliveries: readonly Pick<Delivery, 'isDelivered'>[]): NotificationStatus => {
  if (deliveries.some(({ isDelivered }) => !isDelivered)) return 'failed';
  return deliveries.length > 0 ? 'delivered' : 'published';
};

/**
 * The addresses that have not accepted a subject: each one's newest failed message is younger than every message that
 * it accepted.
 */
export const failingDestinations = (records: readonly NotificationRecord[]): readonly string[] => {
  const newest = { taken: new Map<string, string>(), failed: new Map<string, string>() };
  for (const { message, deliveries } of records) {
    for (const { destination, isDelivered } of deliveries) {
      const known = isDelivered ? newest.taken : newest.failed;
      const before = known.get(destination);
      if (before === undefined || before < message.dateTime) known.set(destination, message.dateTime);
    }
  }
  return [...newest.failed].flatMap(([destination, failed]) => {
    const taken = newest.taken.get(destination);
    return taken !== undefined && taken >= failed ? [] : [destination];
  });
};
