import type { Clock } from '../../shared/clock.ts';
import type { NotificationRecords } from '../../shared/notifications/ports/notification-records.ts';
import { type NotificationRecord, statusOf } from '../../shared/notifications/record.ts';

/** The outcome of an application's newest notifications. */
export interface NotificationCounts {
  readonly published: number;
  readonly delivered: number;
  /** An endpoint did not accept them, although another may have. */
  readonly failed: number;
  /** The newest of these, newest first. */
  readonly failures: readonly NotificationRecord[];
  /** When the oldest counted one was published, ISO 8601; `undefined` when there is none. */
  readonly since: string | undefined;
  /** Whether these are all of the last 24 hours. */
  readonly isAll: boolean;
}

const dayMilliseconds = 24 * 60 * 60 * 1_000;
/** Each needs a read of its deliveries. */
const countedAtMost = 100;
const failuresAtMost = 10;

/** Of the last 24 hours, or of the newest hundred if there were more. */
export const countNotifications = async (
  { records, clock }: { readonly records: Pick<NotificationRecords, 'list'>; readonly clock: Clock },
  { applicationId }: { readonly applicationId: string },
): Promise<NotificationCounts> => {
  const to = clock();
  const { items, next } = await records.list({
    applicationId,
    from: to - dayMilliseconds,
    to,
    limit: countedAtMost,
  });
  const statuses = items.map(({ deliveries }) => statusOf(deliveries));
  const failures = items.filter((_, index) => statuses[index] === 'failed');
  const oldest = items.at(-1)?.publishedAt;
  return {
    published: items.length,
    delivered: statuses.filter((status) => status === 'delivered').length,
    failed: failures.length,
    failures: failures.slice(0, failuresAtMost),
    since: oldest === undefined ? undefined : new Date(oldest).toISOString(),
    isAll: next === undefined,
  };
};

export const notificationCountsRow = ({ isAll, failures: _, ...counts }: NotificationCounts) => ({
  ...counts,
  is_all: isAll,
});
