import { createHash } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import type { CancellationReason } from '@aws-sdk/client-dynamodb';
import { fullJitter } from '../../backoff.ts';
import { inParallel } from '../../in-parallel.ts';
import { type Entry, hashesOf, lastAttempt } from '../../nft/entry.ts';
import type {
  Finalization,
  Recording,
  RecordOutcome,
  TransactionLog,
} from '../../nft/ports/transaction-log.ts';
import { isRefusal } from '../aws/service-error.ts';
import { parseClaim } from './claims.ts';
import { cancellationReasons, type DocumentClient, queryPages } from './client.ts';
import { attributeOf, entryChange } from './entry-changes.ts';
import { claimKey, entryKey, type NftTables, type Write } from './nft-items.ts';
import { attemptItem, parseEntry } from './transaction-items.ts';
import { transactionWrites } from './transaction-writes.ts';

/** As many items as DynamoDB writes all or nothing ("Amazon DynamoDB Transactions: How it works"). */
const writesAtMost = 100;
/** Decisions of one round that are written side by side: no two concern the same item, except outdated royalties. */
const chunksAtOnce = 4;

/** Attempts of a transaction that conflicts with others. */
const triesAtMost = 5;

/** Cancellation reasons that pass (API Reference, *TransactWriteItems*); any other comes back next time. */
const passing = new Set([
  'TransactionConflict',
  'ProvisionedThroughputExceeded',
  'ThrottlingError',
  'RequestLimitExceeded',
]);

const busyReason = (reasons: readonly CancellationReason[]): string | undefined =>
  reasons.map(({ Code }) => Code).find((code) => code !== undefined && passing.has(code));

const reasonsText = (reasons: readonly CancellationReason[]): string =>
  reasons.map(({ Code = 'unknown', Message = '' }) => `${Code} ${Message}`.trim()).join(', ') ||
  'no reason given';

/** A refusal of the whole request, which means that nothing was written. */
const asksForPatience = (error: unknown): error is Error =>
  isRefusal(
    error,
    'TransactionInProgressException',
    'ProvisionedThroughputExceededException',
    'RequestLimitExceeded',
    'ThrottlingException',
  );

/** Tells DynamoDB that a repeated recording is the same one. At most 36 characters. */
const requestToken = (entry: Entry): string =>
  createHash('sha256')
    .update(`${entry.signer}#${entry.nonce}#${hashesOf(entry).join()}`)
    .digest('base64url')
    .slice(0, 36);

/** In order, as many together as one transaction has room for. No decision alone needs more. */
const packed = <Item>(items: readonly Item[], writesOf: (item: Item) => number): Item[][] => {
  const chunks: Item[][] = [];
  let room = 0;
  for (const item of items) {
    const writes = writesOf(item);
    if (writes > room) {
      chunks.push([]);
      room = writesAtMost;
    }
    chunks.at(-1)?.push(item);
    room -= writes;
  }
  return chunks;
};

export const dynamoDbTransactionLog = ({
  client,
  tables,
}: {
  readonly client: DocumentClient;
  readonly tables: NftTables;
}): TransactionLog => {
  const writes = transactionWrites(tables);

  const read = async (table: string, key: Record<string, string>) => {
    const { Item } = await client.get({ TableName: table, Key: key, ConsistentRead: true });
    return Item;
  };

  const find: TransactionLog['find'] = async (key) => {
    const item = await read(tables.transactions, entryKey(key));
    return item === undefined ? undefined : parseEntry(item);
  };

  /** The stored item says why. It is read consistently, because a cancellation reason alone tells no result. */
  const refusalOf = async (
    { entry, claim, resource }: Recording,
    reasons: readonly CancellationReason[],
    cause: unknown,
  ): Promise<RecordOutcome> => {
    if (claim !== undefined && reasons.at(-1)?.Code === 'ConditionalCheckFailed') {
      const found = parseClaim(await read(tables.requests, claimKey(claim.scope)));
      return found?.state === 'done'
        ? { outcome: 'key-done', result: found.result }
        : { outcome: 'key-lost' };
    }
    const busy = busyReason(reasons);
    if (busy !== undefined) return { outcome: 'busy', reason: busy };
    if (reasons[0]?.Code === 'ConditionalCheckFailed') {
      const found = await find(entry);
      const isOurs = found !== undefined && hashesOf(found).includes(lastAttempt(entry).hash);
      return { outcome: isOurs ? 'recorded' : 'nonce-used' };
    }
    if (resource?.kind === 'royalty' && reasons[1]?.Code === 'ConditionalCheckFailed') {
      return { outcome: 'outdated' };
    }
    throw new Error(`Nonce ${entry.nonce} cannot be recorded: ${reasonsText(reasons)}`, { cause });
  };

  /** A transaction may write an item only once, and all changes of a collection's royalty are in its item. */
  const roomFor = (finalization: Finalization): number =>
    finalization.entry.purpose.kind === 'set-royalty' ? writesAtMost : writes.finalize(finalization).length;

  /** Returns whether all of it was written; `false` when a condition does not hold. */
  const writeAll = async (items: Write[]): Promise<boolean> => {
    if (items.length === 0) return false;
    for (let tried = 1; ; tried += 1) {
      try {
        await client.transactWrite({ TransactItems: items });
        return true;
      } catch (error) {
        const reasons = cancellationReasons(error);
        if (reasons === undefined) throw error;
        if (reasons.some(({ Code }) => Code === 'ConditionalCheckFailed')) return false;
        if (busyReason(reasons) === undefined) {
          throw new Error(`A change cannot be written: ${reasonsText(reasons)}`, { cause: error });
        }
        if (tried >= triesAtMost) throw error;
        await setTimeout(fullJitter({ tried }));
      }
    }
  };

  const changeEntry = async (...change: Parameters<typeof entryChange>): Promise<boolean> => {
    const [, entry] = change;
    try {
      await client.update({
        TableName: tables.transactions,
        Key: entryKey(entry),
        ...entryChange(...change),
      });
      return true;
    } catch (error) {
      if (isRefusal(error, 'ConditionalCheckFailedException')) return false;
      throw error;
    }
  };

  return {
    find,

    range: async ({ signer, from, to }) => {
      if (from >= to) return [];
      const entries: Entry[] = [];
      const pages = queryPages(client, {
        TableName: tables.transactions,
        ConsistentRead: true,
        KeyConditionExpression: 'pk = :pk AND sk BETWEEN :from AND :to',
        ExpressionAttributeValues: {
          ':pk': signer,
          ':from': entryKey({ signer, nonce: from }).sk,
          ':to': entryKey({ signer, nonce: to - 1 }).sk,
        },
      });
      for await (const { Items = [] } of pages) entries.push(...Items.map(parseEntry));
      return entries;
    },

    record: async (recording) => {
      try {
        await client.transactWriteOnce({
          ClientRequestToken: requestToken(recording.entry),
          TransactItems: writes.record(recording),
        });
        return { outcome: 'recorded' };
      } catch (error) {
        if (asksForPatience(error)) return { outcome: 'busy', reason: error.name };
        const reasons = cancellationReasons(error);
        if (reasons === undefined) throw error;
        return refusalOf(recording, reasons, error);
      }
    },

    appendAttempt: ({ entry, attempt }) =>
      changeEntry('appendAttempt', entry, {
        set: ['attempts = list_append(attempts, :attempt)'],
        values: { ':attempt': [attemptItem(attempt)] },
      }),

    noteTried: ({ entry, at }) =>
      changeEntry('noteTried', entry, { set: [`${attributeOf.triedAt} = :at`], values: { ':at': at } }),

    noteMissing: ({ entry }) =>
      changeEntry('noteMissing', entry, {
        set: [`${attributeOf.missingLooks} = :after`],
        values: { ':after': entry.missingLooks + 1 },
      }),

    finalize: async (finalizations) => {
      const finalizeChunk = async (chunk: readonly Finalization[]): Promise<Entry[]> => {
        if (await writeAll(chunk.flatMap(writes.finalize))) return chunk.map(({ entry }) => entry);
        // One entry that another waiter finalized cancels all of them; then each is tried alone.
        const finalized: Entry[] = [];
        for (const finalization of chunk) {
          const isFinalized =
            (await writeAll(writes.finalize(finalization))) ||
            (await writeAll(writes.finalizeOutdated(finalization)));
          if (isFinalized) finalized.push(finalization.entry);
        }
        return finalized;
      };
      const chunks = packed(finalizations, roomFor);
      return (await inParallel(chunks, { atOnce: chunksAtOnce, run: finalizeChunk })).flat();
    },

    supersede: async ({ entry, successor }) => {
      if (await writeAll(writes.supersede(entry, successor))) return true;
      await writeAll(writes.endOutdated(entry));
      return false;
    },

    drop: (entry) => changeEntry('drop', entry),
  };
};
