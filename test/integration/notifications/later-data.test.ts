import type { SQSRecord } from 'aws-lambda';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { runReplaysHandler } from '../../../functions/notifications/run-replays/handler.ts';
import { recordedIn } from '../../../shared/notifications/aws/record-queue.ts';
import { replayAnswer } from '../../../shared/notifications/http/replay-answers.ts';
import type { Notification } from '../../../shared/notifications/messages/message.ts';
import { recordNotifications } from '../../../shared/notifications/record/record-notifications.ts';
import {
  type ReplayOutcome,
  type RunReplayDependencies,
  runReplay,
} from '../../../shared/notifications/replay/run-replay.ts';
import { startReplay } from '../../../shared/notifications/replay/start-replay.ts';
import { dynamoDbNotificationRecords } from '../../../shared/notifications/store/notification-records.ts';
import { dynamoDbRedeliveries } from '../../../shared/notifications/store/redeliveries.ts';
import { dynamoDbReplays } from '../../../shared/notifications/store/replays.ts';
import { dynamoDbUndelivered } from '../../../shared/notifications/store/undelivered.ts';
import { logger } from '../../../shared/platform/logger.ts';
import { aLadder, withoutEndpoints } from '../../support/notifications/recording.ts';
import { createTables, startDatabase, type TestDatabase } from '../../support/platform/dynamodb.ts';
import { remedy } from '../../support/platform/remedy.ts';

type Item = Record<string, unknown>;

const start = Date.parse('2026-11-20T23:59:50Z');
const now = start + 600_000;
const applicationId = 'club';
const destination = 'https://club.example.com/';

describe('notifications that a later release has recorded', () => {
  let database: TestDatabase;
  let tableName: string;
  let count = 0;
  beforeAll(async () => {
    database = await startDatabase();
  });
  afterAll(() => database.stop());
  beforeEach(async () => {
    count += 1;
    ({ Notifications: tableName } = await createTables(database, ['Notifications'], `later-${count}`));
  });
  afterEach(() => {
    vi.restoreAllMocks();
  });

  const stores = () => ({
    records: dynamoDbNotificationRecords({ client: database.documents, tableName }),
    replays: dynamoDbReplays({ client: database.documents, tableName }),
    told: vi.spyOn(logger, 'warn').mockReturnValue(),
  });
  const items = async () => ((await database.documents.scan({ TableName: tableName })).Items ?? []) as Item[];
  const change = async (changed: (item: Item) => boolean, attributes: Item) => {
    for (const item of (await items()).filter(changed)) {
      await database.documents.put({ TableName: tableName, Item: { ...item, ...attributes } });
    }
  };
  const messageOf = (second: number, sub: string) => ({
    operationType: 'data_update' as const,
    applicationUserSub: sub,
    dateTime: `${new Date(start + second * 1_000).toISOString().slice(0, -1)}000`,
  });
  const idOf = (second: number) => `${count}-${String(second).padStart(2, '0')}`;
  /** Twenty messages over midnight, each failed. */
  const record = async ({ records }: Pick<ReturnType<typeof stores>, 'records'>) => {
    const seconds = Array.from({ length: 20 }, (_, second) => second);
    const sent = seconds.map((second) => ({
      applicationId,
      id: idOf(second),
      publishedAt: start + second * 1_000,
      message: messageOf(second, second % 2 === 0 ? 'ana' : `user-${second}`),
    }));
    await records.recordSent(sent);
    await records.recordDeliveries(
      sent.map(({ id, publishedAt }) => ({
        messageId: id,
        destination,
        isDelivered: false,
        attempts: 1,
        at: publishedAt,
        reason: '',
      })),
    );
  };

  it.each([
    [
      'another operation type',
      { message: JSON.stringify({ operation_type: 'stream_update', event_id: 'final' }) },
    ],
    [
      'an unknown field of the message',
      { message: JSON.stringify({ operation_type: 'data_update', score: 1 }) },
    ],
    ['another form of message', { message: 'text' }],
    ['another form of time', { published_at: 'today' }],
  ])('with %s appear on no page, do not disturb the cursors, and are kept', async (_, attributes) => {
    const { records, replays, told } = stores();
    await record({ records });
    const later = new Set([0, 7, 8, 9, 10, 11, 19].map(idOf));
    await change(({ message_id }) => later.has(String(message_id)), {
      ...attributes,
      later_attribute: 'kept',
    });
    const before = await items();
    const expected = Array.from({ length: 20 }, (_, second) => idOf(19 - second)).filter(
      (id) => !later.has(id),
    );

    for (const limit of [1, 4, 13, 20]) {
      const found: string[] = [];
      for (let after: string | undefined, more = true; more; ) {
        const page = await records.list({
          applicationId,
          from: start,
          to: now,
          limit,
          ...(after !== undefined && { after }),
        });
        expect(page.items.length).toBe(Math.min(limit, expected.length - found.length));
        found.push(...page.items.map(({ id }) => id));
        after = page.next;
        more = after !== undefined;
      }
      expect(found).toEqual(expected);
    }
    expect(await records.find(idOf(7))).toBeUndefined();
    expect(await records.find(idOf(6))).toMatchObject({ id: idOf(6) });
    const ofAna = await records.ofSubject({ applicationId, message: messageOf(0, 'ana') });
    expect(ofAna.map(({ id }) => id)).toEqual([18, 16, 14, 12, 6, 4, 2].map(idOf));

    const published = await replayed({ records, replays });
    expect(new Set(published.map(({ replayOf = '' }) => replayOf))).toEqual(
      new Set([18, 17, 15, 13, 5, 3, 1].map(idOf)),
    );
    expect(told.mock.calls.map(([, fields]) => fields)).toEqual(
      [...later]
        .toReversed()
        .map((id) => expect.objectContaining({ code: 'LATER_DATA', kind: 'notification', id })),
    );
    expect(await items()).toEqual(expect.arrayContaining(before));
  });

  it('remain in their queue until a release that knows them records them, and are logged once', async () => {
    const { records, told } = stores();
    const queued = (id: string, message: unknown) =>
      JSON.stringify({
        Type: 'Notification',
        MessageId: id,
        Timestamp: new Date(start).toISOString(),
        Message: JSON.stringify(message),
        MessageAttributes: { application_id: { Value: applicationId } },
      });
    const known = {
      operation_type: 'data_update',
      application_user_sub: 'ana',
      date_time: messageOf(0, '').dateTime,
    };
    const bodies = [
      queued('known', known),
      queued('type', { operation_type: 'stream_update', event_id: 'final' }),
      queued('field', { ...known, score: 1 }),
      queued('foreign', 'text'),
      'not even JSON',
    ];
    const record = () =>
      recordNotifications(
        {
          records,
          ...withoutEndpoints,
          logger: { warn: () => {} },
        },
        { messages: bodies.map(recordedIn) },
      );

    const later = new Error('Only a later release can record this message');
    expect(await record()).toEqual([undefined, later, later, undefined, undefined]);
    expect(await record()).toEqual([undefined, later, later, undefined, undefined]);

    const { items: listed } = await records.list({ applicationId, from: start, to: now, limit: 20 });
    expect(listed.map(({ id }) => id)).toEqual(['known']);
    expect(told.mock.calls.map(([, fields]) => fields)).toEqual([
      { code: 'LATER_DATA', kind: 'notification', id: 'type', unknown: ['a message with stream_update'] },
      { code: 'LATER_DATA', kind: 'notification', id: 'field', unknown: ['a message with data_update'] },
    ]);
  });

  it('with an unknown outcome of a delivery are listed without that delivery', async () => {
    const { records, told } = stores();
    await record({ records });
    const isLater = ({ pk, sk }: Item) => pk === `MESSAGE#${idOf(7)}` && String(sk).startsWith('DELIVERY#');
    await change(isLater, { is_delivered: 'expired' });

    const { items: listed } = await records.list({ applicationId, from: start, to: now, limit: 20 });

    expect(listed.map(({ deliveries }) => deliveries.length)).toEqual(
      listed.map(({ id }) => +(id !== idOf(7))),
    );
    expect(told).toHaveBeenCalledOnce();
    const counted = { destination, publishedFrom: 0, since: start, atMost: 100 };
    const { since } = await records.countFailures(counted);
    expect(since).toBe(19);
    expect((await items()).find(isLater)).toMatchObject({ is_delivered: 'expired' });
  });

  const started = async (
    { replays }: Pick<ReturnType<typeof stores>, 'replays'>,
    { id, key }: { readonly id: string; readonly key?: string },
  ) =>
    startReplay(
      {
        replays,
        endpoints: { ofApplication: async () => [] },
        enqueue: async () => {},
        clock: () => now,
        randomId: () => id,
      },
      { order: { applicationId, from: start, to: now }, key },
    );
  const runDependencies = (
    { records, replays }: Pick<ReturnType<typeof stores>, 'records' | 'replays'>,
    published: Notification[],
  ): RunReplayDependencies => ({
    records,
    replays,
    endpoints: { ofApplication: async () => [] },
    undelivered: { noteCopy: async () => {} },
    topic: {
      publish: async (notifications) => {
        published.push(...notifications);
        return notifications.map(() => ({ isPublished: true, messageId: 'again' }));
      },
    },
    clock: () => now,
    wait: async () => {},
  });
  const run = async (
    using: Pick<ReturnType<typeof stores>, 'records' | 'replays'>,
    id: string,
  ): Promise<{ readonly outcome: ReplayOutcome; readonly published: readonly Notification[] }> => {
    const published: Notification[] = [];
    const outcome = await runReplay(runDependencies(using, published), {
      applicationId,
      id,
      holder: id,
      until: now + 1_000,
    });
    return { outcome, published };
  };
  const replayed = async (using: Pick<ReturnType<typeof stores>, 'records' | 'replays'>) => {
    const { id } = await started(using, { id: `after-${count}` });
    const { outcome, published } = await run(using, id);
    expect(outcome).toBe('ended');
    return published;
  };

  it.each([
    ['another status', { status: 'expired' }],
    ['an unknown field', { operation_type: 'token_update' }],
  ])('are not sent by a replay with %s, which waits for the release that knows it', async (_, attributes) => {
    const using = stores();
    await record(using);
    const { id } = await started(using, { id: 'unused', key: `key-${count}` });
    const isReplay = ({ replay_id }: Item) => replay_id === id;
    await change(isReplay, attributes);
    const before = (await items()).find(isReplay);

    for (let round = 0; round < 2; round += 1) {
      expect(await run(using, id)).toEqual({ outcome: 'later', published: [] });
    }
    remedy('data-of-a-later-release');
    const putOff = vi.fn(async (_: { readonly receiptHandle: string; readonly seconds: number }) => {});
    const received = {
      messageId: 'm',
      receiptHandle: 'r',
      body: '',
      attributes: { SentTimestamp: '0' },
    } as SQSRecord;
    const replaying = runDependencies(using, []);
    const { batchItemFailures } = await runReplaysHandler({
      ...replaying,
      endpoints: { ...replaying.endpoints, find: async () => undefined },
      records: using.records,
      replays: using.replays,
      putOff,
      redeliveries: dynamoDbRedeliveries({ client: database.documents, tableName: 'absent' }),
      undelivered: dynamoDbUndelivered({ client: database.documents, tableName: 'absent' }),
      logger: { warn: () => {} },
      ladder: aLadder(),
      replayWorkIn: () => ({ kind: 'replay', applicationId, id }),
    })({ Records: [received] }, { getRemainingTimeInMillis: () => 60_000 });
    expect(batchItemFailures).toEqual([{ itemIdentifier: 'm' }]);
    // After a thousand receives, a queue gives a message up.
    const [[put] = []] = putOff.mock.calls;
    expect((put?.seconds ?? 0) * 1_000).toBeGreaterThan(14 * 24 * 3_600);
    expect(using.told.mock.calls.map(([, fields]) => fields)).toEqual([
      { code: 'LATER_DATA', kind: 'replay', id, unknown: Object.keys(attributes) },
    ]);
    expect((await items()).find(isReplay)).toEqual(before);
    const found = await using.replays.find({ applicationId, id });
    expect(found && replayAnswer(found)).toMatchObject({ id, state: 'running', status: null });
    await expect(started(using, { id: 'unused', key: `key-${count}` })).rejects.toMatchObject({
      code: 'IDEMPOTENCY_KEY_REUSED',
    });

    expect((await replayed(using)).length).toBeGreaterThan(0);
    const [known = {}] = (await items()).filter(isReplay);
    const { status: _status, operation_type: _type, ...rest } = known;
    await database.documents.put({ TableName: tableName, Item: rest });
    expect((await run(using, id)).outcome).toBe('ended');
  });
});
