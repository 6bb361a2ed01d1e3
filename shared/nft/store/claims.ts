import * as z from 'zod';
import { addressSchema } from '../../chain/hex.ts';
import { conditionHeld, type Table } from '../../platform/store/client.ts';
import type { Claim, ClaimScope, ClaimState, Claims, ResourceReference } from '../ports/claims.ts';
import { claimKey, type Write } from './nft-items.ts';

const resultSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('contract'), address: addressSchema }),
  z.object({ kind: z.literal('nfts'), address: addressSchema, from: z.string(), to: z.string() }),
]);

const itemSchema = z.discriminatedUnion('state', [
  z.object({ state: z.literal('claimed'), bodyHash: z.string(), owner: z.string(), leaseUntil: z.int() }),
  z.object({ state: z.literal('done'), bodyHash: z.string(), result: resultSchema }),
]);

const parseClaim = (item: Record<string, unknown> | undefined): ClaimState | undefined =>
  item === undefined ? undefined : itemSchema.parse(item);

/**
 * A claim that was neither completed nor released is deleted this long after its lease expires. A completed claim is
 * kept as long as the resource that it names.
 */
const abandonedAfterSeconds = 24 * 60 * 60;

const isFree = 'attribute_not_exists(pk)';
const isLeaseOver = '(#state = :claimed AND leaseUntil < :at)';
const isOurs = '#state = :claimed AND #owner = :owner';

/** The condition that no other request holds the key at the time `at`, or has completed it. */
const isOpenTo = ({ owner }: Claim, at: number) => ({
  ConditionExpression: `${isFree} OR ${isLeaseOver} OR (${isOurs})`,
  ExpressionAttributeNames: { '#state': 'state', '#owner': 'owner' },
  ExpressionAttributeValues: { ':claimed': 'claimed', ':at': at, ':owner': owner },
});

/**
 * The write that completes a claim. It is part of the DynamoDB transaction that records the result. From then on, every
 * request with the idempotency key gets this result.
 */
export const endClaim = (
  TableName: string,
  { claim, result }: { readonly claim: Claim; readonly result: ResourceReference },
): Write => ({
  Update: {
    TableName,
    Key: claimKey(claim.scope),
    UpdateExpression: 'SET #state = :done, #result = :result REMOVE leaseUntil, expiresAt',
    ConditionExpression: isOurs,
    ExpressionAttributeNames: { '#state': 'state', '#owner': 'owner', '#result': 'result' },
    ExpressionAttributeValues: {
      ':claimed': 'claimed',
      ':owner': claim.owner,
      ':done': 'done',
      ':result': result,
    },
  },
});

/** The write that ends a lease, which has no result. It is refused if the lease is another request's by now. */
export const endLease = (TableName: string, { scope, owner }: Claim): Required<Pick<Write, 'Delete'>> => ({
  Delete: {
    TableName,
    Key: claimKey(scope),
    ConditionExpression: isOurs,
    ExpressionAttributeNames: { '#state': 'state', '#owner': 'owner' },
    ExpressionAttributeValues: { ':claimed': 'claimed', ':owner': owner },
  },
});

export const dynamoDbClaims = ({ client, tableName }: Table): Claims => {
  const read = async (scope: ClaimScope) => {
    const { Item } = await client.get({ TableName: tableName, Key: claimKey(scope), ConsistentRead: true });
    return Item;
  };
  const find: Claims['find'] = async (scope) => parseClaim(await read(scope));

  return {
    find,

    ofKey: async (key) => {
      const { Items = [] } = await client.query({
        TableName: tableName,
        ConsistentRead: true,
        KeyConditionExpression: 'pk = :pk',
        ExpressionAttributeValues: { ':pk': claimKey({ ...key, operation: '' }).pk },
      });
      return Items.map((item) => ({ operation: String(item.sk), state: itemSchema.parse(item) }));
    },

    claim: async ({ claim, at, leaseUntil }) => {
      const { scope, bodyHash, owner } = claim;
      const isOursNow = await conditionHeld(
        client.put({
          TableName: tableName,
          Item: {
            ...claimKey(scope),
            state: 'claimed',
            bodyHash,
            owner,
            leaseUntil,
            expiresAt: Math.ceil(leaseUntil / 1_000) + abandonedAfterSeconds,
          },
          ...isOpenTo(claim, at),
        }),
      );
      if (isOursNow) return undefined;
      const holder = await find(scope);
      // The claim was released after this write was refused, so the next request can get the key.
      return holder ?? { state: 'claimed', bodyHash, owner: '', leaseUntil: at };
    },

    release: async (claim) => {
      await conditionHeld(client.delete(endLease(tableName, claim).Delete));
    },

    keep: async ({ claim, result, at }) => {
      const { scope, bodyHash, owner } = claim;
      const Item = { ...claimKey(scope), state: 'done', bodyHash, owner, result };
      const put = client.put({ TableName: tableName, Item, ...isOpenTo(claim, at) });
      if (await conditionHeld(put)) return undefined;
      const stored = await read(scope);
      // An earlier try of this write may have completed the key, although the response to it was lost.
      if (stored?.state === 'done' && stored.owner === owner) return undefined;
      // The claim was released after this write was refused, so the next request can get the key.
      return parseClaim(stored) ?? { state: 'claimed', bodyHash, owner: '', leaseUntil: at };
    },
  };
};
