import { beforeEach, describe, expect, it } from 'vitest';
import {
  type RedriveFailedChanges,
  type RedrivenChange,
  redriveFailedChanges,
} from '../../../../operator/notifications/failed-changes/redrive-failed-changes.ts';
import type { MessageQueue, QueuedMessage } from '../../../../operator/notifications/queue/message-queue.ts';
import { purgeMessages } from '../../../../operator/notifications/queue/purge.ts';
import type { SignerState } from '../../../../shared/nft/ports/signers.ts';
import type { Notification } from '../../../../shared/notifications/messages/message.ts';
import type { StoredEvent } from '../../../../shared/ott/ports/catalogue.ts';
import type { ApplicationUserSub } from '../../../../shared/users/application-user-sub.ts';
import type { EndedRegistration, User, UserChange } from '../../../../shared/users/user.ts';
import { aDecidedEntry, aDecisionRecord } from '../../../support/nft/decisions.ts';
import { anEndpoint } from '../../../support/notifications/endpoints.ts';
import { anEvent, anOttApplication } from '../../../support/ott/builders.ts';
import { aChangeRecord, anApplication, madeSubs, userOf } from '../../../support/users/users.ts';

let left: QueuedMessage[];
let published: Notification[];
let outcomes: RedrivenChange[];
let users: Map<string, User>;
let lastChanges: Map<string, UserChange>;
let ended: EndedRegistration[];
let known: Map<string, ApplicationUserSub[]>;
let storedEvents: Map<string, StoredEvent>;

beforeEach(() => {
  left = [];
  published = [];
  outcomes = [];
  lastChanges = new Map();
  ended = [];
  known = new Map();
  storedEvents = new Map();
  users = new Map(['anna', 'berta'].map((userSub) => [userSub, aUser(userSub)]));
});

const changeOf = (user: User | undefined): UserChange | undefined =>
  user === undefined ? undefined : { ...user, isRemoved: false };

const aUser = (userSub: string): User => ({
  userSub,
  registrationId: `registration-of-${userSub}`,
  version: 2,
  changedAt: '2026-11-20T09:15:02.123456',
  registeredAt: '2026-11-20T09:15:01.123456',
  data: {},
  agreements: [],
});

const failed = (messageId: string, body: unknown) => {
  left.push({ messageId, receiptHandle: messageId, body: JSON.stringify(body), sentAt: 0 });
};

const tableNames = { users: 'Marquee-Users', transactions: 'transactions', events: 'Marquee-Events' };

const queue: MessageQueue = (() => {
  const taken = new Set<string>();
  return {
    take: async () => {
      const untaken = left.filter(({ messageId }) => !taken.has(messageId));
      for (const { messageId } of untaken) taken.add(messageId);
      return untaken;
    },
    remove: async ({ messageId }) => {
      left = left.filter((message) => message.messageId !== messageId);
    },
    putBack: async () => taken.clear(),
  };
})();

const redrive = (overrides: Partial<RedriveFailedChanges> = {}) =>
  redriveFailedChanges({
    queue,
    topic: {
      publish: async (notifications) => {
        published.push(...notifications);
        return notifications.map(() => ({ isPublished: true, messageId: 'm' }));
      },
    },
    users: {
      lastChange: async (userSub) => lastChanges.get(userSub) ?? changeOf(users.get(userSub)),
      changedSince: async function* (dateTime) {
        for (const user of users.values())
          if (user.changedAt >= dateTime) yield { ...user, isRemoved: false };
        for (const change of lastChanges.values()) if (change.changedAt >= dateTime) yield change;
      },
      endedSince: async function* (dateTime) {
        yield* ended.filter(({ changedAt }) => changedAt >= dateTime);
      },
    },
    subs: {
      ofRegistration: async (registrationId) =>
        new Map((known.get(registrationId) ?? []).map((sub) => [sub.applicationId, sub])),
      ensureMany: async (key) => madeSubs(key),
      endAll: async () => {},
    },
    applications: [anApplication({ id: 'club' }), anApplication({ id: 'shop' })],
    endpoints: {
      ofApplication: async (applicationId) => [
        anEndpoint({ applicationId, operationTypes: ['token_update'] }),
      ],
    },
    signers: { list: async () => [] },
    transactionLog: { find: async () => undefined, range: async () => [] },
    catalogue: { findStored: async (id) => storedEvents.get(id) },
    tableNames,
    onOutcome: (outcome) => outcomes.push(outcome),
    ...overrides,
  });

const streamOf = (table: string) =>
  `arn:aws:dynamodb:eu-central-1:123456789012:table/${table}/stream/2026-11-20T00:00:00.000`;

const aBatch = (arrival: string, table: string = tableNames.users) => ({
  requestContext: { condition: 'RetryAttemptsExhausted', approximateInvokeCount: 501 },
  DDBStreamBatchInfo: {
    streamArn: streamOf(table),
    approximateArrivalOfFirstRecord: arrival,
    batchSize: 1,
  },
});

describe('the redrive of failed changes', () => {
  it("notifies every application of the user's present state, and removes the message", async () => {
    failed('one', {
      reason: 'InternalError',
      record: aChangeRecord({ userSub: 'anna', registrationId: 'old' }),
    });

    await redrive();

    expect(published.map(({ applicationId, message }) => [applicationId, userOf(message)])).toEqual([
      ['club', 'registration-of-anna-at-club'],
      ['shop', 'registration-of-anna-at-shop'],
    ]);
    expect(left).toEqual([]);
  });

  it('accepts a message that contains only the key of the user', async () => {
    failed('one', { reason: 'r', record: { dynamodb: { Keys: { user_sub: { S: 'berta' } } } } });

    await redrive();

    expect(published).toHaveLength(2);
    expect(left).toEqual([]);
  });

  it('notifies the applications that knew a deleted user of the deletion', async () => {
    failed('one', { reason: 'r', record: aChangeRecord({ userSub: 'gone' }) });
    lastChanges.set('gone', {
      userSub: 'gone',
      registrationId: 'of-gone',
      changedAt: '2026-11-20T09:15:02.123456',
      isRemoved: true,
    });
    known.set('of-gone', [{ applicationId: 'shop', applicationUserSub: 'gone-at-shop', isLinked: false }]);

    await redrive();

    expect(published).toMatchObject([{ applicationId: 'shop' }]);
    expect(left).toEqual([]);
  });

  it('sends no notification if no data of the user is stored any more', async () => {
    failed('one', { reason: 'r', record: aChangeRecord({ userSub: 'gone' }) });

    await redrive();

    expect(published).toEqual([]);
    expect(left).toEqual([]);
  });

  it('reads the decided transaction from the log and notifies of each of its tokens', async () => {
    const entry = aDecidedEntry({ tokens: 3 });
    failed('one', { reason: 'InternalError', record: aDecisionRecord({ tokens: 3 }) });

    await redrive({
      transactionLog: {
        find: async ({ signer, nonce }) =>
          signer === entry.signer && nonce === entry.nonce ? entry : undefined,
        range: async () => [],
      },
    });

    expect(published.map(({ message }) => message.operationType)).toEqual(Array(3).fill('token_update'));
    expect(left).toEqual([]);
  });

  it('sends no notification about a decision when the application has no endpoint for such messages', async () => {
    failed('one', { reason: 'InternalError', record: aDecisionRecord() });

    await redrive({
      transactionLog: { find: async () => aDecidedEntry(), range: async () => [] },
      endpoints: { ofApplication: async () => [anEndpoint()] },
    });

    expect(published).toEqual([]);
    expect(left).toEqual([]);
  });

  it('notifies applications that see an event, or saw it before, of its present state, with the time of its change', async () => {
    const dateTime = '2026-11-20T20:00:04.000007';
    const before = [{ status: 'LIVE', access: 'free', categories: [] }];
    storedEvents.set('final', {
      event: anEvent({ status: 'FINISHED' }),
      presentStatus: 'FINISHED',
      version: 8,
    });
    failed('event', { reason: 'r', event: { event_id: 'final', date_time: dateTime, before } });
    failed('gone', { reason: 'r', event: { event_id: 'gone', date_time: dateTime, before } });
    failed('many', { reason: 'r', event: { events: 'many', date_time: dateTime } });
    const applications = [
      anOttApplication({}, 'all'),
      anOttApplication({ rules: [{ id: 'one', enabled: true, statuses: ['LIVE'] }] }, 'live'),
      anOttApplication({}, 'not-subscribed'),
    ];

    await redrive({
      applications,
      endpoints: {
        ofApplication: async (applicationId) =>
          applicationId === 'not-subscribed'
            ? []
            : [anEndpoint({ applicationId, operationTypes: ['event_update'] })],
      },
    });

    const about = { operationType: 'event_update', dateTime };
    expect(published.map(({ applicationId, message }) => [applicationId, message])).toEqual([
      ['all', { ...about, eventId: 'final', change: 'status', status: 'FINISHED' }],
      ['live', { ...about, eventId: 'final', change: 'removed' }],
      ['all', { ...about, eventId: 'gone', change: 'removed' }],
      ['live', { ...about, eventId: 'gone', change: 'removed' }],
      ['all', { ...about, change: 'many' }],
      ['live', { ...about, change: 'many' }],
    ]);
    expect(left).toEqual([]);
  });

  it('notifies of all transactions decided since the time of a batch that the stream gave up', async () => {
    const arrival = '2026-11-20T09:15:02.500Z';
    const at = Date.parse(arrival);
    // Most entries became final an hour before the batch. Of these, only the newest are read.
    const entries = Array.from({ length: 2_000 }, (_, nonce) =>
      aDecidedEntry({ nonce, decidedAt: nonce < 1_990 ? at - 3_600_000 : at + nonce }),
    );
    const read: number[] = [];
    failed('one', aBatch(arrival, tableNames.transactions));

    await redrive({
      signers: { list: async () => [{ id: entries[0]?.signer, nextNonce: 2_000 } as SignerState] },
      transactionLog: {
        find: async () => undefined,
        range: async ({ from, to }) => {
          read.push(from);
          return entries.slice(from, to);
        },
      },
    });

    expect(published).toHaveLength(10);
    expect(read).toEqual([1_500, 1_000]);
    expect(left).toEqual([]);
  });

  it('keeps a message with a kind or status of a later release, and publishes the other changes of the batch', async () => {
    const known = aDecidedEntry({ decidedAt: Date.parse('2026-11-20T09:16:00Z') });
    const later = { ...known, nonce: 8, purpose: { kind: 'later', stored: 'burn-all' } } as const;
    const transactionLog = {
      find: async () => ({ ...later, purpose: known.purpose, status: 'later' }) as const,
      range: async () => [known, later],
    };
    failed('entry', { reason: 'invalid', record: aDecisionRecord({ nonce: 8 }) });
    failed('batch', aBatch('2026-11-20T09:15:02.123Z', tableNames.transactions));

    await redrive({
      transactionLog,
      signers: { list: async () => [{ id: known.signer, nextNonce: 9 } as SignerState] },
    });

    const failure = `only a later release knows transaction 8 of ${known.signer}`;
    expect(outcomes.map((each) => [each.messageId, each.toldOf, each.failure])).toEqual([
      ['entry', 0, failure],
      ['batch', 1, failure],
    ]);
    expect(left).toHaveLength(2);
    expect(published).toHaveLength(1);
  });

  it('notifies of all users who have changed since the time of a batch that the stream gave up', async () => {
    failed('one', aBatch('2026-11-20T09:15:02.500Z'));

    await redrive();

    expect(published).toHaveLength(4);
    expect(outcomes[0]?.toldOf).toBe(2);
    expect(left).toEqual([]);
  });

  it('notifies of removals since then too, also of a user who has registered again', async () => {
    const sub = (applicationUserSub: string) => [
      { applicationId: 'club', applicationUserSub, isLinked: false },
    ];
    const changedAt = '2026-11-20T09:15:02.123456';
    ended = ['before-anna', 'of-clara'].map((registrationId) => ({ registrationId, changedAt }));
    ended.push({ registrationId: 'long-ago', changedAt: '2026-11-20T08:15:02.123456' });
    lastChanges.set('clara', { userSub: 'clara', registrationId: 'of-clara', changedAt, isRemoved: true });
    known = new Map(['before-anna', 'of-clara', 'long-ago'].map((id) => [id, sub(`${id}-at-club`)]));
    failed('one', aBatch('2026-11-20T09:15:02.500Z'));

    await redrive();

    expect(published.map(({ message }) => userOf(message))).toEqual([
      'before-anna-at-club',
      'of-clara-at-club',
      'registration-of-anna-at-club',
      'registration-of-anna-at-shop',
      'registration-of-berta-at-club',
      'registration-of-berta-at-shop',
    ]);
    expect(left).toEqual([]);
  });

  it('keeps a batch or a record of a table that it does not know, and tells nothing of it', async () => {
    failed('batch', aBatch('2026-11-20T09:15:02.500Z', 'Marquee-Wallets'));
    failed('one', { reason: 'r', record: { dynamodb: { Keys: { pk: { S: 'USER#anna' } } } } });
    failed('two', { reason: 'r', record: { dynamodb: { Keys: { pk: { S: 'a' }, sk: { S: 'b' } } } } });

    await redrive();

    expect(published).toEqual([]);
    expect(left).toHaveLength(3);
    expect(outcomes.map(({ failure }) => failure)).toEqual([
      'it is not known whom changes of Marquee-Wallets are told',
      ...Array(2).fill('the message does not name a change'),
    ]);
  });

  it('ignores users who changed long before the batch', async () => {
    failed('one', aBatch('2026-11-20T09:30:00.000Z'));

    await redrive();

    expect(published).toEqual([]);
  });

  it('keeps messages that fail or cannot be read, and continues with the next', async () => {
    failed('unreadable', { something: 'else' });
    failed('poisoned', { reason: 'r', record: aChangeRecord({ userSub: 'poisoned' }) });
    failed('good', { reason: 'r', record: aChangeRecord({ userSub: 'anna' }) });

    await redrive({
      users: {
        lastChange: async (userSub) => {
          if (userSub === 'poisoned') throw new Error('unreadable item');
          return changeOf(users.get(userSub));
        },
        changedSince: async function* () {},
        endedSince: async function* () {},
      },
    });

    expect(left.map(({ messageId }) => messageId)).toEqual(['unreadable', 'poisoned']);
    expect(outcomes.map(({ failure }) => failure)).toEqual([
      'the message does not name a change',
      'unreadable item',
      undefined,
    ]);
  });
});

describe('the purge of failed changes', () => {
  it('deletes only the requested message ids, even if they cannot be read', async () => {
    failed('unreadable', { something: 'else' });
    failed('kept', { reason: 'r', record: aChangeRecord({ userSub: 'anna' }) });

    expect(await purgeMessages({ queue, clock: Date.now, messageIds: ['unreadable', 'unknown'] })).toEqual([
      'unreadable',
    ]);
    expect(left.map(({ messageId }) => messageId)).toEqual(['kept']);
  });
});
