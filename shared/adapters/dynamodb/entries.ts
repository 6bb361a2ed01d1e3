import type { TransactionLog } from '../../nft/ports/transaction-log.ts';
import type { DocumentClient } from './client.ts';
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
