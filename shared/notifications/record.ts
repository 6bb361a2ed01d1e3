import type { Notification } from './message.ts';

/** How long what was sent, and what became of it, is kept: 30 days. */
export const recordLifetimeMilliseconds = 30 * 24 * 60 * 60 * 1_000;

/** A message that the topic took. Times are milliseconds since the Unix epoch. */
export interface SentNotification extends Notification {
  /** The topic's id of it. */
  readonly id: string;
  readonly publishedAt: number;
}

/** How the delivery of one message to one address ended. */
export interface Delivery {
  readonly messageId: string;
  readonly destination: string;
  readonly isDelivered: boolean;
  /** Absent when nobody answered. */
  readonly statusCode?: number | undefined;
  readonly attempts: number;
  readonly at: number;
  /** What the address, or SNS in its place, said. */
  readonly reason: string;
  /** When the same was published again for this address, because it had failed. */
  readonly redrivenAt?: number | undefined;
}

export interface NotificationRecord extends SentNotification {
  readonly deliveries: readonly Delivery[];
}

export const notificationStatuses = ['published', 'delivered', 'failed'] as const;
export type NotificationStatus = (typeof notificationStatuses)[number];

/** `failed` when any address did not take it, `delivered` when one did and none failed, else `published`. */
export const statusOf = (deliveries: readonly Pick<Delivery, 'isDelivered'>[]): NotificationStatus => {
  if (deliveries.some(({ isDelivered }) => !isDelivered)) return 'failed';
  return deliveries.length > 0 ? 'delivered' : 'published';
};

/**
 * The addresses that were told of a subject in vain: of each the newest message that failed is younger than every one
 * that it took.
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
