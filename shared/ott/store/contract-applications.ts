import * as z from 'zod';
import { indexedContract } from '../../nft/store/contract-index.ts';
import type { Table } from '../../platform/store/client.ts';
import type { ContractApplications } from '../ports/contract-applications.ts';

const itemSchema = z.object({ application: z.string() });

/** Reads only the index, because the application of a contract never changes. */
export const dynamoDbContractApplications = (table: Table): ContractApplications => ({
  applicationOf: async (address) => {
    const item = await indexedContract(table, address);
    return item === undefined ? undefined : itemSchema.parse(item).application;
  },
});
