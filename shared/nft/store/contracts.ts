import type { Table } from '../../platform/store/client.ts';
import { pageOf, readLimit } from '../../platform/store/page.ts';
import { contractSchema } from '../collections/contract.ts';
import type { Contracts } from '../ports/contracts.ts';
import { indexedContract } from './contract-index.ts';
import { contractKey } from './nft-items.ts';

const contractKeySchema = contractSchema.pick({ application: true, address: true });

export const dynamoDbContracts = ({ client, tableName }: Table): Contracts => {
  const find: Contracts['find'] = async (key) => {
    const { Item } = await client.get({ TableName: tableName, Key: contractKey(key), ConsistentRead: true });
    return Item === undefined ? undefined : contractSchema.parse(Item);
  };

  return {
    find,

    list: async ({ application, limit, after }) => {
      const found = await client.query({
        TableName: tableName,
        IndexName: 'newest',
        ConsistentRead: true,
        ScanIndexForward: false,
        KeyConditionExpression: after === undefined ? 'pk = :pk' : 'pk = :pk AND listed < :after',
        ExpressionAttributeValues: {
          ':pk': application,
          ...(after === undefined ? {} : { ':after': after }),
        },
        Limit: readLimit(limit),
      });
      return pageOf(found, { limit, sortKey: 'listed', parse: (item) => contractSchema.parse(item) });
    },

    findPublic: async (address) => {
      const item = await indexedContract({ client, tableName }, address);
      // The index may lack the latest write, so the contract itself is read with a consistent read.
      return item === undefined ? undefined : find(contractKeySchema.parse(item));
    },
  };
};
