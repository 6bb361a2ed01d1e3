import { type DynamoDBDocumentClient, GetCommand, QueryCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod';
import { nftSchema } from '../../nft/collection/nft.ts';
import type { CollectionKey, Nfts } from '../../nft/ports/nfts.ts';
import { collectionPartition, nftKey } from './nft-items.ts';
import { pageOf, readLimit } from './page.ts';

/** Beside the tokens and not among them, so that no list meets it. */
const counterKey = (key: CollectionKey) => ({ pk: `${collectionPartition(key)}#counter`, sk: 'counter' });

const counterSchema = z.object({ tokens: z.int() });

export const dynamoDbNfts = ({
  client,
  tableName,
}: {
  readonly client: DynamoDBDocumentClient;
  readonly tableName: string;
}): Nfts => ({
  find: async (key) => {
    const { Item } = await client.send(
      new GetCommand({ TableName: tableName, Key: nftKey(key), ConsistentRead: true }),
    );
    return Item === undefined ? undefined : nftSchema.parse(Item);
  },

  list: async ({ limit, after, ...key }) => {
    const found = await client.send(
      new QueryCommand({
        TableName: tableName,
        ConsistentRead: true,
        ScanIndexForward: false,
        KeyConditionExpression: after === undefined ? 'pk = :pk' : 'pk = :pk AND sk < :after',
        ExpressionAttributeValues: {
          ':pk': collectionPartition(key),
          ...(after === undefined ? {} : { ':after': after }),
        },
        Limit: readLimit(limit),
      }),
    );
    return pageOf(found, { limit, sortKey: 'sk', parse: (item) => nftSchema.parse(item) });
  },

  reserveTokenId: async (key) => {
    const { Attributes } = await client.send(
      new UpdateCommand({
        TableName: tableName,
        Key: counterKey(key),
        UpdateExpression: 'ADD tokens :one',
        ExpressionAttributeValues: { ':one': 1 },
        ReturnValues: 'UPDATED_NEW',
      }),
    );
    return String(counterSchema.parse(Attributes).tokens);
  },
});
