import type { Signers } from '../../../shared/nft/ports/signers.ts';
import type { TransactionLog } from '../../../shared/nft/ports/transaction-log.ts';
import type { LoggedEntry } from '../../../shared/nft/transactions/entry.ts';
import type { Notification } from '../../../shared/notifications/messages/message.ts';
import type { Endpoints } from '../../../shared/notifications/ports/endpoints.ts';
import type { NotificationTopic } from '../../../shared/notifications/ports/notification-topic.ts';
import {
  decisionOf,
  notificationsOfDecision,
} from '../../../shared/notifications/publish/decision-notifications.ts';
import {
  notificationsOfAny,
  notificationsOfEvent,
} from '../../../shared/notifications/publish/event-notifications.ts';
import {
  createSubscribedFilter,
  type SubscribedFilter,
} from '../../../shared/notifications/publish/subscribed.ts';
import { notificationsOf } from '../../../shared/notifications/publish/user-notifications.ts';
import { withValuesThatHold } from '../../../shared/ott/events/effective.ts';
import type { Catalogue } from '../../../shared/ott/ports/catalogue.ts';
import type { Application } from '../../../shared/platform/applications/application.ts';
import { changeTime } from '../../../shared/platform/time/date-time.ts';
import type { ApplicationUserSubs } from '../../../shared/users/ports/application-user-subs.ts';
import type { Users } from '../../../shared/users/ports/users.ts';
import type { RegistrationChange } from '../../../shared/users/user.ts';
import type { MessageQueue, QueuedMessage } from '../queue/message-queue.ts';
import { type QueuePass, visitMessages } from '../queue/visit.ts';
import { type FailedChange, failedChangeIn, type ToldTable } from './failed-change.ts';

export interface RedrivenChange {
  readonly messageId: string;
  readonly failedChange: FailedChange | undefined;
  /** The number of users or transactions about which notifications were published again. */
  readonly toldOf: number;
  /** Why the message stays in the queue; `undefined` if it does not. */
  readonly failure: string | undefined;
}

export interface RedriveFailedChanges {
  readonly queue: MessageQueue;
  readonly topic: NotificationTopic;
  readonly users: Pick<Users, 'lastChange' | 'changedSince' | 'endedSince'>;
  readonly subs: Pick<ApplicationUserSubs, 'ofRegistration' | 'ensureMany' | 'endAll'>;
  readonly applications: readonly Application[];
  readonly endpoints: Pick<Endpoints, 'ofApplication'>;
  readonly signers: Pick<Signers, 'list'>;
  readonly transactionLog: Pick<TransactionLog, 'find' | 'range'>;
  readonly tableNames: Readonly<Record<ToldTable, string>>;
  readonly catalogue: Pick<Catalogue, 'findStored'>;
  readonly onOutcome: (outcome: RedrivenChange) => void;
}

/**
 * Changes get their times from one clock, and stream records from another. The first clock may be behind the second by
 * this much at most.
 */
const clockDifferenceMilliseconds = 5 * 60_000;

/** How many nonces of the log are read at a time, newest first. */
const noncesAtOnce = 500;

/**
 * Yields one signer's entries that became final at `since` or later, newest nonces first. Entries become final nearly
 * in the order of their nonces, so the search stops at the first read whose entries all became final before `since`.
 */
async function* decidedSince(
  { transactionLog }: Pick<RedriveFailedChanges, 'transactionLog'>,
  {
    signer,
    nextNonce,
    since,
  }: { readonly signer: string; readonly nextNonce: number; readonly since: number },
): AsyncIterable<LoggedEntry> {
  for (let to = nextNonce; to > 0; to -= noncesAtOnce) {
    const entries = await transactionLog.range({ signer, from: Math.max(0, to - noncesAtOnce), to });
    const young = entries.filter(({ decidedAt }) => decidedAt !== undefined && decidedAt >= since);
    yield* young;
    if (young.length === 0 && entries.every(({ decidedAt }) => decidedAt !== undefined)) return;
  }
}

const isLater = ({ purpose, status }: LoggedEntry): boolean => purpose.kind === 'later' || status === 'later';

/** The message of a change that only a later release knows stays in the queue for that release. */
const requireKnown = (entry: LoggedEntry): void => {
  if (isLater(entry))
    throw new Error(`only a later release knows transaction ${entry.nonce} of ${entry.signer}`);
};

/**
 * Publishes the notifications of failed changes again. If a change of a user is quarantined, applications are notified
 * of the user's current state, and of a removal that came before it. If a transaction's outcome is quarantined,
 * applications are notified if they subscribed to such notifications. If changes of events are quarantined,
 * applications are notified of the event as it is now, or that many events have changed. If Lambda gave up a batch, the
 * message does not contain the batch's records. So applications are notified of everything that has changed, was
 * removed or became final since the first record. A message leaves the queue only when all its notifications are
 * published.
 */
export const redriveFailedChanges = async (redrive: RedriveFailedChanges): Promise<void> => {
  const { queue, topic, users, subs, applications, onOutcome } = redrive;
  const { signers, transactionLog, tableNames, catalogue } = redrive;

  const ofUser = (change: RegistrationChange): Promise<readonly Notification[]> =>
    notificationsOf({ subs }, { change, applications });
  const ofEntry = async (
    entry: LoggedEntry,
    subscribed: SubscribedFilter,
  ): Promise<readonly Notification[]> => {
    const decision = decisionOf(entry);
    return decision === undefined ? [] : subscribed(notificationsOfDecision(decision));
  };
  /** Everything that changed in a table since a batch of its stream began. */
  const changedSince: {
    readonly [Table in ToldTable]: (
      milliseconds: number,
      subscribed: SubscribedFilter,
    ) => AsyncIterable<readonly Notification[]>;
  } = {
    users: async function* (milliseconds) {
      const since = changeTime({ milliseconds: milliseconds - clockDifferenceMilliseconds });
      const ended = new Set<string>();
      for await (const removal of users.endedSince(since)) {
        ended.add(removal.registrationId);
        yield await ofUser({ ...removal, isRemoved: true });
      }
      for await (const change of users.changedSince(since))
        if (!ended.has(change.registrationId)) yield await ofUser(change);
    },
    transactions: async function* (milliseconds, subscribed) {
      const since = milliseconds - clockDifferenceMilliseconds;
      let later: LoggedEntry | undefined;
      for (const { id: signer, nextNonce } of await signers.list()) {
        for await (const entry of decidedSince(redrive, { signer, nextNonce, since })) {
          if (isLater(entry)) later = entry;
          yield await ofEntry(entry, subscribed);
        }
      }
      if (later !== undefined) requireKnown(later);
    },
    events: async function* (milliseconds, subscribed) {
      yield await subscribed(notificationsOfAny(changeTime({ milliseconds }), applications));
    },
  };

  async function* notificationsIn(failed: FailedChange): AsyncIterable<readonly Notification[]> {
    const subscribed = createSubscribedFilter(redrive);
    if (failed.kind === 'decision') {
      const entry = await transactionLog.find(failed);
      if (entry === undefined) return;
      yield await ofEntry(entry, subscribed);
      requireKnown(entry);
      return;
    }
    if (failed.kind === 'event') {
      const { id, dateTime, before } = failed;
      const stored = await catalogue.findStored(id);
      const now = stored && withValuesThatHold(stored.event, stored.presentStatus);
      const changed = { id, dateTime, before, now };
      yield await subscribed(notificationsOfEvent(changed, applications));
      return;
    }
    if (failed.kind === 'events') {
      yield await subscribed(notificationsOfAny(failed.dateTime, applications));
      return;
    }
    if (failed.kind === 'batch') {
      const told = (Object.keys(tableNames) as ToldTable[]).find((each) => tableNames[each] === failed.table);
      if (told === undefined) throw new Error(`it is not known whom changes of ${failed.table} are told`);
      yield* changedSince[told](failed.since, subscribed);
      return;
    }
    const { userSub, removal } = failed;
    const change = await users.lastChange(userSub);
    // The user has registered again since.
    if (removal !== undefined && change?.registrationId !== removal.registrationId)
      yield await ofUser({ ...removal, isRemoved: true });
    if (change !== undefined) yield await ofUser(change);
  }

  const publish = async (notifications: readonly Notification[]): Promise<void> => {
    const outcomes = await topic.publish(notifications);
    for (const outcome of outcomes) if (!outcome.isPublished) throw new Error(outcome.reason);
  };

  const redriveOne = async (message: QueuedMessage, remove: QueuePass['remove']): Promise<void> => {
    const { messageId } = message;
    const failedChange = failedChangeIn(message.body);
    let toldOf = 0;
    const end = (failure: string | undefined) => onOutcome({ messageId, failedChange, toldOf, failure });
    if (failedChange === undefined) return end('the message does not name a change');
    try {
      for await (const notifications of notificationsIn(failedChange)) {
        if (notifications.length === 0) continue;
        await publish(notifications);
        toldOf += 1;
      }
      await remove(message);
      end(undefined);
    } catch (error) {
      end(error instanceof Error ? error.message : String(error));
    }
  };

  for await (const { messages, remove } of visitMessages(queue)) {
    for (const message of messages) await redriveOne(message, remove);
  }
};
