import type { DocumentClient } from '../../platform/store/client.ts';
import type { TransactionLog } from '../ports/transaction-log.ts';
import { entryKey } from './nft-items.ts';
import { parseEntry } from './transaction-items.ts';

/** Finds entries of the transaction log. A function that only reads entries needs no other part of the log. */
export const dynamoDbEntries = ({
  client,
  tableName,
}: {
  readonly client: DocumentClient;
  readonly tableName: string;
}): Pick<TransactionLog, 'find'> => ({
  find: async (key) => {
    const { Item } = await client.get({ TableName: tableName, Key: entryKey(key), ConsistentRead: true });
    return Item === undefined ? undefined : parseEntry(Item);
  },
});
