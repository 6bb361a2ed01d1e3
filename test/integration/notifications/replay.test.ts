import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startReplayHandler } from '../../../functions/notifications/send-notifications/start-replay-handler.ts';
import { getReplayHandler } from '../../../functions/notifications/show-notifications/get-replay-handler.ts';
import { getReplayOperation, startReplayOperation } from '../../../shared/notifications/http/operations.ts';
import type { Message, Notification, UserMessage } from '../../../shared/notifications/messages/message.ts';
import type { ReplayOrder } from '../../../shared/notifications/replay/replay.ts';
import { type RunReplayDependencies, runReplay } from '../../../shared/notifications/replay/run-replay.ts';
import { startReplay } from '../../../shared/notifications/replay/start-replay.ts';
import { dynamoDbEndpoints } from '../../../shared/notifications/store/endpoints.ts';
import { dynamoDbNotificationRecords } from '../../../shared/notifications/store/notification-records.ts';
import { dynamoDbReplays } from '../../../shared/notifications/store/replays.ts';
import type { EventStatus } from '../../../shared/ott/events/event-kinds.ts';
import { operationFunction } from '../../../shared/platform/http/operation-function.ts';
import { aContext, anApiEvent } from '../../support/ott/api-event.ts';
import { anApplication } from '../../support/platform/applications.ts';
import { createTables, startDatabase, type TestDatabase } from '../../support/platform/dynamodb.ts';
import { remedy } from '../../support/platform/remedy.ts';
import { userOf } from '../../support/users/users.ts';

let database: TestDatabase;
let records: ReturnType<typeof dynamoDbNotificationRecords>;
let replays: ReturnType<typeof dynamoDbReplays>;
let endpoints: ReturnType<typeof dynamoDbEndpoints>;

beforeAll(async () => {
  database = await startDatabase();
  const tables = await createTables(database, ['Notifications', 'Endpoints']);
  const client = database.documents;
  records = dynamoDbNotificationRecords({ client, tableName: tables.Notifications });
  replays = dynamoDbReplays({ client, tableName: tables.Notifications });
  endpoints = dynamoDbEndpoints({ client, tableName: tables.Endpoints });
});
afterAll(() => database.stop());

const start = Date.parse('2026-11-20T23:59:30Z');
const now = start + 600_000;

let applications = 0;
let applicationId: string;
let published: Notification[];
let enqueued: string[];
let waited: number;
beforeEach(() => {
  applicationId = `application-${++applications}`;
  published = [];
  enqueued = [];
  waited = 0;
});

const anEndpoint = async (id: string): Promise<string> => {
  const destination = `https://${applicationId}.example.com/${id}`;
  await endpoints.save({
    applicationId,
    id,
    destination,
    isEnveloped: false,
    operationTypes: ['data_update'],
    createdAt: start,
  });
  return destination;
};

const timeOf = (second: number): string =>
  `${new Date(start + second * 1_000).toISOString().slice(0, -1)}000`;
const sent = (
  sub: string,
  second: number,
  outcomes: Readonly<Record<string, boolean>> = {},
  operationType: UserMessage['operationType'] = 'data_update',
): Promise<void> =>
  recorded({ operationType, applicationUserSub: sub, dateTime: timeOf(second) }, second, outcomes);

let messages = 0;
const recorded = async (
  message: Message,
  second: number,
  outcomes: Readonly<Record<string, boolean>> = {},
): Promise<void> => {
  const id = `message-${++messages}`;
  const publishedAt = start + second * 1_000;
  await records.recordSent([{ applicationId, id, publishedAt, message }]);
  for (const [destination, isDelivered] of Object.entries(outcomes)) {
    await records.recordDeliveries([
      {
        messageId: id,
        destination,
        isDelivered,
        attempts: 1,
        at: publishedAt,
        reason: '',
      },
    ]);
  }
};

const dependencies = (overrides: Partial<RunReplayDependencies> = {}): RunReplayDependencies => ({
  records,
  replays,
  endpoints,
  undelivered: { noteCopy: async () => {} },
  topic: {
    publish: async (notifications) => {
      published.push(...notifications);
      return notifications.map(() => ({ isPublished: true, messageId: 'again' }));
    },
  },
  clock: () => now,
  wait: async (milliseconds) => {
    waited += milliseconds;
  },
  ...overrides,
});

const started = (order: Partial<ReplayOrder> = {}, key?: string) =>
  startReplay(
    {
      replays,
      endpoints,
      enqueue: async ({ id }) => {
        enqueued.push(id);
      },
      clock: () => now,
      randomId: () => `replay-of-${applicationId}`,
    },
    { order: { applicationId, from: start, to: now + 1, ...order }, key },
  );

const run = (id: string, overrides: Partial<RunReplayDependencies> = {}, holder = 'worker') =>
  runReplay(dependencies(overrides), { applicationId, id, holder, until: now + 1_000 });

const told = () => published.map(({ message }) => `${userOf(message)} ${message.dateTime.slice(17, 19)}`);

describe('the progress of a replay', () => {
  const get = async (id: string) => {
    const findByApiKeyId = async () => anApplication({ id: applicationId });
    const send = operationFunction(
      getReplayOperation,
      getReplayHandler({ applications: { findByApiKeyId }, replays }),
    );
    const event = anApiEvent({ apiKeyId: 'key', path: { id: encodeURIComponent(id) } });
    const { statusCode, body } = await send(event, aContext());
    return { status: statusCode, body: JSON.parse(body) };
  };

  it('is found by the id of the replay', async () => {
    const { id } = await started({}, 'key');

    expect(await get(id)).toMatchObject({ status: 200, body: { id, state: 'running' } });
  });

  it.each([
    ['of the right form', '0'.repeat(32)],
    ['that no replay can have', 'nobody'],
    ['that is too long for a key', 'x'.repeat(3_000)],
  ])('is not found by an id %s', async (_, id) => {
    expect(await get(id)).toMatchObject({ status: 404, body: { message: 'REPLAY_NOT_FOUND' } });
  });
});

describe('a replay of notifications', () => {
  it('publishes the newest message of each subject in its time range once, and no test messages', async () => {
    for (const sub of ['a', 'b']) for (const second of [0, 10, 20, 28]) await sent(sub, second);
    await sent('c', 29);
    await sent('d', 11, {}, 'test');

    const { id } = await started({ from: start + 10_000, to: start + 29_000 });
    expect(await run(id)).toBe('ended');

    expect(told().sort()).toEqual(['a 58', 'b 58']);
    expect(published[0]).toMatchObject({ applicationId });
    expect(published[0]?.endpointId).toBeUndefined();
    const ids = await Promise.all(
      published.map(async ({ replayOf = '' }) => (await records.find(replayOf))?.message),
    );
    expect(ids).toEqual(published.map(({ message }) => message));
    expect(await replays.find({ applicationId, id })).toMatchObject({
      looked: 7,
      published: 2,
      endedAt: now,
    });
  });

  it('publishes the newest message of a subject, even if it is recorded during the read of its page', async () => {
    const dead = await anEndpoint('dead');
    await sent('a', 1, { [dead]: false });
    const list: typeof records.list = async (page) => {
      const found = await records.list(page);
      await sent('a', 2, { [dead]: false });
      return found;
    };

    const { id } = await started({ status: 'failed' });
    await run(id, { records: { ...records, list } });

    expect(told()).toEqual(['a 32']);
    expect(published[0]?.endpointId).toBe('dead');
    expect(await replays.find({ applicationId, id })).toMatchObject({ published: 1, endedAt: now });
  });

  it('sends a failed message only to endpoints that have not accepted a newer one', async () => {
    const [living, dead, revived] = [
      await anEndpoint('living'),
      await anEndpoint('dead'),
      await anEndpoint('revived'),
    ];
    await sent('a', 1, { [living]: true, [dead]: false, [revived]: false });
    await sent('a', 2, { [revived]: true });
    await sent('b', 3, { [living]: true });

    const { id } = await started({ status: 'failed' });
    await run(id);

    expect(published.map(({ endpointId, message }) => [endpointId, userOf(message)])).toEqual([
      ['dead', 'a'],
    ]);
  });

  it('sends the newest message about each event again to an endpoint that has accepted none of them', async () => {
    const [living, dead] = [await anEndpoint('living'), await anEndpoint('dead')];
    const outcomes = { [living]: true, [dead]: false };
    const told = (second: number, eventId: string, status: EventStatus) => {
      const dateTime = timeOf(second);
      const message = { operationType: 'event_update', change: 'status', eventId, status, dateTime } as const;
      return recorded(message, second, outcomes);
    };
    await told(1, 'final', 'LIVE');
    await told(2, 'derby', 'LIVE');
    await told(3, 'final', 'FINISHED');
    await recorded({ operationType: 'event_update', change: 'many', dateTime: timeOf(4) }, 4, outcomes);

    const { id } = await started({ status: 'failed' });
    await run(id);

    expect(published.map(({ endpointId, message }) => [endpointId, message])).toMatchObject([
      ['dead', { change: 'many' }],
      ['dead', { eventId: 'final', status: 'FINISHED' }],
      ['dead', { eventId: 'derby', status: 'LIVE' }],
    ]);
  });

  it('does not read times before the retention of the record', async () => {
    await sent('a', 1);
    let windows = 0;
    const list: typeof records.list = (page) => {
      windows += 1;
      expect(page.from).toBe(now - 30 * 24 * 60 * 60 * 1_000);
      return records.list(page);
    };

    const all = await started({ from: 0 }, 'all');
    const past = await started({ from: 0, to: 1 }, 'past');
    for (const { id } of [all, past]) expect(await run(id, { records: { ...records, list } })).toBe('ended');

    expect(windows).toBe(2);
    expect(told()).toEqual(['a 31']);
  });

  it('can be limited to one endpoint', async () => {
    await anEndpoint('one');
    await sent('a', 1);

    const { id } = await started({ endpointId: 'one' });
    await run(id);

    expect(published).toMatchObject([{ applicationId, endpointId: 'one' }]);
    await expect(started({ endpointId: 'two' }, 'k')).rejects.toThrow('no endpoint');
  });

  it('continues after a crash on any page, and publishes at most 20 messages a second', async () => {
    for (let index = 0; index < 50; index++) await sent(`user-${index}`, index % 25);

    const { id } = await started();
    remedy('replays-wait');
    for (let deaths = 0; deaths < 3; deaths++) {
      const advance = async () => {
        throw new Error('killed');
      };
      const dying = { ...replays, advance: deaths === 1 ? advance : replays.advance };
      let pages = 0;
      const wait = async () => {
        if (++pages === 1) throw new Error('killed');
      };
      await run(id, deaths === 2 ? {} : { replays: dying, wait }).catch(() => {});
    }

    const subs = published.map(({ message }) => userOf(message));
    expect(new Set(subs).size).toBe(50);
    // A page of 20 is published twice, because its end was not saved.
    expect(subs.length).toBe(70);
    expect(waited).toBe(1_500);
    expect(await replays.find({ applicationId, id })).toMatchObject({ looked: 50, published: 50 });
  });

  it('publishes a subject on several pages once, even if another worker continues', async () => {
    for (let second = 0; second < 25; second++) await sent('hot', second);

    const { id } = await started();
    const wait = async () => {
      throw new Error('killed');
    };
    await run(id, { wait }).catch(() => {});
    await run(id);

    expect(told()).toEqual(['hot 54']);
  });

  it('waits for another replay of the same application, but not for those of others', async () => {
    await sent('a', 1);
    const { id } = await started();
    const lease = { applicationId, holder: 'other', now, until: now + 10 };
    expect(await replays.hold(lease)).toBe(true);

    expect(await run(id)).toBe('waiting');
    expect(published).toEqual([]);
    expect(await replays.hold({ ...lease, applicationId: `${applicationId}-2` })).toBe(true);

    await replays.release(lease);
    expect(await run(id)).toBe('ended');
    expect(told()).toEqual(['a 31']);
    expect(await run(id)).toBe('ended');
    expect(told()).toEqual(['a 31']);
  });

  it('is queued again by the same request until it has run, and rejected for another request with the key', async () => {
    await sent('a', 1);
    const first = await started({}, 'outage');

    expect(await started({}, 'outage')).toEqual(first);
    expect(enqueued).toEqual([first.id, first.id]);
    await expect(started({ status: 'failed' }, 'outage')).rejects.toThrow('another replay');
    await run(first.id);
    expect((await started({}, 'outage')).endedAt).toBe(now);
    expect(enqueued).toHaveLength(2);
  });

  it('is rejected and not stored if nothing can have been published in its time range', async () => {
    for (const from of [now, now + 3_600_000]) {
      await expect(started({ from, to: from + 60_000 }, 'ahead')).rejects.toMatchObject({
        code: 'BAD_REQUEST',
        issues: [{ path: 'from' }],
      });
    }

    expect(enqueued).toEqual([]);
    expect((await started({ from: now - 1, to: now + 60_000 }, 'ahead')).from).toBe(now - 1);
  });

  it('keeps its position when the topic is unavailable', async () => {
    await sent('a', 1);
    const { id } = await started();
    const topic: RunReplayDependencies['topic'] = {
      publish: async () => [{ isPublished: false, reason: 'InternalError', isUnavailable: true }],
    };

    await expect(run(id, { topic })).rejects.toThrow('InternalError');
    expect(await run(id)).toBe('ended');

    expect(told()).toEqual(['a 31']);
  });
});

describe('the unfinished replays of an application', () => {
  const isRefused = { code: 'TOO_MANY_REPLAYS', headers: { 'retry-after': '60' } };
  const elevenStarted = () =>
    Promise.all(Array.from({ length: 11 }, (_, index) => started({}, `replay ${index}`)));

  it('are limited to eleven, of which one runs', async () => {
    const [first] = await elevenStarted();

    await expect(started({}, 'one more')).rejects.toMatchObject(isRefused);
    expect(enqueued).toHaveLength(11);
    expect(await started({}, 'replay 3')).toMatchObject({ applicationId });

    expect(await run(first?.id ?? '')).toBe('ended');
    await started({}, 'one more');
    await expect(started({}, 'and another')).rejects.toMatchObject(isRefused);
  });

  it('do not include a replay that has ended, even if its worker died at the end', async () => {
    const [first] = await elevenStarted();
    await run(first?.id ?? '', { replays: { ...replays, close: async () => {} } });

    await started({}, 'one more');
    await expect(started({}, 'and another')).rejects.toMatchObject(isRefused);
  });

  it('do not include a replay whose request died before it was stored', async () => {
    await replays.open({ applicationId, id: 'died', startedAt: now - 60_001 }, 11);
    await Promise.all(Array.from({ length: 10 }, (_, index) => started({}, `replay ${index}`)));

    await started({}, 'one more');
    await expect(started({}, 'and another')).rejects.toMatchObject(isRefused);
  });

  it('do not include a replay without an idempotency key that the queue did not accept', async () => {
    const enqueue = () => Promise.reject(new Error('The queue is out of reach'));
    const randomId = () => `unqueued-of-${applicationId}`;

    await expect(
      startReplay(
        { replays, endpoints, enqueue, clock: () => now, randomId },
        { order: { applicationId, from: start, to: now + 1 } },
      ),
    ).rejects.toThrow('out of reach');

    expect(await replays.opened(applicationId)).toEqual([]);
  });

  it('count once for concurrent requests with one key', async () => {
    await Promise.all(Array.from({ length: 5 }, () => started({}, 'rush')));

    expect(await replays.opened(applicationId)).toHaveLength(1);
  });
});

describe('POST /notifications/replay', () => {
  const hour = { from: new Date(start).toISOString(), to: new Date(now).toISOString() };

  const setUp = () => {
    let ids = 0;
    let milliseconds = now;
    const send = operationFunction(
      startReplayOperation,
      startReplayHandler({
        applications: { findByApiKeyId: async () => anApplication({ id: applicationId }) },
        replays,
        endpoints,
        enqueue: async () => {},
        clock: () => milliseconds++,
        randomId: () => `${applicationId}-${++ids}`,
      }),
    );
    return async (key?: string, body: object = hour) => {
      const event = anApiEvent({
        method: 'POST',
        apiKeyId: 'key',
        headers: key === undefined ? {} : { 'Idempotency-Key': key },
        body,
      });
      const answer = await send(event, aContext());
      const { id } = JSON.parse(answer.body) as { readonly id: string };
      return { status: answer.statusCode, id, replayed: answer.headers?.['idempotent-replayed'] };
    };
  };

  it('answers with Idempotent-Replayed if an earlier request with the key has started the replay', async () => {
    const send = setUp();

    const first = await send('outage');
    const again = await send('outage');
    const ended = await run(first.id).then(() => send('outage'));
    const other = await send('outage', { ...hour, status: 'failed' });

    expect(first).toMatchObject({ status: 202, replayed: undefined });
    expect(again).toEqual({ ...first, replayed: 'true' });
    expect(ended).toEqual({ ...first, replayed: 'true' });
    expect(other).toMatchObject({ status: 422, replayed: undefined });
  });

  it('answers a repeated request with its replay, even if the endpoint was removed meanwhile', async () => {
    const send = setUp();
    await anEndpoint('shop');
    const order = { ...hour, endpoint_id: 'shop' };

    const first = await send('to the shop', order);
    await endpoints.remove({ applicationId, id: 'shop', at: now });
    const again = await send('to the shop', order);
    const other = await send('another', order);

    expect(again).toEqual({ ...first, replayed: 'true' });
    expect(other).toMatchObject({ status: 404 });
  });

  it('answers with Idempotent-Replayed to all but one of several concurrent requests with one key', async () => {
    const send = setUp();

    const answers = await Promise.all(Array.from({ length: 4 }, () => send('rush')));

    expect(new Set(answers.map(({ id }) => id)).size).toBe(1);
    expect(answers.filter(({ replayed }) => replayed === undefined)).toHaveLength(1);
    expect(answers.filter(({ replayed }) => replayed === 'true')).toHaveLength(3);
  });

  it('never answers with Idempotent-Replayed to a request without a key', async () => {
    const send = setUp();

    const answers = [await send(), await send()];

    expect(answers.map(({ status, replayed }) => [status, replayed])).toEqual([
      [202, undefined],
      [202, undefined],
    ]);
    expect(answers[0]?.id).not.toBe(answers[1]?.id);
  });
});
