import * as z from 'zod';
import { addressSchema } from '../../chain/hex.ts';
import type { Table } from '../../platform/store/client.ts';
import { pageOf, readLimit } from '../../platform/store/read-page.ts';
import type { Contracts } from '../ports/contracts.ts';
import { indexedContract } from './contract-index.ts';
import { contractKey, contractOf } from './nft-items.ts';

const indexedKeySchema = z
  .object({ application: z.string(), address: addressSchema })
  .transform(({ application, address }) => ({ applicationId: application, address }));

export const dynamoDbContracts = ({ client, tableName }: Table): Contracts => {
  const find: Contracts['find'] = async (key) => {
    const { Item } = await client.get({ TableName: tableName, Key: contractKey(key), ConsistentRead: true });
    return Item === undefined ? undefined : contractOf(Item);
  };

  return {
    find,

    list: async ({ applicationId, limit, after }) => {
      const found = await client.query({
        TableName: tableName,
        IndexName: 'newest',
        ConsistentRead: true,
        ScanIndexForward: false,
        KeyConditionExpression: after === undefined ? 'pk = :pk' : 'pk = :pk AND listed < :after',
        ExpressionAttributeValues: {
          ':pk': applicationId,
          ...(after !== undefined && { ':after': after }),
        },
        Limit: readLimit(limit),
      });
      return pageOf(found, { limit, sortKey: 'listed', parse: contractOf });
    },

    findPublic: async (address) => {
      const item = await indexedContract({ client, tableName }, address);
      // The index may lack the latest write, so the contract itself is read with a consistent read.
      return item === undefined ? undefined : find(indexedKeySchema.parse(item));
    },
  };
};
