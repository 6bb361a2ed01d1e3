import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { Message } from '../../../shared/notifications/messages/message.ts';
import { dynamoDbUndelivered } from '../../../shared/notifications/store/undelivered.ts';
import { logger } from '../../../shared/platform/logger.ts';
import { createTables, startDatabase, type TestDatabase } from '../../support/platform/dynamodb.ts';

const start = Date.parse('2026-11-20T12:00:00Z');
const minute = 60_000;

let database: TestDatabase;
let tableName: string;
let undelivered: ReturnType<typeof dynamoDbUndelivered>;
beforeAll(async () => {
  database = await startDatabase();
  tableName = (await createTables(database, ['Notifications'])).Notifications;
  undelivered = dynamoDbUndelivered({ client: database.documents, tableName });
});
afterAll(() => database.stop());

let endpoints = 0;
const anEndpoint = () => ({ applicationId: 'club', id: `endpoint-${++endpoints}` });
const about = (sub: string, order = 1): Message => ({
  operationType: 'data_update',
  applicationUserSub: sub,
  dateTime: `2026-11-20T12:00:00.${String(order).padStart(6, '0')}`,
});
const failed = (messageId: string, publishedAt: number) => ({ messageId, publishedAt, isExact: true });

describe('the rows of an endpoint', () => {
  it('are counted exactly up to a limit, those of messages and of subjects', async () => {
    const key = anEndpoint();
    await undelivered.suspect(key, [failed('m1', start), failed('m1', start), failed('m2', start)]);
    for (const sub of ['a', 'b', 'c']) {
      await undelivered.fold(key, { message: about(sub), publishedAt: start, nextAt: start });
    }

    expect(await undelivered.count(key, 10_000)).toBe(5);
    expect(await undelivered.count(key, 4)).toBe(4);
    expect(await undelivered.count(anEndpoint(), 10_000)).toBe(0);
  });

  it('of messages come page by page in the order of their publication, until they are dismissed', async () => {
    const key = anEndpoint();
    const all = ['m3', 'm1', 'm2'].map((id, index) => failed(id, start + index));
    await undelivered.suspect(key, all);

    const first = await undelivered.suspected(key, { limit: 2 });
    const second = await undelivered.suspected(key, { limit: 2, after: first.at(-1) });
    expect([...first, ...second]).toEqual(all);
    await undelivered.dismiss(key, first);
    expect(await undelivered.suspected(key, { limit: 2 })).toEqual(second);
  });

  it('keep their place and their step when a newer message about the subject has failed', async () => {
    const key = anEndpoint();
    const soonest = () => undelivered.soonest(key, { isGivenUp: false, limit: 10 });
    await undelivered.fold(key, { message: about('a', 2), publishedAt: start, nextAt: start });
    const [read] = await soonest();
    const taken = read && (await undelivered.take(key, read, { until: start + minute }));
    if (taken === undefined) throw new Error('The row was not taken');
    const copy = { id: 'copy', publishedAt: start + 1 };
    await undelivered.change(key, taken, { nextAt: start + 9, attempt: 3, isGivenUp: false, copy });

    await undelivered.fold(key, { message: about('a', 3), publishedAt: start + 2, nextAt: start + minute });
    await undelivered.fold(key, { message: about('a', 1), publishedAt: start + 3, nextAt: start + minute });

    expect(await soonest()).toEqual([
      {
        message: about('a', 3),
        publishedAt: start + 2,
        nextAt: start + 9,
        attempt: 3,
        isGivenUp: false,
        copy,
      },
    ]);
  });

  it('that are given up are apart from the others, until somebody else sends a copy', async () => {
    const key = anEndpoint();
    for (const [index, sub] of ['late', 'soon', 'given-up'].entries()) {
      await undelivered.fold(key, { message: about(sub), publishedAt: start, nextAt: start + 10 - index });
    }
    const names = async (isGivenUp: boolean, until?: number) =>
      (await undelivered.soonest(key, { isGivenUp, limit: 10, ...(until !== undefined && { until }) })).map(
        ({ message }) => 'applicationUserSub' in message && message.applicationUserSub,
      );
    const [first] = await undelivered.soonest(key, { isGivenUp: false, limit: 1 });
    const taken = first && (await undelivered.take(key, first, { until: start + minute }));
    if (taken === undefined) throw new Error('The row was not taken');
    await undelivered.change(key, taken, { nextAt: start, attempt: 9, isGivenUp: true, copy: undefined });

    expect(await names(false)).toEqual(['soon', 'late']);
    expect(await names(false, start + 9)).toEqual(['soon']);
    expect(await names(true)).toEqual(['given-up']);
    const copy = { id: 'copy', publishedAt: start };
    const sent = { copy, nextAt: start };
    await undelivered.noteCopy(key, { ...sent, message: about('given-up'), isMade: false });
    await undelivered.noteCopy(key, { ...sent, message: about('unknown'), isMade: false });
    expect(await names(true)).toEqual([]);
    expect(await names(false)).toEqual(['given-up', 'soon', 'late']);
    await undelivered.noteCopy(key, { ...sent, message: about('failed just now'), isMade: true });
    expect(new Set(await names(false))).toEqual(new Set(['given-up', 'failed just now', 'soon', 'late']));
  });

  it('are left alone if only a later release knows their message', async () => {
    const key = anEndpoint();
    await undelivered.fold(key, { message: about('a'), publishedAt: start, nextAt: start });
    const { Items: [item] = [] } = await database.documents.query({
      TableName: tableName,
      KeyConditionExpression: 'pk = :pk',
      ExpressionAttributeValues: { ':pk': `UNDELIVERED#club/${key.id}` },
    });
    const later = { ...item, message: '{"operation_type":"stream_update"}' };
    await database.documents.put({ TableName: tableName, Item: later });
    const told = vi.spyOn(logger, 'warn').mockReturnValue();

    expect(await undelivered.soonest(key, { isGivenUp: false, limit: 10 })).toEqual([]);

    expect(told.mock.calls).toMatchObject([
      [expect.any(String), { code: 'LATER_DATA', kind: 'undelivered notification' }],
    ]);
    told.mockRestore();
    expect(await undelivered.count(key, 10)).toBe(1);
  });
});
