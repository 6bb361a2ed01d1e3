import { type DynamoDBDocumentClient, GetCommand, QueryCommand } from '@aws-sdk/lib-dynamodb';
import { contractSchema } from '../../nft/contract.ts';
import type { Contracts } from '../../nft/ports/contracts.ts';
import { contractKey } from './nft-items.ts';

export const dynamoDbContracts = ({
  client,
  tableName,
}: {
  readonly client: DynamoDBDocumentClient;
  readonly tableName: string;
}): Contracts => ({
  find: async (key) => {
    const { Item } = await client.send(
      new GetCommand({ TableName: tableName, Key: contractKey(key), ConsistentRead: true }),
    );
    return Item === undefined ? undefined : contractSchema.parse(Item);
  },

  list: async ({ application, limit, after }) => {
    const { Items = [], LastEvaluatedKey } = await client.send(
      new QueryCommand({
        TableName: tableName,
        IndexName: 'newest',
        ConsistentRead: true,
        ScanIndexForward: false,
        KeyConditionExpression: after === undefined ? 'pk = :pk' : 'pk = :pk AND listed < :after',
        ExpressionAttributeValues: {
          ':pk': application,
          ...(after === undefined ? {} : { ':after': after }),
        },
        Limit: limit,
      }),
    );
    const next = LastEvaluatedKey?.listed;
    return {
      items: Items.map((item) => contractSchema.parse(item)),
      ...(next === undefined ? {} : { next: String(next) }),
    };
  },

  findPublic: async (address) => {
    const { Items: [item] = [] } = await client.send(
      new QueryCommand({
        TableName: tableName,
        IndexName: 'by_address',
        KeyConditionExpression: 'address = :address',
        ExpressionAttributeValues: { ':address': address },
        Limit: 1,
      }),
    );
    return item === undefined ? undefined : contractSchema.parse(item);
  },
});
