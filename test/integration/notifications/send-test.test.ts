import { afterAll, beforeAll, expect, it } from 'vitest';
import { type SendTestDependencies, sendTest } from '../../../shared/notifications/messages/send-test.ts';
import { dynamoDbTestCounts } from '../../../shared/notifications/store/test-counts.ts';
import { createTables, startDatabase, type TestDatabase } from '../../support/platform/dynamodb.ts';

let database: TestDatabase;
let testCounts: SendTestDependencies['testCounts'];
beforeAll(async () => {
  database = await startDatabase();
  const { Notifications: tableName } = await createTables(database, ['Notifications']);
  testCounts = dynamoDbTestCounts({ client: database.documents, tableName });
});
afterAll(() => database.stop());

it('an application can send ten test notifications a minute, and the error names the time of the next', async () => {
  let now = Date.parse('2026-11-20T12:00:20Z');
  const published: string[] = [];
  const dependencies: SendTestDependencies = {
    endpoints: { ofApplication: async () => [] },
    subscriptions: { ofAll: async () => new Map() },
    topic: {
      publish: async ([notification]) => {
        published.push(notification?.applicationId ?? '');
        return [{ isPublished: true, messageId: `message-${published.length}` }];
      },
    },
    testCounts,
    clock: () => now,
    randomSub: () => 'nobody',
  };
  const send = (applicationId: string) => sendTest(dependencies, { applicationId });

  const outcomes = await Promise.allSettled(Array.from({ length: 60 }, () => send('busy')));

  const refused = outcomes.filter(({ status }) => status === 'rejected');
  expect(refused).toHaveLength(50);
  expect(refused[0]).toMatchObject({
    reason: { code: 'TOO_MANY_TESTS', headers: { 'retry-after': '40' } },
  });
  expect(published).toHaveLength(10);
  await send('other');
  now += 40_000;
  await send('busy');
  expect(published.slice(10)).toEqual(['other', 'busy']);
});

it('a test notification that the topic does not accept is refused with the time after which to try again', async () => {
  const send = sendTest(
    {
      endpoints: { ofApplication: async () => [] },
      subscriptions: { ofAll: async () => new Map() },
      topic: { publish: async () => [{ isPublished: false, reason: 'Throttled', isUnavailable: true }] },
      testCounts,
      clock: () => Date.parse('2026-11-20T12:00:20Z'),
      randomSub: () => 'nobody',
    },
    { applicationId: 'during-an-outage' },
  );

  await expect(send).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE', headers: { 'retry-after': '1' } });
});
