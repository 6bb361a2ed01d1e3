import type { Logger } from '../../platform/logger.ts';
import type { Clock } from '../../platform/time/clock.ts';
import { redeliveryCodes } from '../../platform/watched.ts';
import { type Endpoint, isFailing } from '../endpoints/endpoint.ts';
import { subjectOf } from '../messages/message.ts';
import type { NotificationRecords } from '../ports/notification-records.ts';
import type { Undelivered } from '../ports/undelivered.ts';
import { longestDwellMilliseconds, type SentNotification } from '../record/record.ts';
import { type Ladder, pauseOf } from './redelivery.ts';
import type { FailedMessage } from './undelivered-row.ts';

export interface FoldFailuresDependencies {
  readonly records: Pick<NotificationRecords, 'sentBetween'>;
  readonly undelivered: Pick<Undelivered, 'suspected' | 'dismiss' | 'fold'>;
  readonly ladder: Ladder;
  readonly clock: Clock;
  readonly logger: Pick<Logger, 'warn'>;
}

const pageSize = 100;
/** A message that is not in the record after this time never comes. */
const unknownMilliseconds = 24 * 60 * 60_000;
/**
 * How far the time of a publication may be from the one that is reckoned from SNS's log. First the message is looked for
 * nearby, which is quick also where many messages are published.
 */
const nearbyMilliseconds = 2_000;
const farMilliseconds = 5 * 60_000;

const messagesOf = async (
  { records }: Pick<FoldFailuresDependencies, 'records'>,
  { applicationId }: Endpoint,
  { failed, slack }: { readonly failed: readonly FailedMessage[]; readonly slack: number },
): Promise<ReadonlyMap<string, SentNotification>> => {
  const found = new Map<string, SentNotification>();
  if (failed.length === 0) return found;
  const ids = new Set(failed.map(({ messageId }) => messageId));
  const latest = failed.map(
    ({ publishedAt, isExact }) => publishedAt + (isExact ? 0 : longestDwellMilliseconds),
  );
  const sent = records.sentBetween({
    applicationId,
    from: Math.min(...failed.map(({ publishedAt }) => publishedAt)) - slack,
    to: Math.max(...latest) + slack,
  });
  for await (const one of sent) {
    if (ids.has(one.id)) found.set(one.id, one);
    if (found.size === ids.size) break;
  }
  return found;
};

/**
 * Turns an endpoint's rows of messages into rows of subjects.
 * @returns whether it found any. `unfinished`: `until` was reached.
 */
export const foldFailures = async (
  dependencies: FoldFailuresDependencies,
  endpoint: Endpoint,
  { until }: { readonly until: number },
): Promise<'nothing' | 'some' | 'unfinished'> => {
  const { undelivered, ladder, clock, logger } = dependencies;
  let after: FailedMessage | undefined;
  let isAny = false;
  for (;;) {
    const now = clock();
    if (now >= until) return 'unfinished';
    const page = await undelivered.suspected(endpoint, { limit: pageSize, after });
    const nearby = await messagesOf(dependencies, endpoint, { failed: page, slack: nearbyMilliseconds });
    const rest = page.filter(
      ({ messageId, publishedAt }) => !nearby.has(messageId) && publishedAt < now - farMilliseconds,
    );
    const found = new Map([
      ...nearby,
      ...(await messagesOf(dependencies, endpoint, { failed: rest, slack: farMilliseconds })),
    ]);
    const newest = new Map<string, SentNotification>();
    for (const one of found.values()) {
      const subject = subjectOf(one.message);
      const before = newest.get(subject);
      if (before === undefined || before.message.dateTime < one.message.dateTime) newest.set(subject, one);
    }
    const nextAt = isFailing(endpoint) ? now : now + pauseOf(ladder, 0);
    for (const { message, publishedAt } of newest.values()) {
      if (message.operationType === 'test') continue;
      await undelivered.fold(endpoint, { message, publishedAt, nextAt });
    }
    const unknown = page.filter(({ messageId }) => !found.has(messageId));
    const lost = unknown.filter(({ publishedAt }) => publishedAt < now - unknownMilliseconds);
    if (lost.length > 0) {
      logger.warn('Failed messages are not in the record', {
        code: redeliveryCodes.failedMessageUnknown,
        count: lost.length,
        application: endpoint.applicationId,
        endpoint: endpoint.id,
        messages: lost.map(({ messageId }) => messageId),
      });
    }
    // Last, so that a crash before leaves the rows.
    await undelivered.dismiss(endpoint, [...page.filter(({ messageId }) => found.has(messageId)), ...lost]);
    isAny ||= page.length > 0;
    if (page.length < pageSize) return isAny ? 'some' : 'nothing';
    after = page.at(-1);
  }
};
