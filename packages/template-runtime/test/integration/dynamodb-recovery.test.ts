import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import {
  CreateTableCommand,
  DescribeContinuousBackupsCommand,
  DescribeTableCommand,
  DescribeTimeToLiveCommand,
  DynamoDBClient,
  RestoreTableToPointInTimeCommand,
  type RestoreTableToPointInTimeCommandInput,
  UpdateContinuousBackupsCommand,
  UpdateTimeToLiveCommand,
  waitUntilTableExists,
} from '@aws-sdk/client-dynamodb';
import {
  DeleteCommand,
  DynamoDBDocumentClient,
  PutCommand,
  QueryCommand,
  ScanCommand,
  UpdateCommand,
} from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createDynamoDbEngine } from '../../engines/dynamodb/engine.ts';
import { startAwsEndpoint, type TestEndpoint } from '../../testing/aws-endpoint.ts';
import { olderRecovery } from '../../testing/older-recovery.ts';
import { waitFor } from '../../testing/wait.ts';

const minute = 60_000;

let endpoint: TestEndpoint;
let client: DynamoDBClient;
let documents: DynamoDBDocumentClient;

beforeAll(async () => {
  endpoint = await startAwsEndpoint({ withDynamoDb: true });
  client = new DynamoDBClient(endpoint.client);
  documents = DynamoDBDocumentClient.from(client);
});
afterAll(async () => {
  client.destroy();
  await endpoint.stop();
});

const createTable = async (TableName: string) => {
  await client.send(
    new CreateTableCommand({
      TableName,
      BillingMode: 'PAY_PER_REQUEST',
      KeySchema: [{ AttributeName: 'pk', KeyType: 'HASH' }],
      AttributeDefinitions: [
        { AttributeName: 'pk', AttributeType: 'S' },
        { AttributeName: 'colour', AttributeType: 'S' },
      ],
      GlobalSecondaryIndexes: [
        {
          IndexName: 'by-colour',
          KeySchema: [{ AttributeName: 'colour', KeyType: 'HASH' }],
          Projection: { ProjectionType: 'ALL' },
        },
      ],
      StreamSpecification: { StreamEnabled: true, StreamViewType: 'NEW_IMAGE' },
    }),
  );
};
const recovers = (TableName: string, PointInTimeRecoveryEnabled = true) =>
  client.send(
    new UpdateContinuousBackupsCommand({
      TableName,
      PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled },
    }),
  );
const windowOf = async (TableName: string) => {
  const { ContinuousBackupsDescription } = await client.send(
    new DescribeContinuousBackupsCommand({ TableName }),
  );
  return ContinuousBackupsDescription?.PointInTimeRecoveryDescription;
};
const put = (TableName: string, Item: Record<string, unknown>) =>
  documents.send(new PutCommand({ TableName, Item }));
const restore = async (input: RestoreTableToPointInTimeCommandInput) => {
  const begun = await client.send(
    new RestoreTableToPointInTimeCommand({ SourceTableName: 'colours', ...input }),
  );
  await waitUntilTableExists(
    { client, minDelay: 1, maxWaitTime: 60 },
    { TableName: input.TargetTableName ?? '' },
  );
  return begun.TableDescription;
};
const itemsOf = async (TableName: string) => {
  const { Items = [] } = await documents.send(new ScanCommand({ TableName }));
  return Items.sort((one, other) => String(one.pk).localeCompare(String(other.pk)));
};

describe('a table with point-in-time recovery', () => {
  beforeAll(async () => {
    await createTable('colours');
    await client.send(
      new UpdateTimeToLiveCommand({
        TableName: 'colours',
        TimeToLiveSpecification: { Enabled: true, AttributeName: 'expires_at' },
      }),
    );
    await put('colours', { pk: 'a', colour: 'red', n: 0 });
    await recovers('colours');
    await put('colours', { pk: 'a', colour: 'red', n: 1 });
    for (let n = 0; n < 30; n++) await put('colours', { pk: `many-${n}`, colour: 'grey' });
    olderRecovery(endpoint.stateDirectory, 10 * minute);
    await put('colours', { pk: 'a', colour: 'blue', n: 2 });
    await put('colours', { pk: 'b', colour: 'blue' });
    for (let n = 0; n < 30; n++)
      await documents.send(new DeleteCommand({ TableName: 'colours', Key: { pk: `many-${n}` } }));
    olderRecovery(endpoint.stateDirectory, 10 * minute);
    await documents.send(
      new UpdateCommand({
        TableName: 'colours',
        Key: { pk: 'a' },
        UpdateExpression: 'SET n = :n',
        ExpressionAttributeValues: { ':n': 3 },
      }),
    );
    await documents.send(new DeleteCommand({ TableName: 'colours', Key: { pk: 'b' } }));
    await put('colours', { pk: 'c', colour: 'green' });
  });

  it('is restored to its state of five minutes ago, with its indexes but without streams and settings', async () => {
    const begun = await restore({ TargetTableName: 'latest', UseLatestRestorableTime: true });

    expect(begun).toMatchObject({ TableStatus: 'CREATING', RestoreSummary: { RestoreInProgress: true } });
    expect(await itemsOf('latest')).toEqual([
      { pk: 'a', colour: 'blue', n: 2 },
      { pk: 'b', colour: 'blue' },
    ]);
    const { Items } = await documents.send(
      new QueryCommand({
        TableName: 'latest',
        IndexName: 'by-colour',
        KeyConditionExpression: 'colour = :colour',
        ExpressionAttributeValues: { ':colour': 'blue' },
      }),
    );
    expect(Items).toHaveLength(2);
    const { Table } = await client.send(new DescribeTableCommand({ TableName: 'latest' }));
    expect(Table?.StreamSpecification?.StreamEnabled ?? false).toBe(false);
    const { TimeToLiveDescription } = await client.send(
      new DescribeTimeToLiveCommand({ TableName: 'latest' }),
    );
    expect(TimeToLiveDescription?.TimeToLiveStatus).toBe('DISABLED');
    expect((await windowOf('latest'))?.PointInTimeRecoveryStatus).toBe('DISABLED');
  });

  it('can be restored as a new table to any earlier moment in the window, and stays unchanged itself', async () => {
    await restore({ TargetTableName: 'earlier', RestoreDateTime: new Date(Date.now() - 15 * minute) });

    const items = await itemsOf('earlier');
    expect(items[0]).toEqual({ pk: 'a', colour: 'red', n: 1 });
    expect(items).toHaveLength(31);
    expect(await itemsOf('colours')).toEqual([
      { pk: 'a', colour: 'blue', n: 3 },
      { pk: 'c', colour: 'green' },
    ]);
  });

  it('is not restored to a moment outside its reported recovery window', async () => {
    const { EarliestRestorableDateTime: earliest, LatestRestorableDateTime: latest } =
      (await windowOf('colours')) ?? {};

    for (const RestoreDateTime of [
      new Date(Number(earliest) - 1_000),
      new Date(Number(latest) + minute),
      new Date(),
    ]) {
      await expect(restore({ TargetTableName: 'outside', RestoreDateTime })).rejects.toThrow(
        expect.objectContaining({ name: 'InvalidRestoreTimeException' }),
      );
    }
    await expect(client.send(new DescribeTableCommand({ TableName: 'outside' }))).rejects.toThrow(
      expect.objectContaining({ name: 'ResourceNotFoundException' }),
    );
  });

  it('is not restored to the name of an existing table', async () => {
    await expect(restore({ TargetTableName: 'colours', UseLatestRestorableTime: true })).rejects.toThrow(
      expect.objectContaining({ name: 'TableAlreadyExistsException' }),
    );
  });

  it.each([{}, { UseLatestRestorableTime: true, RestoreDateTime: new Date() }])(
    'is not restored with the options %j, because exactly one moment is required',
    async (moment) => {
      await expect(restore({ TargetTableName: 'unclear', ...moment })).rejects.toThrow(
        expect.objectContaining({ name: 'ValidationException' }),
      );
    },
  );

  it('is restored only by callers that can also write to the new table', async () => {
    const allowed = (...Action: string[]) =>
      new DynamoDBClient(
        endpoint.clientOf({
          Version: '2012-10-17',
          Statement: { Effect: 'Allow', Action, Resource: '*' },
        }),
      );
    const command = () =>
      new RestoreTableToPointInTimeCommand({
        SourceTableName: 'colours',
        TargetTableName: 'theirs',
        UseLatestRestorableTime: true,
      });

    for (const actions of [['dynamodb:RestoreTableToPointInTime'], ['dynamodb:*Item']]) {
      await expect(allowed(...actions).send(command())).rejects.toThrow(
        expect.objectContaining({ name: 'AccessDeniedException' }),
      );
    }
  });
});

describe('a restore that was interrupted by a kill', () => {
  it('is completed after the next start', async () => {
    const stateDirectory = mkdtempSync(join(tmpdir(), 'cut-off-'));
    const definition = {
      TableName: 'source',
      KeySchema: [{ AttributeName: 'pk', KeyType: 'HASH' }],
      AttributeDefinitions: [{ AttributeName: 'pk', AttributeType: 'S' }],
      BillingMode: 'PAY_PER_REQUEST',
    };
    const options = { stateDirectory, region: 'us-east-1', onUnexpectedExit: console.error };
    const before = await createDynamoDbEngine(options);
    await before.createTable(definition, { hasRecovery: true });
    const settings = { ...endpoint.client, endpoint: before.endpoint };
    await DynamoDBDocumentClient.from(new DynamoDBClient(settings)).send(
      new PutCommand({ TableName: 'source', Item: { pk: 'a' } }),
    );
    await before.stop();
    const database = new DatabaseSync(join(stateDirectory, 'dynamodb', 'tables.db'));
    database.prepare('INSERT INTO runtime_restores VALUES (?, ?, ?)').run('target', 'source', Date.now());
    database.close();

    const after = await createDynamoDbEngine(options);
    try {
      expect(after.recovery?.restoring.has('target')).toBe(true);
      await waitFor(() => expect(after.recovery?.restoring.size).toBe(0));

      const { Items } = await DynamoDBDocumentClient.from(
        new DynamoDBClient({ ...settings, endpoint: after.endpoint }),
      ).send(new ScanCommand({ TableName: 'target' }));
      expect(Items).toEqual([{ pk: 'a' }]);
    } finally {
      await after.stop();
      rmSync(stateDirectory, { recursive: true, force: true });
    }
  });
});

describe('a table without point-in-time recovery', () => {
  it('is not restored, neither before recovery was enabled nor after it was disabled', async () => {
    await createTable('plain');
    const attempt = () =>
      restore({ SourceTableName: 'plain', TargetTableName: 'none', UseLatestRestorableTime: true });
    const refusal = expect.objectContaining({ name: 'PointInTimeRecoveryUnavailableException' });

    await expect(attempt()).rejects.toThrow(refusal);
    await recovers('plain');
    await recovers('plain', false);
    await expect(attempt()).rejects.toThrow(refusal);
  });

  it('causes TableNotFoundException if the table does not exist', async () => {
    await expect(windowOf('nowhere')).rejects.toThrow(
      expect.objectContaining({ name: 'TableNotFoundException' }),
    );
  });
});
