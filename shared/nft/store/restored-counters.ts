import * as z from 'zod';
import { addressSchema } from '../../chain/hex.ts';
import { conditionHeld, queryPages, scanPages, type Table } from '../../platform/store/client.ts';
import { type Item, putMissing } from '../../platform/store/restored-items.ts';
import type { CollectionKey } from '../tokens/nft.ts';
import { collectionPartition, counterKey, nftKey } from './nft-items.ts';
import { isMark } from './supplies.ts';

/** The highest id that no later mint may use, and the ids above `after` that the chain has. */
export type MintedAfter = (
  key: CollectionKey,
  after: number,
) => Promise<{ readonly last: number; readonly ids: readonly number[] }>;

/**
 * What a counter of ids that counts up to `after` must count besides: the highest id, how many ids above `after` use a
 * place in the supply, and `known`, the highest id that a token is known to have. The chain has ids that the table has
 * lost. The table has ids that the chain does not have: reserved and pending tokens, and revoked ones, whose places
 * stay used.
 */
export const usedAfter = async (
  { client, tableName }: Table,
  mintedAfter: MintedAfter,
  { after, ...key }: CollectionKey & { readonly after: number },
): Promise<{ readonly last: number; readonly count: number; readonly known: number }> => {
  // The chain is asked first: a pending token may be minted meanwhile, and then the table still has it.
  const minted = await mintedAfter(key, after);
  let { last } = minted;
  // The ids can be too many to be arguments of one call.
  let known = minted.ids.reduce((highest, id) => Math.max(highest, id), 0);
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
      known = Math.max(known, id);
      if (status !== 'failed') used.add(id);
    }
  }
  return { last, count: used.size, known };
};

const contractSchema = z.object({
  pk: z.string(),
  sk: addressSchema,
  maxSupply: z.int().optional(),
});

/**
 * A request that left its mark may have recorded its tokens, and they may be lost. That no token is there proves
 * nothing, so its places stay taken.
 */
export const withoutMarks = (counter: Item): Item =>
  Object.fromEntries(Object.entries(counter).filter(([name]) => !isMark(name)));

const counterSchema = z.object({ tokens: z.int() });

/**
 * Removes the marks of a counter, and raises it if `used` says so. Places that it has assigned stay taken besides:
 * those of a mint that fails are given back.
 */
const changeCounter = async (
  { client, tableName }: Table,
  counter: Item,
  used: { readonly last: number; readonly count: number } | undefined,
): Promise<void> => {
  const names = Object.fromEntries(
    Object.keys(counter)
      .filter(isMark)
      .map((mark, index) => [`#mark${index}`, mark]),
  );
  const marks = Object.keys(names);
  const isLimited = used !== undefined && counter.taken !== undefined;
  const changes = [
    ...(used === undefined ? [] : ['SET tokens = :last']),
    ...(isLimited ? ['ADD taken :count'] : []),
    ...(marks.length === 0 ? [] : [`REMOVE ${marks.join(', ')}`]),
  ];
  if (changes.length === 0) return;
  await conditionHeld(
    client.update({
      TableName: tableName,
      Key: { pk: counter.pk, sk: counter.sk },
      UpdateExpression: changes.join(' '),
      ConditionExpression: used === undefined ? 'attribute_exists(pk)' : 'tokens < :last',
      ...(marks.length > 0 && { ExpressionAttributeNames: names }),
      ...(used && {
        ExpressionAttributeValues: { ':last': used.last, ...(isLimited && { ':count': used.count }) },
      }),
    }),
  );
};

const mendCounter = async (
  table: Table,
  mintedAfter: MintedAfter,
  { maxSupply, ...key }: CollectionKey & { readonly maxSupply: number | undefined },
): Promise<void> => {
  const { client, tableName } = table;
  const read = async (): Promise<Item | undefined> =>
    (await client.get({ TableName: tableName, Key: counterKey(key), ConsistentRead: true })).Item;
  const usedBeyond = (after: number) => usedAfter(table, mintedAfter, { ...key, after });
  const found = await read();
  if (found === undefined) {
    const used = await usedBeyond(0);
    const { Put } = putMissing(tableName, {
      ...counterKey(key),
      tokens: used.last,
      ...(maxSupply !== undefined && { taken: used.count }),
    });
    const isMade = Put === undefined || (await conditionHeld(client.put(Put)));
    // Otherwise, a mint has begun the counter meanwhile.
    return isMade ? undefined : mendCounter(table, mintedAfter, { ...key, maxSupply });
  }
  const { known } = await usedBeyond(counterSchema.parse(found).tokens);
  // Customers may mint meanwhile. A counter rises before a token gets its id.
  const now = (await read()) ?? found;
  const isBehind = known > counterSchema.parse(now).tokens;
  await changeCounter(table, now, isBehind ? await usedBeyond(0) : undefined);
};

/**
 * Mends the counters of all collections. Removes the marks of those that are there. Creates those that are missing,
 * because they were created after the restored moment and then lost: without its counter, a collection's next mint
 * would use the first id again. Raises those that a mint has created anew since the loss, which are behind the ids of
 * the tokens. The chain does not show whether a collection had tokens: reserved ones have no transaction, and revoked
 * ones are burnt.
 */
export const mendCounters = async (
  table: Table,
  { mintedAfter, contractsTable }: { readonly mintedAfter: MintedAfter; readonly contractsTable: string },
): Promise<void> => {
  const pages = scanPages(table.client, { TableName: contractsTable, ConsistentRead: true });
  for await (const { Items = [] } of pages) {
    for (const item of Items) {
      const { data: contract } = contractSchema.safeParse(item);
      if (contract === undefined) continue;
      const { pk: applicationId, sk, maxSupply } = contract;
      await mendCounter(table, mintedAfter, { applicationId, contract: sk, maxSupply });
    }
  }
};
