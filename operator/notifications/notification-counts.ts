import type { NotificationRecords } from '../../shared/notifications/ports/notification-records.ts';
import { type NotificationRecord, statusOf } from '../../shared/notifications/record/record.ts';
import type { Clock } from '../../shared/platform/time/clock.ts';

/** How many of an application's newest notifications were delivered and how many failed. */
export interface NotificationCounts {
  readonly published: number;
  readonly delivered: number;
  /** Notifications that at least one endpoint did not accept. */
  readonly failed: number;
  /** The newest failed notifications, newest first. */
  readonly failures: readonly NotificationRecord[];
  /** When the oldest counted notification was published, ISO 8601. `undefined` if none was counted. */
  readonly since: string | undefined;
  /** Whether all notifications of the last 24 hours are counted. */
  readonly isAll: boolean;
}

const dayMilliseconds = 24 * 60 * 60 * 1_000;
/** The count is limited because each notification costs another read, for its deliveries. */
const countedAtMost = 100;
const failuresAtMost = 10;

/** Counts an application's notifications of the last 24 hours. Counts only the newest hundred. */
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
