import * as z from 'zod';
import { addressSchema } from '../../chain/hex.ts';
import { conditionHeld, type Table } from '../../platform/store/client.ts';
import type { Hold, Holds, KeyScope, KeyState, ResourceReference } from '../ports/holds.ts';
import { holdKey, type Write } from './nft-items.ts';

const resultSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('contract'), address: addressSchema }),
  z.object({ kind: z.literal('nfts'), address: addressSchema, from: z.string(), to: z.string() }),
]);

/** The stored word for the state `held` of a key is `claimed`. */
const stateSchema = z.discriminatedUnion('state', [
  z.object({
    state: z.literal('claimed').transform(() => 'held' as const),
    bodyHash: z.string(),
    owner: z.string(),
    leaseUntil: z.int(),
  }),
  z.object({ state: z.literal('done'), bodyHash: z.string(), result: resultSchema }),
]);

const parseKey = (item: Record<string, unknown> | undefined): KeyState | undefined =>
  item === undefined ? undefined : stateSchema.parse(item);

/**
 * A hold that was neither completed nor released is deleted this long after its lease expires. A completed key is
 * kept as long as the resource that it names.
 */
const abandonedAfterSeconds = 24 * 60 * 60;

const isFree = 'attribute_not_exists(pk)';
const isLeaseOver = '(#state = :claimed AND leaseUntil < :at)';
const isOurs = '#state = :claimed AND #owner = :owner';

/** The condition that no other request holds the key at the time `at`, or has completed it. */
const isOpenTo = ({ owner }: Hold, at: number) => ({
  ConditionExpression: `${isFree} OR ${isLeaseOver} OR (${isOurs})`,
  ExpressionAttributeNames: { '#state': 'state', '#owner': 'owner' },
  ExpressionAttributeValues: { ':claimed': 'claimed', ':at': at, ':owner': owner },
});

/**
 * The write that completes a key. It is part of the DynamoDB transaction that records the result. From then on, every
 * request with the idempotency key gets this result.
 */
export const completeHold = (
  TableName: string,
  { hold, result }: { readonly hold: Hold; readonly result: ResourceReference },
): Write => ({
  Update: {
    TableName,
    Key: holdKey(hold.scope),
    UpdateExpression: 'SET #state = :done, #result = :result REMOVE leaseUntil, expiresAt',
    ConditionExpression: isOurs,
    ExpressionAttributeNames: { '#state': 'state', '#owner': 'owner', '#result': 'result' },
    ExpressionAttributeValues: {
      ':claimed': 'claimed',
      ':owner': hold.owner,
      ':done': 'done',
      ':result': result,
    },
  },
});

/** The write that releases a key, which then has no result. It is refused if another request holds the key by now. */
export const releaseHeld = (TableName: string, { scope, owner }: Hold): Required<Pick<Write, 'Delete'>> => ({
  Delete: {
    TableName,
    Key: holdKey(scope),
    ConditionExpression: isOurs,
    ExpressionAttributeNames: { '#state': 'state', '#owner': 'owner' },
    ExpressionAttributeValues: { ':claimed': 'claimed', ':owner': owner },
  },
});

export const dynamoDbHolds = ({ client, tableName }: Table): Holds => {
  const read = async (scope: KeyScope) => {
    const { Item } = await client.get({ TableName: tableName, Key: holdKey(scope), ConsistentRead: true });
    return Item;
  };
  const find: Holds['find'] = async (scope) => parseKey(await read(scope));

  return {
    find,

    ofKey: async (key) => {
      const { Items = [] } = await client.query({
        TableName: tableName,
        ConsistentRead: true,
        KeyConditionExpression: 'pk = :pk',
        ExpressionAttributeValues: { ':pk': holdKey({ ...key, operation: '' }).pk },
      });
      return Items.map((item) => ({ operation: String(item.sk), state: stateSchema.parse(item) }));
    },

    take: async ({ hold, at, leaseUntil }) => {
      const { scope, bodyHash, owner } = hold;
      const isOursNow = await conditionHeld(
        client.put({
          TableName: tableName,
          Item: {
            ...holdKey(scope),
            state: 'claimed',
            bodyHash,
            owner,
            leaseUntil,
            expiresAt: Math.ceil(leaseUntil / 1_000) + abandonedAfterSeconds,
          },
          ...isOpenTo(hold, at),
        }),
      );
      if (isOursNow) return undefined;
      const holder = await find(scope);
      // The key was released after this write was refused, so the next request can get the key.
      return holder ?? { state: 'held', bodyHash, owner: '', leaseUntil: at };
    },

    release: async (hold) => {
      await conditionHeld(client.delete(releaseHeld(tableName, hold).Delete));
    },

    keep: async ({ hold, result, at }) => {
      const { scope, bodyHash, owner } = hold;
      const Item = { ...holdKey(scope), state: 'done', bodyHash, owner, result };
      const put = client.put({ TableName: tableName, Item, ...isOpenTo(hold, at) });
      if (await conditionHeld(put)) return undefined;
      const stored = await read(scope);
      // An earlier try of this write may have completed the key, although the response to it was lost.
      if (stored?.state === 'done' && stored.owner === owner) return undefined;
      // The key was released after this write was refused, so the next request can get the key.
      return parseKey(stored) ?? { state: 'held', bodyHash, owner: '', leaseUntil: at };
    },
  };
};
