import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as z from 'zod';
import { paidCallDependencies, paidCallEnvironment } from '../../../functions/nft/dependencies.ts';
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
const ofNewProcess = () =>
  paidCallDependencies(
    z.object(paidCallEnvironment).parse({
      APPLICATIONS_TABLE: 'applications',
      CONTRACTS_TABLE: 'contracts',
      NFTS_TABLE: 'nfts',
      TRANSACTIONS_TABLE: 'transactions',
      SIGNERS_TABLE: 'signers',
      REQUESTS_TABLE: tableName,
      CHAIN_ID: '31337',
      CHAIN_SECRET_ARN: 'arn:aws:secretsmanager:us-east-1:000000000000:secret:chain',
      CHAIN_FINALITY: '{"kind":"tag"}',
      BLOCK_MILLISECONDS: '1000',
      SIGNER_KEY_IDS: 'key',
      IN_FLIGHT_CAP: '256',
      FEE_CEILING_WEI: '1',
      ENDPOINT_FEE_CAP_WEI: '0',
      MINIMUM_TIP_WEI: '1',
      POWERTOOLS_METRICS_NAMESPACE: 'test',
    }),
    database.documents,
  ).counts;

describe('a limit of 100,000 mints a day', () => {
  it.each([1, 3, 10, 50])('is met exactly by processes that live for %i mints each', async (lifetime) => {
    const limit = 100_000;
    // This day is in the future, since DynamoDB deletes the counts of past days sooner or later (time to live).
    const counting = { application: `lives-${lifetime}`, what: 'mints', day: '2999-11-21' } as const;
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
