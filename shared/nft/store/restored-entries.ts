import * as z from 'zod';
import { hexSchema } from '../../chain/hex.ts';
import { conditionHeld, type DocumentClient } from '../../platform/store/client.ts';
import type { RestoredEntries } from '../ports/restored-entries.ts';
import { type Entry, lastAttempt } from '../transactions/entry.ts';
import { entryChange } from './entry-changes.ts';
import type { FollowingWrite } from './following-writes.ts';
import { entryKey, type NftTables, nftKey } from './nft-items.ts';
import { mintedTo } from './restored-nfts.ts';
import { transactionWrites } from './transaction-writes.ts';

const decidedSchema = z.object({
  status: z.enum(['confirmed', 'failed']),
  nonce: z.int(),
  transactionHash: hexSchema,
  failureReason: z.string().optional(),
  createdAt: z.string().optional(),
});
const pendingSchema = z.object({
  status: z.literal('pending'),
  nonce: z.int(),
  createdAt: z.string().optional(),
});

export const dynamoDbRestoredEntries = ({
  client,
  tables,
}: {
  readonly client: DocumentClient;
  readonly tables: NftTables;
}): RestoredEntries => {
  const writes = transactionWrites(tables);
  const updateAll = async (all: readonly FollowingWrite[]): Promise<void> => {
    for (const {
      write: { Update },
    } of all) {
      if (Update !== undefined) await conditionHeld(client.update(Update));
    }
  };
  /** The contract or tokens that the entry creates, or the records of its change, as they are stored. */
  const recordsOf = async (entry: Entry): Promise<readonly unknown[]> => {
    const changes = writes.changesOf(entry);
    const records: unknown[] = [];
    for (const { TableName, Key } of changes?.items ?? writes.resourceKeys(entry)) {
      const { Item } = await client.get({ TableName, Key, ConsistentRead: true });
      records.push(changes === undefined ? Item : Item?.[changes.attribute]);
    }
    return records;
  };
  const pendingIn = (records: readonly unknown[], { nonce }: Entry) =>
    records.map((record) => pendingSchema.safeParse(record).data).find((pending) => pending?.nonce === nonce);

  return {
    reopen: (entry) => {
      const { reopened = 0 } = entry;
      const set = ['missingLooks = :none', 'reopened = :times'];
      const values = { ':none': 0, ':times': reopened + 1 };
      const change = entryChange('reopen', entry, { set, values });
      return conditionHeld(
        client.update({ TableName: tables.transactions, Key: entryKey(entry), ...change }),
      );
    },
    isAwaited: async (entry) => pendingIn(await recordsOf(entry), entry) !== undefined,
    outcomeOf: async (entry) => {
      const records = await recordsOf(entry);
      const batchAt = pendingIn(records, entry)?.createdAt;
      for (const record of records) {
        const { data } = decidedSchema.safeParse(record);
        // Tokens of a batch fail together. Those that were not lost have the nonce with which the batch was repeated.
        const isOfBatch = data?.status === 'failed' && batchAt !== undefined && data.createdAt === batchAt;
        if (data === undefined || (data.nonce !== entry.nonce && !isOfBatch)) continue;
        const { status, transactionHash: hash } = data;
        return status === 'confirmed'
          ? { status, hash }
          : { status, hash, reason: data.failureReason ?? 'REVERTED' };
      }
      return undefined;
    },
    takeBackResources: async (entry, isGone) => {
      let isAny = false;
      for (const { TableName, Key } of writes.resourceKeys(entry)) {
        const { Item } = await client.get({ TableName, Key, ConsistentRead: true });
        const { status, nonce } = pendingSchema.safeParse(Item).data ?? {};
        if (status === undefined || nonce === undefined || nonce === entry.nonce) continue;
        if (!(await isGone(nonce))) continue;
        isAny = true;
        await conditionHeld(
          client.update({
            TableName,
            Key,
            UpdateExpression: 'SET nonce = :own, transactionHash = :hash',
            ConditionExpression: '#status = :pending AND nonce = :read',
            ExpressionAttributeNames: { '#status': 'status' },
            ExpressionAttributeValues: {
              ':pending': 'pending',
              ':read': nonce,
              ':own': entry.nonce,
              ':hash': lastAttempt(entry).hash,
            },
          }),
        );
      }
      return isAny;
    },
    confirmReserved: async (token, owner) => {
      const { status, destination, nonce } = mintedTo(owner);
      return conditionHeld(
        client.update({
          TableName: tables.nfts,
          Key: nftKey(token),
          UpdateExpression: 'SET #status = :status, destination = :owner, nonce = :nonce REMOVE holder',
          ConditionExpression: '#status = :reserved',
          ExpressionAttributeNames: { '#status': 'status' },
          ExpressionAttributeValues: {
            ':reserved': 'reserved',
            ':status': status,
            ':owner': destination,
            ':nonce': nonce,
          },
        }),
      );
    },
    finalizeResources: (finalization) => updateAll(writes.finalizeResources(finalization)),
    handOverResources: (entry, successor) => updateAll(writes.handOverResources(entry, successor)),
  };
};
