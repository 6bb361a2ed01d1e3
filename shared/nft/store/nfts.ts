import * as z from 'zod';
import { queryPages, type Table } from '../../platform/store/client.ts';
import type { Nfts } from '../ports/nfts.ts';
import type { Nft } from '../tokens/nft.ts';
import { collectionPartition, counterKey, nftKey, nftOf } from './nft-items.ts';
import { nftLists } from './nft-lists.ts';

const counterSchema = z.object({ tokens: z.int() });

export const dynamoDbNfts = ({ client, tableName }: Table): Nfts => ({
  find: async (key) => {
    const { Item } = await client.get({ TableName: tableName, Key: nftKey(key), ConsistentRead: true });
    return Item === undefined ? undefined : nftOf(Item);
  },

  ...nftLists({ client, tableName }),

  findRange: async ({ from, to, ...key }) => {
    const nfts: Nft[] = [];
    const pages = queryPages(client, {
      TableName: tableName,
      ConsistentRead: true,
      KeyConditionExpression: 'pk = :pk AND sk BETWEEN :from AND :to',
      ExpressionAttributeValues: {
        ':pk': collectionPartition(key),
        ':from': nftKey({ ...key, tokenId: from }).sk,
        ':to': nftKey({ ...key, tokenId: to }).sk,
      },
    });
    for await (const { Items = [] } of pages) nfts.push(...Items.map(nftOf));
    return nfts;
  },

  // May run twice or late: the ids of the other run stay unused.
  reserveTokenIds: async ({ count, ...key }) => {
    const { Attributes } = await client.update({
      TableName: tableName,
      Key: counterKey(key),
      UpdateExpression: 'ADD tokens :count',
      ExpressionAttributeValues: { ':count': count },
      ReturnValues: 'UPDATED_NEW',
    });
    return String(counterSchema.parse(Attributes).tokens - count + 1);
  },
});
