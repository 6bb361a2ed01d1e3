import * as z from 'zod';
import { conditionHeld, queryPages, scanPages, type Table } from '../../platform/store/client.ts';
import { type Item, putMissing } from '../../platform/store/restored-items.ts';
import type { CollectionKey } from '../collection/nft.ts';
import { addressSchema } from '../hex.ts';
import { collectionPartition, counterKey, nftKey } from './nft-items.ts';
import { isMark } from './supplies.ts';

/** The highest id that no later mint may use, and the ids above `after` that the chain has. */
export type MintedAfter = (
  key: CollectionKey,
  after: number,
) => Promise<{ readonly last: number; readonly ids: readonly number[] }>;

/**
 * What a counter of ids that counts up to `after` must count besides: the highest id, and how many ids above `after` use
 * a place in the supply. The chain has ids that the table has lost. The table has ids that the chain does not have:
 * reserved and pending tokens, and revoked ones, whose places stay used.
 */
export const usedAfter = async (
  { client, tableName }: Table,
  mintedAfter: MintedAfter,
  { after, ...key }: CollectionKey & { readonly after: number },
): Promise<{ readonly last: number; readonly count: number }> => {
  // The chain is asked first: a pending token may be minted meanwhile, and then the table still has it.
  const minted = await mintedAfter(key, after);
  let { last } = minted;
  const used = new Set(minted.ids);
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
      const id = Number(sk);
      last = Math.max(last, id);
      if (status !== 'failed') used.add(id);
    }
  }
  return { last, count: used.size };
};

const contractSchema = z.object({
  pk: z.string(),
  sk: addressSchema,
  maxSupply: z.int().optional(),
});

/**
 * A request that left its mark may have recorded its tokens, and they may be lost. That no token is there proves nothing, so
 * its places stay taken.
 */
export const withoutMarks = (counter: Item): Item =>
  Object.fromEntries(Object.entries(counter).filter(([name]) => !isMark(name)));

const removeMarks = async (
  { client, tableName }: Table,
  key: CollectionKey,
  counter: Item,
): Promise<void> => {
  const marks = Object.keys(counter).filter(isMark);
  if (marks.length === 0) return;
  const names = Object.fromEntries(marks.map((mark, index) => [`#mark${index}`, mark]));
  await client.update({
    TableName: tableName,
    Key: counterKey(key),
    UpdateExpression: `REMOVE ${Object.keys(names).join(', ')}`,
    ConditionExpression: 'attribute_exists(pk)',
    ExpressionAttributeNames: names,
  });
};

/**
 * Removes the marks of the counters that are there, and creates the missing counters of collections. A missing counter
 * was created after the restored moment, so it is not restored. Without it, the next mint would use the first id again.
 * The chain does not show whether the collection had tokens: reserved ones have no transaction, and revoked ones are
 * burnt.
 */
export const mendCounters = async (
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
      if (Item !== undefined) {
        await removeMarks(table, key, Item);
        continue;
      }
      const { last, count } = await usedAfter(table, mintedAfter, { ...key, after: 0 });
      const { Put } = putMissing(tableName, {
        ...counterKey(key),
        tokens: last,
        ...(contract.maxSupply === undefined ? {} : { taken: count }),
      });
      if (Put !== undefined) await conditionHeld(client.put(Put));
    }
  }
};
