/**
 * The transaction log in DynamoDB. What it writes and reads is in the files beside it:
 *
 * | file | what it has |
 * |---|---|
 * | `recording-writes.ts` | the writes that record an entry with its resource, and what the refusal of each means |
 * | `update-writes.ts` | those of them that change a token or a contract |
 * | `transaction-writes.ts` | the writes of later changes of an entry: its attempts, its outcome, its successor |
 * | `entry-changes.ts` | the write of the entry itself, on the condition of `transitions.ts` |
 * | `following-writes.ts` | the writes of what follows an entry: its contract, its tokens, the records of its changes |
 * | `conditions.ts` | the conditions of all these |
 * | `cancellations.ts` | why DynamoDB has cancelled a transaction |
 * | `transaction-items.ts`, `purposes.ts` | the forms of items |
 */

import { createHash } from 'node:crypto';
import type { CancellationReason } from '@aws-sdk/client-dynamodb';
import { inParallel } from '../../platform/in-parallel.ts';
import {
  cancellationReasons,
  conditionHeld,
  type DocumentClient,
  queryPages,
  transactionWritesAtMost,
} from '../../platform/store/client.ts';
import { jitteredPause, type Pause } from '../../platform/time/backoff.ts';
import type { Finalization, Recording, RecordOutcome, TransactionLog } from '../ports/transaction-log.ts';
import { unminted } from '../reservations/stand-in.ts';
import { isGone } from '../tokens/gone.ts';
import { type Entry, hashesOf, type LoggedEntry, lastAttempt } from '../transactions/entry.ts';
import {
  asksForPatience,
  busyReason,
  isRefused,
  type MeaningOfRefusal,
  type RecordingWrite,
  reasonsText,
  takenKey,
} from './cancellations.ts';
import { dynamoDbEntries } from './entries.ts';
import { entryChange } from './entry-changes.ts';
import { type FollowingWrite, type ItemNames, itemOf } from './following-writes.ts';
import { entryKey, type NftTables, nftKey, nftOf } from './nft-items.ts';
import { recordingWrites, referenceOf } from './recording-writes.ts';
import { attemptItem, parseEntry } from './transaction-items.ts';
import { transactionWrites } from './transaction-writes.ts';

const chunksAtOnce = 4;

const triesAtMost = 5;

/** DynamoDB recognizes a retried recording by this token. A token may have at most 36 characters. */
const requestToken = (entry: Entry): string =>
  createHash('sha256')
    .update(`${entry.signer}#${entry.nonce}#${hashesOf(entry).join()}`)
    .digest('base64url')
    .slice(0, 36);

/**
 * Splits elements, in order, into groups. `itemsOf` returns the items of an element. A group has at most `atMost` items,
 * and no item belongs to two of its elements.
 */
const apart = <Each>(
  all: readonly Each[],
  { atMost, itemsOf }: { readonly atMost: number; readonly itemsOf: (each: Each) => readonly string[] },
): Each[][] => {
  const groups: Each[][] = [];
  let written = new Set<string>();
  for (const each of all) {
    const items = itemsOf(each);
    const isFull = written.size + items.length > atMost || items.some((item) => written.has(item));
    if (groups.length === 0 || isFull) {
      groups.push([]);
      written = new Set();
    }
    groups.at(-1)?.push(each);
    for (const item of items) written.add(item);
  }
  return groups;
};

export const dynamoDbTransactionLog = ({
  client,
  tables,
  pause = jitteredPause,
}: {
  readonly client: DocumentClient;
  readonly tables: NftTables;
  /** Pauses before a write that conflicted is repeated. @default jitteredPause */
  readonly pause?: Pause;
}): TransactionLog => {
  const writes = transactionWrites(tables);
  const writesOf = recordingWrites(tables);

  const read = async (table: string, key: Record<string, string>) => {
    const { Item } = await client.get({ TableName: table, Key: key, ConsistentRead: true });
    return Item;
  };

  const { find } = dynamoDbEntries({ client, tableName: tables.transactions });

  /** The outcome of a recording of which this write was refused first. `undefined`: there is none. */
  const outcomeOf = async (
    refusal: MeaningOfRefusal,
    recording: Recording,
  ): Promise<RecordOutcome | undefined> => {
    switch (refusal.outcome) {
      case 'key-taken':
        return takenKey({ client, tableName: tables.requests }, refusal.hold);
      case 'nonce-taken': {
        const { entry } = recording;
        const found = await find(entry);
        const isOurs = found !== undefined && hashesOf(found).includes(lastAttempt(entry).hash);
        return { outcome: isOurs ? 'recorded' : 'nonce-used' };
      }
      case 'not-burnable': {
        const item = await read(tables.nfts, nftKey(refusal.token));
        const token = item && nftOf(item);
        if (token === undefined || isGone(token))
          return { outcome: 'already-gone', result: referenceOf(recording) };
        const { contract: address, tokenId } = refusal.token;
        return token.nonce === unminted.nonce
          ? { outcome: 'token-changed', address, tokenId }
          : { outcome: 'outdated' };
      }
      case 'unexplained':
        return undefined;
      default:
        return refusal;
    }
  };

  /**
   * Finds out why a recording was refused. Whoever has the idempotency key has its result, so the key comes first. If the
   * recording may be tried again, the conditions that failed are judged by the next try.
   */
  const refusalOf = async (
    recording: Recording,
    {
      tried,
      reasons,
      cause,
    }: {
      readonly tried: readonly RecordingWrite[];
      readonly reasons: readonly CancellationReason[];
      readonly cause: unknown;
    },
  ): Promise<RecordOutcome> => {
    const refusals = tried
      .filter((_, index) => isRefused(reasons[index]))
      .map(({ refusedMeans }) => refusedMeans);
    const taken = refusals.find(({ outcome }) => outcome === 'key-taken');
    const busy = busyReason(reasons);
    if (taken === undefined && busy !== undefined) return { outcome: 'busy', reason: busy };
    const first = taken ?? refusals[0];
    const outcome = first && (await outcomeOf(first, recording));
    if (outcome !== undefined) return outcome;
    throw new Error(`Nonce ${recording.entry.nonce} cannot be recorded: ${reasonsText(reasons)}`, { cause });
  };

  /** Writes all items or none. Returns the writes whose condition failed. */
  const writeAll = async (all: readonly FollowingWrite[]): Promise<readonly FollowingWrite[]> => {
    for (let tried = 1; ; tried += 1) {
      try {
        await client.transactWrite({ TransactItems: all.map(({ write }) => write) });
        return [];
      } catch (error) {
        const reasons = cancellationReasons(error);
        if (reasons === undefined) throw error;
        const refused = all.filter((_, index) => isRefused(reasons[index]));
        if (refused.length > 0) return refused;
        if (busyReason(reasons) === undefined) {
          throw new Error(`A change cannot be written: ${reasonsText(reasons)}`, { cause: error });
        }
        if (tried >= triesAtMost) throw error;
        await pause(tried);
      }
    }
  };

  /**
   * Executes the writes that `writesFor` builds. A write is refused if its item is outdated: a newer change has
   * replaced the entry's change there. `writesFor` then gets the outdated items and builds new writes, until no write
   * is refused. Returns the outdated items, or `undefined` if a write was refused for another reason.
   */
  const writeCurrent = async (
    writesFor: (outdated: ItemNames) => readonly FollowingWrite[],
  ): Promise<ItemNames | undefined> => {
    const outdated = new Set<string>();
    for (;;) {
      const refused = await writeAll(writesFor(outdated));
      if (refused.length === 0) return outdated;
      if (!refused.every(({ mayBeOutdated }) => mayBeOutdated)) return undefined;
      for (const { write } of refused) outdated.add(itemOf(write));
    }
  };

  const changeEntry = (...change: Parameters<typeof entryChange>): Promise<boolean> => {
    const [, entry] = change;
    return conditionHeld(
      client.update({
        TableName: tables.transactions,
        Key: entryKey(entry),
        ...entryChange(...change),
      }),
    );
  };

  return {
    find,

    range: async ({ signer, from, to }) => {
      if (from >= to) return [];
      const entries: LoggedEntry[] = [];
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
      const tried = writesOf(recording);
      try {
        await client.transactWriteOnce({
          ClientRequestToken: requestToken(recording.entry),
          TransactItems: tried.map(({ write }) => write),
        });
        return { outcome: 'recorded' };
      } catch (error) {
        if (asksForPatience(error)) return { outcome: 'busy', reason: error.name };
        const reasons = cancellationReasons(error);
        if (reasons === undefined) throw error;
        return refusalOf(recording, { tried, reasons, cause: error });
      }
    },

    appendAttempt: ({ entry, attempt }) =>
      changeEntry('appendAttempt', entry, {
        set: ['attempts = list_append(attempts, :attempt)'],
        values: { ':attempt': [attemptItem(attempt)] },
      }),

    noteTried: ({ entry, at }) =>
      changeEntry('noteTried', entry, { set: ['triedAt = :at'], values: { ':at': at } }),

    noteMissing: ({ entry }) =>
      changeEntry('noteMissing', entry, {
        set: ['missingLooks = :after'],
        values: { ':after': entry.missingLooks + 1 },
      }),

    finalize: async (finalizations) => {
      const finalizeChunk = async (chunk: readonly Finalization[]): Promise<Entry[]> => {
        const refused = await writeAll(chunk.flatMap((each) => writes.finalize(each)));
        if (refused.length === 0) return chunk.map(({ entry }) => entry);
        // If another waiter has finalized one of the entries of a chunk, the whole chunk is cancelled. In that case
        // each entry is written alone.
        const finalized: Entry[] = [];
        for (const finalization of chunk) {
          const outdated = await writeCurrent((items) => writes.finalize(finalization, items));
          if (outdated !== undefined) finalized.push(finalization.entry);
        }
        return finalized;
      };
      // A token's mint and a later change of the token may become final in the same round. Both write the token's item,
      // so their DynamoDB transactions must run one after the other.
      const itemsOf = (finalization: Finalization) =>
        writes.finalize(finalization).map(({ write }) => itemOf(write));
      const chunks = apart(finalizations, { atMost: transactionWritesAtMost, itemsOf });
      const waves = apart(chunks, {
        atMost: Number.POSITIVE_INFINITY,
        itemsOf: (chunk) => chunk.flatMap(itemsOf),
      });
      const finalized: Entry[] = [];
      for (const wave of waves) {
        finalized.push(...(await inParallel(wave, { atOnce: chunksAtOnce, run: finalizeChunk })).flat());
      }
      return finalized;
    },

    supersede: async ({ entry, successor }) => {
      const outdated = await writeCurrent((items) => writes.supersede(entry, successor, items));
      return outdated !== undefined && !writes.isOutdated(entry, outdated);
    },

    drop: (entry) => changeEntry('drop', entry),

    failLostBurn: async (token, { field, change }) => {
      await conditionHeld(
        client.update({
          TableName: tables.nfts,
          Key: nftKey(token),
          UpdateExpression: 'SET #burn.#status = :failed, #burn.failureReason = :reason',
          ConditionExpression: '#burn.#status = :pending AND #burn.nonce = :nonce',
          ExpressionAttributeNames: { '#burn': field, '#status': 'status' },
          ExpressionAttributeValues: {
            ':pending': 'pending',
            ':nonce': change.nonce,
            ':failed': 'failed',
            ':reason': 'LOST: the transaction is not known any more',
          },
        }),
      );
    },
  };
};
