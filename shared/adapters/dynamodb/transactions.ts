import { createHash } from 'node:crypto';
import {
  type CancellationReason,
  ConditionalCheckFailedException,
  TransactionCanceledException,
  TransactionInProgressException,
} from '@aws-sdk/client-dynamodb';
import {
  type DynamoDBDocumentClient,
  GetCommand,
  paginateQuery,
  TransactWriteCommand,
  UpdateCommand,
} from '@aws-sdk/lib-dynamodb';
import type { Recording, RecordOutcome, TransactionLog } from '../../nft/ports/transaction-log.ts';
import { type Entry, hashesOf, lastAttempt } from '../../nft/transactions/entry.ts';
import { parseClaim } from './claims.ts';
import { claimKey, entryKey, type NftTables } from './nft-items.ts';
import { attemptItem, parseEntry } from './transaction-items.ts';
import { hasTheAttemptsRead, isPending, transactionWrites, type Write } from './transaction-writes.ts';

/** As many as DynamoDB makes all or none of ("Amazon DynamoDB Transactions: How it works"). */
const writesAtMost = 100;

/** Says to DynamoDB that a recording made again is the same one. At most 36 characters. */
const requestToken = (entry: Entry): string =>
  createHash('sha256')
    .update(`${entry.signer}#${entry.nonce}#${hashesOf(entry).join()}`)
    .digest('base64url')
    .slice(0, 36);

/** In their order, as many together as one transaction has room for. None needs more than that alone. */
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
  readonly client: DynamoDBDocumentClient;
  readonly tables: NftTables;
}): TransactionLog => {
  const writes = transactionWrites(tables);

  const read = async (table: string, key: Record<string, string>) => {
    const { Item } = await client.send(new GetCommand({ TableName: table, Key: key, ConsistentRead: true }));
    return Item;
  };

  const find: TransactionLog['find'] = async (key) => {
    const item = await read(tables.transactions, entryKey(key));
    return item === undefined ? undefined : parseEntry(item);
  };

  /** What is there now says why; it is read consistently, since a reason alone tells of no result. */
  const refusalOf = async (
    { entry, claim }: Recording,
    reasons: readonly CancellationReason[],
    cause: unknown,
  ): Promise<RecordOutcome> => {
    if (claim !== undefined && reasons.at(-1)?.Code === 'ConditionalCheckFailed') {
      const found = parseClaim(await read(tables.requests, claimKey(claim.scope)));
      return found?.state === 'done'
        ? { outcome: 'key-done', result: found.result }
        : { outcome: 'key-lost' };
    }
    if (reasons.some(({ Code }) => Code === 'TransactionConflict')) return { outcome: 'conflict' };
    if (reasons[0]?.Code === 'ConditionalCheckFailed') {
      const found = await find(entry);
      const isOurs = found !== undefined && hashesOf(found).includes(lastAttempt(entry).hash);
      return { outcome: isOurs ? 'recorded' : 'nonce-used' };
    }
    throw cause;
  };

  const writeAll = async (items: Write[]): Promise<boolean> => {
    try {
      await client.send(new TransactWriteCommand({ TransactItems: items }));
      return true;
    } catch (error) {
      if (error instanceof TransactionCanceledException) return false;
      throw error;
    }
  };

  const updateEntry = async (
    entry: Entry,
    change: Omit<ConstructorParameters<typeof UpdateCommand>[0], 'TableName' | 'Key'>,
  ): Promise<boolean> => {
    try {
      await client.send(
        new UpdateCommand({ TableName: tables.transactions, Key: entryKey(entry), ...change }),
      );
      return true;
    } catch (error) {
      if (error instanceof ConditionalCheckFailedException) return false;
      throw error;
    }
  };

  return {
    find,

    range: async ({ signer, from, to }) => {
      if (from >= to) return [];
      const entries: Entry[] = [];
      const pages = paginateQuery(
        { client },
        {
          TableName: tables.transactions,
          ConsistentRead: true,
          KeyConditionExpression: 'pk = :pk AND sk BETWEEN :from AND :to',
          ExpressionAttributeValues: {
            ':pk': signer,
            ':from': entryKey({ signer, nonce: from }).sk,
            ':to': entryKey({ signer, nonce: to - 1 }).sk,
          },
        },
      );
      for await (const { Items = [] } of pages) entries.push(...Items.map(parseEntry));
      return entries;
    },

    record: async (recording) => {
      try {
        await client.send(
          new TransactWriteCommand({
            ClientRequestToken: requestToken(recording.entry),
            TransactItems: writes.record(recording),
          }),
        );
        return { outcome: 'recorded' };
      } catch (error) {
        if (error instanceof TransactionInProgressException) return { outcome: 'conflict' };
        if (!(error instanceof TransactionCanceledException)) throw error;
        return refusalOf(recording, error.CancellationReasons ?? [], error);
      }
    },

    appendAttempt: ({ entry, attempt }) =>
      updateEntry(entry, {
        UpdateExpression: 'SET attempts = list_append(attempts, :attempt)',
        ConditionExpression: `${hasTheAttemptsRead} AND #status <> :superseded`,
        ExpressionAttributeNames: { '#status': 'status' },
        ExpressionAttributeValues: {
          ':attempt': [attemptItem(attempt)],
          ':attempts': entry.attempts.length,
          ':superseded': 'superseded',
        },
      }),

    noteAccepted: ({ entry, at }) =>
      updateEntry(entry, {
        UpdateExpression: 'SET acceptedAt = :at',
        ConditionExpression: 'attribute_exists(pk) AND attribute_not_exists(acceptedAt)',
        ExpressionAttributeValues: { ':at': at },
      }),

    noteMissing: ({ entry }) =>
      updateEntry(entry, {
        UpdateExpression: 'SET missingPasses = :after',
        ConditionExpression: `missingPasses = :before AND ${hasTheAttemptsRead}`,
        ExpressionAttributeValues: {
          ':before': entry.missingPasses,
          ':after': entry.missingPasses + 1,
          ':attempts': entry.attempts.length,
        },
      }),

    finalize: async (finalizations) => {
      const finalized: Entry[] = [];
      for (const chunk of packed(finalizations, (finalization) => writes.finalize(finalization).length)) {
        if (await writeAll(chunk.flatMap(writes.finalize))) {
          finalized.push(...chunk.map(({ entry }) => entry));
          continue;
        }
        // One that another waiter finalized cancels all of them; each then goes on its own.
        for (const finalization of chunk) {
          if (await writeAll(writes.finalize(finalization))) finalized.push(finalization.entry);
        }
      }
      return finalized;
    },

    supersede: ({ entry, successor }) => writeAll(writes.supersede(entry, successor)),

    drop: (entry) =>
      updateEntry(entry, {
        UpdateExpression: 'SET #status = :superseded',
        ConditionExpression: `${isPending} AND ${hasTheAttemptsRead}`,
        ExpressionAttributeNames: { '#status': 'status' },
        ExpressionAttributeValues: {
          ':pending': 'pending',
          ':superseded': 'superseded',
          ':attempts': entry.attempts.length,
        },
      }),
  };
};
