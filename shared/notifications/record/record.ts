import type { Notification } from '../messages/message.ts';

export const recordLifetimeMilliseconds = 30 * 24 * 60 * 60 * 1_000;

/** SNS tries to deliver a message for an hour at most. */
export const longestDwellMilliseconds = 60 * 60 * 1_000;

/** A message that the topic accepted. Times are milliseconds since the epoch. */
export interface SentNotification extends Notification {
  readonly id: string;
  readonly publishedAt: number;
}

/** How much of an endpoint's response is kept. */
export const responseBytesAtMost = 1_000;

export interface Delivery {
  readonly messageId: string;
  readonly destination: string;
  readonly isDelivered: boolean;
  /** Absent if the endpoint did not respond. */
  readonly statusCode?: number | undefined;
  readonly attempts: number;
  readonly at: number;
  /** Milliseconds from the publication to SNS's last attempt. Absent in old records. */
  readonly dwellMilliseconds?: number | undefined;
  /** The endpoint's response as far as SNS logs it, or SNS's own error. Empty if SNS logs neither. */
  readonly reason: string;
  /** When the message was published again for this address, after this delivery had failed. */
  readonly redrivenAt?: number | undefined;
}

/** When the message was published. If the record does not tell, the earliest time at which it can have been. */
export const publicationOf = ({
  at,
  dwellMilliseconds = longestDwellMilliseconds,
}: Pick<Delivery, 'at' | 'dwellMilliseconds'>): number => at - dwellMilliseconds;

/** Why a delivery failed, for display: the status and the endpoint's response, or what SNS says. Can be empty. */
export const failureReason = ({ statusCode, reason }: Pick<Delivery, 'statusCode' | 'reason'>): string =>
  [statusCode, reason].filter((part) => part !== undefined && part !== '').join(': ');

/** An endpoint's last failure is shown in a table, so its reason is cut. The delivery's record keeps more. */
export const shortReason = (delivery: Pick<Delivery, 'statusCode' | 'reason'>): string =>
  failureReason(delivery).slice(0, 300);

export interface NotificationRecord extends SentNotification {
  readonly deliveries: readonly Delivery[];
}

export const notificationStatuses = ['published', 'delivered', 'failed'] as const;
export type NotificationStatus = (typeof notificationStatuses)[number];

export const statusOf = (deliveries: readonly Pick<Delivery, 'isDelivered'>[]): NotificationStatus => {
  if (deliveries.some(({ isDelivered }) => !isDelivered)) return 'failed';
  return deliveries.length > 0 ? 'delivered' : 'published';
};

/**
 * The addresses whose newest failed message is newer than every message that they accepted. All `records` must have the
 * same subject.
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

/** The contents of one message from the queue that feeds the notification records. */
export interface RecordBatch {
  readonly sent: readonly SentNotification[];
  readonly deliveries: readonly Delivery[];
  /** How deliveries of the messages ended that ask endpoints to confirm. They belong to no notification. */
  readonly confirmations?: readonly Delivery[];
  /** Lines of the delivery log in an unknown format. */
  readonly unreadable: readonly string[];
  /** Whether only a later release can record the message. */
  readonly isLater?: boolean;
}
