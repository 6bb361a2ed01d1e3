import * as z from 'zod';
import { conditionHeld, queryPages, scanPages, type Table } from '../../platform/store/client.ts';
import { putMissing } from '../../platform/store/restored-items.ts';
import type { CollectionKey } from '../collection/nft.ts';
import { addressSchema } from '../hex.ts';
import { collectionPartition, counterKey, nftKey } from './nft-items.ts';

/** The highest id that no later mint may use, and how many tokens the chain has with ids above `after`. */
export type MintedAfter = (
  key: CollectionKey,
  after: number,
) => Promise<{ readonly last: number; readonly count: number }>;

/**
 * For the tokens in the live table with an id above `after`: the highest id, and how many of them use a place in the
 * supply.
 */
export const liveAfter = async (
  { client, tableName }: Table,
  key: CollectionKey,
  after: number,
): Promise<{ readonly last: number; readonly count: number }> => {
  let last = after;
  let count = 0;
  const pages = queryPages(client, {
    TableName: tableName,
    ConsistentRead: true,
    KeyConditionExpression: 'pk = :pk AND sk > :after',
    ExpressionAttributeValues: {
      ':pk': collectionPartition(key),
      ':after': nftKey({ ...key, tokenId: String(after) }).sk,
    },
  });
  for await (const { Items = [] } of pages) {
    for (const { sk, status } of Items) {
      last = Math.max(last, Number(sk));
      if (status !== 'failed') count += 1;
    }
  }
  return { last, count };
};

const contractSchema = z.object({
  pk: z.string(),
  sk: addressSchema,
  maxSupply: z.int().optional(),
});

/**
 * Creates the missing counters of collections. Such a counter was created after the restored moment, so it is not
 * restored. Without it, the next mint would use the first id again. The chain does not show whether the collection had
 * tokens: reserved ones have no transaction, and revoked ones are burnt.
 */
export const makeLostCounters = async (
  table: Table,
  { mintedAfter, contractsTable }: { readonly mintedAfter: MintedAfter; readonly contractsTable: string },
): Promise<void> => {
  const { client, tableName } = table;
  for await (const { Items = [] } of scanPages(client, { TableName: contractsTable, ConsistentRead: true })) {
    for (const item of Items) {
      const { data: contract } = contractSchema.safeParse(item);
      if (contract === undefined) continue;
      const key = { application: contract.pk, contract: contract.sk };
      const { Item } = await client.get({ TableName: tableName, Key: counterKey(key), ConsistentRead: true });
      if (Item !== undefined) continue;
      const [minted, live] = [await mintedAfter(key, 0), await liveAfter(table, key, 0)];
      const count = Math.max(minted.count, live.count);
      const { Put } = putMissing(tableName, {
        ...counterKey(key),
        tokens: Math.max(minted.last, live.last),
        ...(contract.maxSupply === undefined ? {} : { taken: count }),
      });
      if (Put !== undefined) await conditionHeld(client.put(Put));
    }
  }
};
