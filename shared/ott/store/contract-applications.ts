import * as z from 'zod';
import type { Table } from '../../platform/store/client.ts';
import type { ContractApplications } from '../ports/contract-applications.ts';

const itemSchema = z.object({ application: z.string() });

/** Reads only the index, because the application of a contract never changes. */
export const dynamoDbContractApplications = ({ client, tableName }: Table): ContractApplications => ({
  applicationOf: async (address) => {
    const { Items: [item] = [] } = await client.query({
      TableName: tableName,
      IndexName: 'by_address',
      KeyConditionExpression: 'address = :address',
      ExpressionAttributeValues: { ':address': address },
      Limit: 1,
    });
    return item === undefined ? undefined : itemSchema.parse(item).application;
  },
});
