import { beforeEach, describe, expect, it } from 'vitest';
import { publishChangesHandler } from '../../../functions/notifications/publish-changes/handler.ts';
import type { Endpoint } from '../../../shared/notifications/endpoints/endpoint.ts';
import type { Notification } from '../../../shared/notifications/messages/message.ts';
import type { PublishOutcome } from '../../../shared/notifications/ports/notification-topic.ts';
import { changeInRecord } from '../../../shared/notifications/store/stream-records.ts';
import type { Application } from '../../../shared/platform/applications/application.ts';
import type { ApplicationUserSub } from '../../../shared/users/application-user-sub.ts';
import { aDecisionRecord } from '../../support/nft/decisions.ts';
import { anEndpoint } from '../../support/notifications/endpoints.ts';
import { aChangeRecord, anApplication, madeSubs, userOf } from '../../support/users/users.ts';

class Outage extends Error {}

/** Decides whether a message is published. If it throws, the whole call fails. */
let fate: (notification: Notification) => PublishOutcome;
let published: Notification[];
let putAside: { record: unknown; reason: string }[];
let pauses: number[];
let warned: Record<string, unknown>[];
let subs: Map<string, Map<string, ApplicationUserSub>>;
let applications: Application[];
let endpoints: Endpoint[];
let endpointsRead: string[];
let isEndpointsDown: boolean;
let isFailureQueueDown: boolean;
let ending: string[];
let isSubsDown: (registrationId: string) => boolean;

const ok: PublishOutcome = { isPublished: true, messageId: 'm' };
const refused: PublishOutcome = { isPublished: false, reason: 'InvalidParameter', isUnavailable: false };
const unavailable: PublishOutcome = { isPublished: false, reason: 'InternalError', isUnavailable: true };

beforeEach(() => {
  fate = () => ok;
  published = [];
  putAside = [];
  pauses = [];
  warned = [];
  subs = new Map();
  ending = [];
  applications = [anApplication({ id: 'one' }), anApplication({ id: 'two' })];
  endpoints = [anEndpoint({ applicationId: 'one', operationTypes: ['token_update'] })];
  endpointsRead = [];
  isEndpointsDown = false;
  isFailureQueueDown = false;
  isSubsDown = () => false;
});

const publish = (...Records: ReturnType<typeof aChangeRecord>[]) =>
  publishChangesHandler({
    applications: { list: async () => applications },
    changeIn: changeInRecord({
      subs: {
        ofRegistration: async (registrationId) => {
          if (isSubsDown(registrationId)) throw new Outage('no database');
          return subs.get(registrationId) ?? new Map();
        },
        ensureMany: async (key) => madeSubs(key),
        endAll: async ({ registrationId }) => {
          ending.push(registrationId);
        },
      },
    }),
    endpoints: {
      ofApplication: async (applicationId) => {
        if (isEndpointsDown) throw new Outage('no database');
        endpointsRead.push(applicationId);
        return endpoints.filter((each) => each.applicationId === applicationId);
      },
    },
    topic: {
      publish: async (notifications) =>
        notifications.map((notification) => {
          const outcome = fate(notification);
          if (outcome.isPublished) published.push(notification);
          return outcome;
        }),
    },
    failedChanges: {
      keep: async (failed) => {
        if (isFailureQueueDown) throw new Outage('no queue');
        putAside.push(failed);
      },
    },
    isOutage: (error) => error instanceof Outage,
    pause: async (tried) => {
      pauses.push(tried);
    },
    logger: { error: () => {}, warn: (_, ...fields) => warned.push(...fields) },
  })({ Records });

const about = (text: string) => (notification: Notification) => userOf(notification.message).startsWith(text);

describe('the publisher', () => {
  it('notifies the application that owns a contract or token of each decision about it', async () => {
    const answer = await publish(aDecisionRecord({ tokens: 2 }), aChangeRecord({ registrationId: 'r1' }));

    expect(answer).toEqual({ batchItemFailures: [] });
    expect(published.map(({ applicationId, message }) => [applicationId, message.operationType])).toEqual([
      ['one', 'token_update'],
      ['one', 'token_update'],
      ['one', 'data_update'],
      ['two', 'data_update'],
    ]);
  });

  it('publishes a decision only if an endpoint asked for its type, and reads the endpoints once per batch', async () => {
    endpoints = [
      anEndpoint({ applicationId: 'one', operationTypes: ['data_update', 'contract_update'] }),
      anEndpoint({ applicationId: 'one', operationTypes: ['token_update'], removedAt: 1 }),
      anEndpoint({ applicationId: 'two', operationTypes: ['token_update'] }),
    ];
    const contract = '0x00000000000000000000000000000000000000cc';
    const decided = ['one', 'two', 'one', 'three'].flatMap((applicationId) => [
      aDecisionRecord({
        purpose: { kind: 'mint', applicationId, contract, firstTokenId: '1', destinations: [contract] },
      }),
      aDecisionRecord({ purpose: { kind: 'deploy', applicationId, contract } }),
    ]);

    const answer = await publish(...decided);

    expect(answer).toEqual({ batchItemFailures: [] });
    expect(putAside).toEqual([]);
    expect(published.map(({ applicationId, message }) => [applicationId, message.operationType])).toEqual([
      ['one', 'contract_update'],
      ['two', 'token_update'],
      ['one', 'contract_update'],
    ]);
    expect(endpointsRead).toEqual(['one', 'two', 'three']);
  });

  it('retries decisions while the endpoints cannot be read', async () => {
    isEndpointsDown = true;
    const record = aDecisionRecord();

    const answer = await publish(record);

    expect(answer.batchItemFailures).toHaveLength(1);
    expect(pauses).toEqual([1, 2]);
    expect(putAside).toEqual([]);
  });

  it('retries the remaining messages of a decision, and puts the whole decision aside if one is rejected', async () => {
    const record = aDecisionRecord({ tokens: 3 });
    fate = ({ message }) => ('tokenId' in message && message.tokenId === '2' ? refused : ok);

    const answer = await publish(record);

    expect(answer).toEqual({ batchItemFailures: [] });
    expect(published.map(({ message }) => 'tokenId' in message && message.tokenId)).toEqual(['1', '3']);
    expect(putAside).toMatchObject([{ record }]);
  });

  it('notifies each application of a change', async () => {
    const answer = await publish(
      aChangeRecord({ registrationId: 'r1', changedAt: '2026-11-20T09:15:02.123456' }),
    );

    expect(answer).toEqual({ batchItemFailures: [] });
    expect(published).toEqual(
      ['one', 'two'].map((id) => ({
        applicationId: id,
        message: {
          operationType: 'data_update',
          applicationUserSub: `r1-at-${id}`,
          dateTime: '2026-11-20T09:15:02.123456',
        },
      })),
    );
  });

  it('notifies an application once of several changes of a user in a batch, with the time of the last', async () => {
    const times = ['10', '11', '12'].map((minute) => `2026-11-20T09:${minute}:00.000000`);
    const records = times.map((changedAt) => aChangeRecord({ registrationId: 'r1', changedAt }));

    const answer = await publish(...records, aChangeRecord({ registrationId: 'r2' }));

    expect(answer).toEqual({ batchItemFailures: [] });
    const told = published.map(({ applicationId, message }) => [applicationId, userOf(message)]);
    expect(told).toEqual([
      ['one', 'r1-at-one'],
      ['two', 'r1-at-two'],
      ['one', 'r2-at-one'],
      ['two', 'r2-at-two'],
    ]);
    expect(published[0]?.message).toMatchObject({ dateTime: times[2] });
  });

  it('notifies of a removal and of the new registration after it in one batch', async () => {
    const sub = { applicationId: 'one', applicationUserSub: 'r1-at-one', isLinked: false };
    subs.set('r1', new Map([['one', sub]]));

    await publish(
      aChangeRecord({ registrationId: 'r1' }),
      aChangeRecord({ registrationId: 'r1', isRemoved: true }),
      aChangeRecord({ registrationId: 'r2' }),
    );

    expect(published.map(({ message }) => userOf(message))).toEqual(['r1-at-one', 'r2-at-one', 'r2-at-two']);
    expect(ending).toEqual(['r1']);
  });

  it('publishes the valid change of a user whose next change cannot be read', async () => {
    await publish(
      aChangeRecord({ registrationId: 'r1' }),
      aChangeRecord({ registrationId: 'r1', changedAt: 'yesterday' }),
    );

    expect(published.map(({ applicationId }) => applicationId)).toEqual(['one', 'two']);
    expect(putAside).toHaveLength(1);
  });

  it('logs TOPIC_UNAVAILABLE, which the alarm counts, when the topic accepts nothing', async () => {
    fate = () => unavailable;

    await publish(aChangeRecord());

    expect(warned).toContainEqual({ code: 'TOPIC_UNAVAILABLE', messages: 2 });
  });

  it('logs TOPIC_UNAVAILABLE for a single message, but not for messages that the topic rejects', async () => {
    fate = ({ applicationId }) => (applicationId === 'one' ? unavailable : refused);

    await publish(aChangeRecord());

    expect(warned).toContainEqual({ code: 'TOPIC_UNAVAILABLE', messages: 1 });
    expect(warned).not.toContainEqual({ code: 'TOPIC_UNAVAILABLE', messages: 2 });
  });

  it('uses the application user sub that already exists', async () => {
    const known = { applicationId: 'one', applicationUserSub: 'known', isLinked: false };
    subs.set('r1', new Map([['one', known]]));

    await publish(aChangeRecord({ registrationId: 'r1' }));

    expect(published.map(({ message }) => userOf(message))).toEqual(['known', 'r1-at-two']);
  });

  it('notifies an application with the audience "linked" only of its linked users', async () => {
    applications = [anApplication({ id: 'one', audience: 'linked' })];
    const sub = (isLinked: boolean) => ({
      applicationId: 'one',
      applicationUserSub: `sub-${isLinked}`,
      isLinked,
    });
    subs.set('linked', new Map([['one', sub(true)]]));
    subs.set('known', new Map([['one', sub(false)]]));

    await publish(
      ...['linked', 'known', 'strange'].map((registrationId) => aChangeRecord({ registrationId })),
    );

    expect(published.map(({ message }) => userOf(message))).toEqual(['sub-true']);
  });

  it('notifies the applications that knew a deleted user, and lets their identifiers of the user expire', async () => {
    const known = { applicationId: 'one', applicationUserSub: 'known', isLinked: false };
    subs.set('r1', new Map([['one', known]]));

    await publish(aChangeRecord({ registrationId: 'r1', isRemoved: true }));

    expect(published).toMatchObject([
      { applicationId: 'one', message: { operationType: 'data_update', applicationUserSub: 'known' } },
    ]);
    expect(ending).toEqual(['r1']);
  });

  it('publishes nothing when the tombstone of a deleted user expires', async () => {
    const answer = await publish(aChangeRecord({ eventName: 'REMOVE' }));

    expect(answer).toEqual({ batchItemFailures: [] });
    expect([...published, ...putAside]).toEqual([]);
  });

  it('moves an unreadable record to the queue of failed changes at once, and publishes the others', async () => {
    const poisoned = { eventName: 'MODIFY' as const, dynamodb: { NewImage: { user_sub: { S: 'x' } } } };

    const answer = await publish(
      aChangeRecord({ registrationId: 'r1' }),
      poisoned,
      aChangeRecord({ registrationId: 'r2' }),
    );

    expect(answer).toEqual({ batchItemFailures: [] });
    expect(published).toHaveLength(4);
    expect(putAside.map(({ record }) => record)).toEqual([poisoned]);
    expect(pauses).toEqual([]);
  });

  it('puts a record aside as a whole after three tries, and publishes the others', async () => {
    const bad = aChangeRecord({ registrationId: 'bad' });
    let asked = 0;
    fate = (notification) => {
      if (!about('bad')(notification)) return ok;
      asked += 1;
      return refused;
    };

    const answer = await publish(
      aChangeRecord({ registrationId: 'r1' }),
      bad,
      aChangeRecord({ registrationId: 'r2' }),
    );

    expect(answer).toEqual({ batchItemFailures: [] });
    expect(published).toHaveLength(4);
    expect(asked).toBe(6);
    expect(pauses).toEqual([1, 2]);
    expect(putAside).toEqual([{ record: bad, reason: 'InvalidParameter' }]);
  });

  it('retries only the messages that failed', async () => {
    let failures = 1;
    fate = ({ applicationId }) => (applicationId === 'two' && failures-- > 0 ? unavailable : ok);

    const answer = await publish(aChangeRecord({ registrationId: 'r1' }));

    expect(answer).toEqual({ batchItemFailures: [] });
    expect(published.map(({ applicationId }) => applicationId)).toEqual(['one', 'two']);
    expect(putAside).toEqual([]);
  });

  it('moves a record to the queue of failed changes if only that user’s application user subs are unreadable', async () => {
    isSubsDown = (registrationId) => registrationId === 'bad';
    const bad = aChangeRecord({ registrationId: 'bad' });

    const answer = await publish(bad, aChangeRecord({ registrationId: 'r1' }));

    expect(answer).toEqual({ batchItemFailures: [] });
    expect(published).toHaveLength(2);
    expect(putAside.map(({ record }) => record)).toEqual([bad]);
  });

  it('returns all records to the stream when the topic is unavailable', async () => {
    fate = () => unavailable;

    const answer = await publish(
      aChangeRecord({ registrationId: 'r1', sequenceNumber: '11' }),
      aChangeRecord({ registrationId: 'r2', sequenceNumber: '12' }),
    );

    expect(answer).toEqual({ batchItemFailures: [{ itemIdentifier: '11' }, { itemIdentifier: '12' }] });
    expect(putAside).toEqual([]);
  });

  it('puts each unreadable record aside once, however often the other records are retried', async () => {
    fate = () => unavailable;
    const poisoned = (SequenceNumber: string) => ({
      eventName: 'INSERT' as const,
      dynamodb: { SequenceNumber },
    });
    const [first, last] = [poisoned('10'), poisoned('12')];

    const waiting = aChangeRecord({ registrationId: 'r1', sequenceNumber: '11' });
    expect(await publish(first, waiting, last)).toEqual({
      batchItemFailures: [{ itemIdentifier: '11' }, { itemIdentifier: '12' }],
    });
    // Lambda repeats the first record that failed and all records after it.
    await publish(waiting, last);
    fate = () => ok;
    expect(await publish(waiting, last)).toEqual({ batchItemFailures: [] });

    expect(putAside.map(({ record }) => record)).toEqual([first, last]);
  });

  it('puts a rejected record aside while the topic is unavailable, and returns the others to the stream', async () => {
    fate = (notification) => (about('bad')(notification) ? refused : unavailable);
    const bad = aChangeRecord({ registrationId: 'bad', sequenceNumber: '11' });

    const answer = await publish(bad, aChangeRecord({ registrationId: 'r1', sequenceNumber: '12' }));

    expect(answer).toEqual({ batchItemFailures: [{ itemIdentifier: '12' }] });
    expect(putAside.map(({ record }) => record)).toEqual([bad]);
  });

  it('returns a record to the stream that it can neither publish nor put aside', async () => {
    isFailureQueueDown = true;
    fate = (notification) => (about('bad')(notification) ? refused : ok);

    const answer = await publish(
      aChangeRecord({ registrationId: 'r1', sequenceNumber: '11' }),
      aChangeRecord({ registrationId: 'bad', sequenceNumber: '12' }),
    );

    expect(answer).toEqual({ batchItemFailures: [{ itemIdentifier: '12' }] });
  });

  it('publishes nothing when there are no applications', async () => {
    applications = [];

    expect(await publish(aChangeRecord())).toEqual({ batchItemFailures: [] });
    expect([...published, ...putAside]).toEqual([]);
  });
});
