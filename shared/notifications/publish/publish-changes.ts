import type { Application } from '../../platform/applications/application.ts';
import type { Applications } from '../../platform/applications/ports/applications.ts';
import { inParallel } from '../../platform/in-parallel.ts';
import type { Logger } from '../../platform/logger.ts';
import { publisherCodes } from '../../platform/watched.ts';
import type { Notification } from '../messages/message.ts';
import type { Endpoints } from '../ports/endpoints.ts';
import type { FailedChanges } from '../ports/failed-changes.ts';
import type { NotificationTopic } from '../ports/notification-topic.ts';
import { createSubscribedFilter, type SubscribedFilter } from './subscribed.ts';

const tries = 3;
const recordsAtOnce = 10;

/**
 * The applications that could be notified of a batch of changes, and a filter for what their endpoints subscribe to.
 */
interface Audience {
  readonly applications: readonly Application[];
  readonly subscribed: SubscribedFilter;
}

/** A change of a user, a contract or tokens. */
export interface Change {
  /**
   * Of the changes in one batch that have the same subject, only the last is published: its notifications make the
   * receivers read what the others changed too. `undefined`: the change is always published.
   */
  readonly subject?: string;
  /** The notifications about the change. If the function throws, it is called again. */
  readonly notifications: (audience: Audience) => Promise<readonly Notification[]>;
}

/** `Source` is what a change is read from, such as a record of a stream. */
export interface PublishChangesDependencies<Source = unknown> {
  readonly applications: Pick<Applications, 'list'>;
  readonly endpoints: Pick<Endpoints, 'ofApplication'>;
  readonly topic: NotificationTopic;
  readonly failedChanges: FailedChanges<Source>;
  /**
   * The change in a stream record. `undefined` if no customer is notified of the record.
   * @throws for a record that this service cannot have written.
   */
  readonly changeIn: (record: Source) => Change | undefined;
  /** Whether an error thrown by the publishing of a `Change` is temporary. */
  readonly isOutage: (error: unknown) => boolean;
  /** Waits before every try but the first, so that an overloaded service can recover. */
  readonly pause: (tried: number) => Promise<void>;
  readonly logger: Pick<Logger, 'error' | 'warn'>;
}

interface Pending<Source = unknown> {
  readonly record: Source;
  readonly change: Change | undefined;
  /** `undefined` until the notifications were created. */
  unpublished: readonly Notification[] | undefined;
  failure: { readonly reason: string; readonly isOutage: boolean } | undefined;
}

const pendingOf = <Source>(
  { changeIn }: Pick<PublishChangesDependencies<Source>, 'changeIn'>,
  record: Source,
): Pending<Source> => {
  try {
    return { record, change: changeIn(record), unpublished: undefined, failure: undefined };
  } catch (error) {
    const failure = { reason: String(error), isOutage: false };
    return { record, change: undefined, unpublished: undefined, failure };
  }
};

/** Without the changes that a later change in the same batch makes needless. */
const withoutSuperseded = <Source>(all: readonly Pending<Source>[]): Pending<Source>[] => {
  const last = new Map(all.map((pending) => [pending.change?.subject, pending]));
  return all.filter((pending) => {
    const subject = pending.change?.subject;
    return subject === undefined || last.get(subject) === pending;
  });
};

const prepare = async (
  { isOutage }: Pick<PublishChangesDependencies, 'isOutage'>,
  { pending, ...audience }: Audience & { readonly pending: Pending },
): Promise<void> => {
  pending.failure = undefined;
  if (pending.unpublished !== undefined) return;
  try {
    pending.unpublished = await pending.change?.notifications(audience);
  } catch (error) {
    pending.failure = { reason: String(error), isOutage: isOutage(error) };
  }
};

/** @returns how many messages were published. */
const publish = async (
  { topic, logger }: Pick<PublishChangesDependencies, 'topic' | 'logger'>,
  { open }: { readonly open: readonly Pending[] },
): Promise<number> => {
  const outgoing = open.flatMap((pending) =>
    (pending.unpublished ?? []).map((notification) => ({ pending, notification })),
  );
  const outcomes = await topic.publish(outgoing.map(({ notification }) => notification));
  const failed = outgoing.filter(({ pending }, index) => {
    const outcome = outcomes[index];
    if (outcome === undefined || outcome.isPublished) return false;
    pending.failure = { reason: outcome.reason, isOutage: outcome.isUnavailable };
    return true;
  });
  const unavailable = outcomes.filter((outcome) => !outcome.isPublished && outcome.isUnavailable).length;
  // SNS has no metric for messages that it refused. An alarm counts the log lines with this code.
  if (unavailable > 0)
    logger.warn('Topic unavailable', { code: publisherCodes.topicUnavailable, messages: unavailable });
  for (const pending of open.filter(({ unpublished }) => unpublished !== undefined)) {
    pending.unpublished = failed
      .filter((other) => other.pending === pending)
      .map(({ notification }) => notification);
  }
  return outgoing.length - failed.length;
};

const isPutAside = async <Source>(
  { failedChanges, logger }: Pick<PublishChangesDependencies<Source>, 'failedChanges' | 'logger'>,
  { record, failure }: Pending<Source>,
): Promise<boolean> => {
  const reason = failure?.reason ?? '';
  try {
    await failedChanges.keep({ record, reason });
    logger.error('Change quarantined', { reason });
    return true;
  } catch (error) {
    logger.error('Change could not be quarantined; the stream will deliver it again', { reason, error });
    return false;
  }
};

/**
 * Publishes the changes of a batch of stream records independently of each other. A record that fails three times is
 * quarantined, even if some of its notifications were published. There is one exception. If the topic or database is
 * unavailable and no notification was published at all, the affected records are returned for a later retry.
 *
 * Several changes with the same `subject` in one batch, such as those of one registration, are published as one, the
 * last.
 * @returns the records that are neither published nor quarantined, and must be retried.
 */
export const publishChanges = async <Source>(
  dependencies: PublishChangesDependencies<Source>,
  { records }: { readonly records: readonly Source[] },
): Promise<Source[]> => {
  const applications = await dependencies.applications.list();
  const all = records.map((record) => pendingOf(dependencies, record));
  const poisoned = all.filter(({ failure }) => failure !== undefined);
  let open = withoutSuperseded(all.filter(({ failure }) => failure === undefined));
  let published = 0;
  for (let tried = 0; tried < tries && open.length > 0; tried++) {
    if (tried > 0) await dependencies.pause(tried);
    const subscribed = createSubscribedFilter(dependencies);
    const run = (pending: Pending) => prepare(dependencies, { pending, applications, subscribed });
    await inParallel(open, { atOnce: recordsAtOnce, run });
    published += await publish(dependencies, { open });
    open = open.filter(({ failure }) => failure !== undefined);
  }
  // Lambda retries the first returned record and all records after it. So if a record waits for a retry, it is returned
  // with all records after it, and none of them is quarantined now: each retry would quarantine them again.
  const firstWaiting = all.findIndex((one) => open.includes(one) && one.failure?.isOutage === true);
  const comesAgain = published === 0 && firstWaiting >= 0 ? all.slice(firstWaiting) : [];
  const aside = [...poisoned, ...open].filter((one) => !comesAgain.includes(one));
  const kept = await inParallel(aside, {
    atOnce: recordsAtOnce,
    run: (one) => isPutAside(dependencies, one),
  });
  const unkept = aside.filter((_, index) => kept[index] !== true);
  return [...comesAgain, ...unkept].map(({ record }) => record);
};
