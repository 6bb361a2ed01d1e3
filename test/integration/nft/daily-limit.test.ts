import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { holdingDependencies } from '../../../functions/nft/transacting-dependencies.ts';
import { dynamoDbDailyCounts } from '../../../shared/nft/store/daily-counts.ts';
import { createTables, startDatabase, type TestDatabase } from '../../support/platform/dynamodb.ts';

let database: TestDatabase;
let tableName: string;

beforeAll(async () => {
  database = await startDatabase();
  ({ Requests: tableName } = await createTables(database, ['Requests']));
});
afterAll(() => database.stop());

/** The counter of a new process of a function that mints. */
const ofNewProcess = () => holdingDependencies({ REQUESTS_TABLE: tableName }, database.documents).counts;

describe('a limit of 100,000 mints a day', () => {
  it.each([1, 3, 10, 50])('is reached exactly by processes that live for %i mints each', async (lifetime) => {
    const limit = 100_000;
    // This day is in the future, since DynamoDB deletes the counts of past days sooner or later (time to live).
    const counting = { applicationId: `lives-${lifetime}`, what: 'mints', day: '2999-11-21' } as const;
    // Uses up all but 200 of the day's limit, since the test is about its end.
    await ofNewProcess().count({ ...counting, by: limit - 200, limit });
    let accepted = 0;
    for (let process = 0; process * lifetime < 400; process += 1) {
      const counts = ofNewProcess();
      for (let mint = 0; mint < lifetime; mint += 1) {
        if (await counts.count({ ...counting, by: 1, limit })) accepted += 1;
      }
    }

    const { made } = dynamoDbDailyCounts({ client: database.documents, tableName });
    expect(accepted).toBe(200);
    expect(await made(counting)).toBe(limit);
  });
});
