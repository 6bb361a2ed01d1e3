import { CreateTableCommand, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocument } from '@aws-sdk/lib-dynamodb';
import { startAwsEndpoint, type TestEndpoint } from 'template-runtime/testing/aws-endpoint.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { resourcesOf, templateOf } from '../../support/platform/stack.ts';

interface Statement {
  readonly Action: string | readonly string[];
  readonly Resource: unknown;
}

const template = templateOf('prod');

/** The statements in a function's role about one table, with the name of that table replaced by `tableName`. */
const statementsOf = (functionFolder: string, table: string, tableName: string): readonly object[] => {
  const [, role] =
    resourcesOf(template, 'AWS::IAM::Role').find(
      ([, { Properties }]) =>
        String(Properties.Description).endsWith(functionFolder) ||
        String(Properties.Description) === `What functions/${functionFolder} may do`,
    ) ?? [];
  const [tableId] = resourcesOf(template, 'AWS::DynamoDB::Table').find(([id]) => id.includes(table)) ?? [];
  if (role === undefined || tableId === undefined) throw new Error(`No ${functionFolder} or no ${table}`);
  const policies = role.Properties.Policies as { PolicyDocument: { Statement: Statement[] } }[];
  return policies
    .flatMap(({ PolicyDocument }) => PolicyDocument.Statement)
    .filter(({ Resource }) => JSON.stringify(Resource).includes(`"${tableId}"`))
    .map((statement) => ({
      ...statement,
      Resource: `arn:aws:dynamodb:us-east-1:000000000000:table/${tableName}`,
    }));
};

let endpoint: TestEndpoint;

/** Creates a table with this key. The client `role` may make only the calls that the function's role allows. */
const tableFor = async (functionFolder: string, table: string, key: string) => {
  const TableName = `${table}-${functionFolder.replace('/', '-')}`;
  const all = new DynamoDBClient(endpoint.client);
  await all.send(
    new CreateTableCommand({
      TableName,
      KeySchema: [{ AttributeName: key, KeyType: 'HASH' }],
      AttributeDefinitions: [{ AttributeName: key, AttributeType: 'S' }],
      BillingMode: 'PAY_PER_REQUEST',
    }),
  );
  const Statement = statementsOf(functionFolder, table, TableName);
  return {
    TableName,
    operator: DynamoDBDocument.from(all),
    role: DynamoDBDocument.from(new DynamoDBClient(endpoint.clientOf({ Version: '2012-10-17', Statement }))),
  };
};

const denied = { name: 'AccessDeniedException' };

beforeAll(async () => {
  endpoint = await startAwsEndpoint({ withDynamoDb: true });
});
afterAll(() => endpoint.stop());

describe('the IAM role of create-contract', () => {
  it('can store an application’s signer and nothing else in it', async () => {
    const { TableName, operator, role } = await tableFor('nft/create-contract', 'Applications', 'pk');
    await operator.put({ TableName, Item: { pk: 'one', version: 1, tier: 'trial' } });
    const Key = { pk: 'one' };
    const signs = {
      TableName,
      Key,
      UpdateExpression: 'SET signer = :to ADD version :one',
      ConditionExpression: 'attribute_exists(pk) AND attribute_not_exists(signer)',
      ExpressionAttributeValues: { ':to': '31337#0x1', ':one': 1 },
    };

    await role.update(signs);
    for (const UpdateExpression of [
      'SET tier = :to',
      'SET signer = :to REMOVE #limits',
      'SET #limits.#mints = :to',
    ]) {
      const names = { '#limits': 'limits', '#mints': 'mints_per_day' };
      const ExpressionAttributeNames = Object.fromEntries(
        Object.entries(names).filter(([name]) => UpdateExpression.includes(name)),
      );
      await expect(
        role.update({
          TableName,
          Key,
          UpdateExpression,
          ExpressionAttributeValues: { ':to': 'mine' },
          ...(Object.keys(ExpressionAttributeNames).length > 0 && { ExpressionAttributeNames }),
        }),
      ).rejects.toMatchObject(denied);
    }
    await expect(
      role.update({ ...signs, ConditionExpression: 'signer = :to', ReturnValues: 'ALL_NEW' }),
    ).rejects.toMatchObject(denied);

    const { Item } = await operator.get({ TableName, Key });
    expect(Item).toEqual({ pk: 'one', version: 2, tier: 'trial', signer: '31337#0x1' });
  });
});

describe('the IAM role of exchange-user-subs', () => {
  it('can read who is registered, but not a user’s data', async () => {
    const { TableName, operator, role } = await tableFor('users/exchange-user-subs', 'Users', 'user_sub');
    await operator.put({
      TableName,
      Item: { user_sub: 'anna', registration_id: 'r', user_data: { email: 'a@example.com' } },
    });
    const reading = (projection?: string) =>
      role.batchGet({
        RequestItems: {
          [TableName]: {
            Keys: [{ user_sub: 'anna' }],
            ...(projection !== undefined && { ProjectionExpression: projection }),
          },
        },
      });

    const { Responses } = await reading('user_sub, registration_id, is_removed');

    expect(Responses?.[TableName]).toEqual([{ user_sub: 'anna', registration_id: 'r' }]);
    await expect(reading('user_sub, user_data')).rejects.toMatchObject(denied);
    await expect(reading('user_data.email')).rejects.toMatchObject(denied);
    await expect(reading()).rejects.toMatchObject(denied);
  });
});

describe('the IAM role of link-wallet', () => {
  it('learns nothing about a user, not even from a failed condition', async () => {
    const { TableName, operator, role } = await tableFor('wallets/link-wallet', 'UsersTable', 'user_sub');
    await operator.put({
      TableName,
      Item: { user_sub: 'anna', registration_id: 'r', user_data: '{"email":"anna@example.com"}' },
    });

    const failure = await role
      .transactWrite({
        TransactItems: [
          {
            ConditionCheck: {
              TableName,
              Key: { user_sub: 'anna' },
              ConditionExpression: 'attribute_not_exists(user_sub)',
              ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
            },
          },
        ],
      })
      .catch((error: unknown) => error);

    expect(JSON.stringify(failure)).not.toContain('anna@example.com');
    expect(failure).toMatchObject(denied);
  });
});

describe('the IAM roles that write the events table', () => {
  const attempts = (functionFolder: string) => async () => {
    const { TableName, operator, role } = await tableFor(functionFolder, 'OttEvents', 'pk');
    await operator.put({ TableName, Item: { pk: 'VOID#0x1', tokens: { 7: 1 } } });
    await operator.put({ TableName, Item: { pk: 'EVENT#final', version: 1 } });
    const Key = { pk: 'VOID#0x1' };
    const setting = { UpdateExpression: 'SET tokens = :none', ExpressionAttributeValues: { ':none': {} } };
    const calls = {
      'deletes a void mark': () => role.delete({ TableName, Key }),
      'replaces a void mark': () => role.put({ TableName, Item: Key }),
      'changes a void mark': () => role.update({ TableName, Key, ...setting }),
      'deletes a void mark in a transaction': () =>
        role.transactWrite({ TransactItems: [{ Delete: { TableName, Key } }] }),
      'deletes a change of the history': () =>
        role.delete({ TableName, Key: { pk: 'HISTORY#final#opened#1' } }),
      'deletes the paths of a host': () => role.delete({ TableName, Key: { pk: 'PATHS#cdn.example' } }),
      'replaces an event without its version': () => role.put({ TableName, Item: { pk: 'EVENT#final' } }),
      'writes a kind of item that nobody reads': () => role.put({ TableName, Item: { pk: 'OTHER#1' } }),
    };
    for (const [what, call] of Object.entries(calls))
      await expect(call(), `${functionFolder} ${what}`).rejects.toMatchObject(denied);
    const { Items } = await operator.scan({ TableName });
    expect(Items).toHaveLength(2);
    return { TableName, role };
  };

  it('let the editors’ calls write events and their history, and nothing else', async () => {
    const { TableName, role } = await attempts('ott/edit-catalogue')();

    await role.update({ TableName, Key: { pk: 'EVENT#final' } });
    await role.update({ TableName, Key: { pk: 'CATEGORY#final#football' } });
    await role.put({ TableName, Item: { pk: 'HISTORY#final#1' } });
    await role.put({ TableName, Item: { pk: 'PATHS#cdn.example' } });
    await role.delete({ TableName, Key: { pk: 'CATEGORY#final#football' } });
    await role.delete({ TableName, Key: { pk: 'EVENT#final' } });
  });

  it('let the schedules change events, and neither create nor delete them', async () => {
    const { TableName, role } = await attempts('ott/apply-schedules')();

    await role.update({ TableName, Key: { pk: 'EVENT#final' } });
    await role.put({ TableName, Item: { pk: 'HISTORY#final#1' } });
    await expect(role.delete({ TableName, Key: { pk: 'EVENT#final' } })).rejects.toMatchObject(denied);
    await expect(role.put({ TableName, Item: { pk: 'PATHS#cdn.example' } })).rejects.toMatchObject(denied);
  });
});
