import type { Application } from '../applications/application.ts';
import type { Log } from '../logger.ts';
import { type ApplicationUserSubs, isInAudience } from './application-user-sub.ts';
import { type UserChange, userChangeOf } from './change-record.ts';
import { inParallel } from './in-parallel.ts';
import { dataUpdate, type Notification, type NotificationTopic } from './notification.ts';

/** How often a record is tried before it is put aside. */
const tries = 3;
const recordsAtOnce = 10;

/** Where changes are kept that could not be told to every application. */
export interface FailedChanges {
  /** @throws when it could not be kept. */
  keep(failed: { readonly record: unknown; readonly reason: string }): Promise<void>;
}

export interface PublishChangesDependencies {
  readonly applications: { list(): Promise<readonly Application[]> };
  readonly subs: Pick<ApplicationUserSubs, 'ofRegistration' | 'ensure'>;
  readonly topic: NotificationTopic;
  readonly failedChanges: FailedChanges;
  /** Whether an error of these ports passes by itself. */
  readonly isOutage: (error: unknown) => boolean;
  /** Waits before try number 2, 3, …, so that what was overloaded can recover. */
  readonly pause: (tried: number) => Promise<void>;
  readonly log: Log;
}

/** The messages of one change: one for each application of the audience, whose identifier is made if need be. */
export const notificationsOf =
  ({ subs }: Pick<PublishChangesDependencies, 'subs'>) =>
  async (change: UserChange, applications: readonly Application[]): Promise<Notification[]> => {
    const { registrationId, userSub, changedAt } = change;
    const known = await subs.ofRegistration(registrationId);
    const audience = applications.filter((application) =>
      isInAudience(application, known.get(application.id)),
    );
    return inParallel(audience, {
      atOnce: recordsAtOnce,
      run: async ({ id: applicationId }) => {
        const sub =
          known.get(applicationId) ?? (await subs.ensure({ registrationId, userSub, applicationId }));
        const message = dataUpdate({ applicationUserSub: sub.applicationUserSub, changedAt });
        return { applicationId, message };
      },
    });
  };

/** One record on its way, and what is still to be done for it. */
interface Pending {
  readonly record: unknown;
  readonly change: UserChange | undefined;
  /** Not made yet while `undefined`. */
  unpublished: readonly Notification[] | undefined;
  failure: { readonly reason: string; readonly isOutage: boolean } | undefined;
}

const pendingOf = (record: unknown): Pending => {
  try {
    return { record, change: userChangeOf(record), unpublished: undefined, failure: undefined };
  } catch (error) {
    const failure = { reason: String(error), isOutage: false };
    return { record, change: undefined, unpublished: undefined, failure };
  }
};

/**
 * Publishes the changes of a batch of stream records, each on its own: one that fails three times is put
 * aside as a whole and the others go on. Only when topic or database are out of reach and nothing at all got
 * through, what they kept from going out waits: trying later will do better than an operator.
 *
 * @returns the records that are neither published nor put aside, and have to come again.
 */
export const publishChanges = (dependencies: PublishChangesDependencies) => {
  const { applications, topic, failedChanges, isOutage, pause, log } = dependencies;
  const makeNotifications = notificationsOf(dependencies);

  const prepare = async (pending: Pending, all: readonly Application[]): Promise<void> => {
    pending.failure = undefined;
    if (pending.change === undefined || pending.unpublished !== undefined) return;
    try {
      pending.unpublished = await makeNotifications(pending.change, all);
    } catch (error) {
      pending.failure = { reason: String(error), isOutage: isOutage(error) };
    }
  };

  /** @returns how many messages got through. */
  const publish = async (open: readonly Pending[]): Promise<number> => {
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
    for (const pending of open.filter(({ unpublished }) => unpublished !== undefined)) {
      pending.unpublished = failed
        .filter((other) => other.pending === pending)
        .map(({ notification }) => notification);
    }
    return outgoing.length - failed.length;
  };

  const isPutAside = async ({ record, failure }: Pending): Promise<boolean> => {
    const reason = failure?.reason ?? '';
    try {
      await failedChanges.keep({ record, reason });
      log.error('Change put aside', { reason });
      return true;
    } catch (error) {
      log.error('Change could not be put aside and comes again', { reason, error });
      return false;
    }
  };

  return async (records: readonly unknown[]): Promise<unknown[]> => {
    const all = await applications.list();
    const pending = records.map(pendingOf);
    const poisoned = pending.filter(({ failure }) => failure !== undefined);
    let open = pending.filter(({ failure }) => failure === undefined);
    let published = 0;
    for (let tried = 0; tried < tries && open.length > 0; tried++) {
      if (tried > 0) await pause(tried);
      await inParallel(open, { atOnce: recordsAtOnce, run: (one) => prepare(one, all) });
      published += await publish(open);
      open = open.filter(({ failure }) => failure !== undefined);
    }
    // Lambda repeats all from the first that waits: what comes after it would be put aside again each time.
    const firstWaiting = pending.findIndex((one) => open.includes(one) && one.failure?.isOutage === true);
    const comesAgain = published === 0 && firstWaiting >= 0 ? pending.slice(firstWaiting) : [];
    const aside = [...poisoned, ...open].filter((one) => !comesAgain.includes(one));
    const kept = await inParallel(aside, { atOnce: recordsAtOnce, run: isPutAside });
    const unkept = aside.filter((_, index) => kept[index] !== true);
    return [...comesAgain, ...unkept].map(({ record }) => record);
  };
};
