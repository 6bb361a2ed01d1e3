import { randomUUID } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { TransactionCanceledException } from '@aws-sdk/client-dynamodb';
import {
  GetCommand,
  PutCommand,
  TransactWriteCommand,
  type TransactWriteCommandInput,
  UpdateCommand,
} from '@aws-sdk/lib-dynamodb';
import { createTables, startDatabase, type TestDatabase } from '../../test/support/platform/dynamodb.ts';
import { synthesizeTemplate } from '../../test/support/platform/local-assembly.ts';
import type { Measurement } from './measurement.ts';

/** Usual times of AWS's calls within a Region, in milliseconds. KMS: secp256k1 signatures take 15 to 40. */
const latencies = { read: 5, write: 8, transaction: 20, signature: 25 };

type Tables = Record<'Signers' | 'Transactions' | 'Nfts' | 'Requests', string>;

interface Bench {
  readonly database: TestDatabase;
  readonly tables: Tables;
  readonly signer: string;
  readonly sign: () => Promise<void>;
}

/** A call to AWS, with half of its time before it takes effect and half after. */
const taking = async <Result>(milliseconds: number, call: () => Promise<Result>): Promise<Result> => {
  await setTimeout(milliseconds / 2);
  try {
    return await call();
  } finally {
    await setTimeout(milliseconds / 2);
  }
};

/** The items that every mint records: the entry, the token and the result of the idempotency key. */
const recorded = ({ tables, signer }: Bench, nonce: number) => {
  const token = randomUUID();
  const put = (TableName: string, Item: Readonly<Record<string, unknown>>) => ({
    Put: { TableName, Item, ConditionExpression: 'attribute_not_exists(pk)' },
  });
  return [
    put(tables.Transactions, { pk: signer, sk: String(nonce), status: 'pending' }),
    put(tables.Nfts, { pk: 'demo#contract', sk: token, status: 'pending' }),
    put(tables.Requests, { pk: 'demo', sk: token }),
  ] satisfies TransactWriteCommandInput['TransactItems'];
};

/** Reserves a nonce with an addition, which no other request can make fail, and signs once. */
const reserveFirst = async (bench: Bench): Promise<void> => {
  const { database, tables, signer, sign } = bench;
  const { Attributes } = await taking(latencies.write, () =>
    database.sdk.send(
      new UpdateCommand({
        TableName: tables.Signers,
        Key: { pk: signer },
        UpdateExpression: 'ADD next_nonce :one',
        ExpressionAttributeValues: { ':one': 1 },
        ReturnValues: 'UPDATED_OLD',
      }),
    ),
  );
  await sign();
  const TransactItems = recorded(bench, Number(Attributes?.next_nonce));
  await taking(latencies.transaction, () => database.sdk.send(new TransactWriteCommand({ TransactItems })));
};

/** Reads the next nonce, signs with it, and writes everything if no other request was faster. */
const oneWrite = async (bench: Bench): Promise<void> => {
  const { database, tables, signer, sign } = bench;
  for (;;) {
    const { Item } = await taking(latencies.read, () =>
      database.sdk.send(
        new GetCommand({ TableName: tables.Signers, Key: { pk: signer }, ConsistentRead: true }),
      ),
    );
    const nonce = Number(Item?.next_nonce);
    await sign();
    const next = {
      Update: {
        TableName: tables.Signers,
        Key: { pk: signer },
        UpdateExpression: 'SET next_nonce = :next',
        ConditionExpression: 'next_nonce = :nonce',
        ExpressionAttributeValues: { ':nonce': nonce, ':next': nonce + 1 },
      },
    };
    const TransactItems = [next, ...recorded(bench, nonce)];
    try {
      await taking(latencies.transaction, () =>
        database.sdk.send(new TransactWriteCommand({ TransactItems })),
      );
      return;
    } catch (error) {
      if (!(error instanceof TransactionCanceledException)) throw error;
    }
  }
};

/**
 * How many writers mint at once: one, then as many as a customer has connections, and then as many as a warm stage has
 * environments.
 */
const mintWith = async (
  { database, tables }: Pick<Bench, 'database' | 'tables'>,
  mint: (bench: Bench) => Promise<void>,
  { writers, seconds }: { readonly writers: number; readonly seconds: number },
) => {
  const signer = randomUUID();
  await database.sdk.send(new PutCommand({ TableName: tables.Signers, Item: { pk: signer, next_nonce: 0 } }));
  let signatures = 0;
  let mints = 0;
  const sign = async (): Promise<void> => {
    signatures += 1;
    await setTimeout(latencies.signature);
  };
  const startedAt = performance.now();
  const isOver = (): boolean => performance.now() - startedAt > seconds * 1_000;
  await Promise.all(
    Array.from({ length: writers }, async () => {
      while (!isOver()) {
        await mint({ database, tables, signer, sign });
        mints += 1;
      }
    }),
  );
  return {
    perSecond: (mints * 1_000) / (performance.now() - startedAt),
    signaturesPerMint: signatures / mints,
  };
};

/**
 * How fast one signer's requests are if each reserves its nonce first, as Marquee does, and if one conditional write
 * takes the nonce and records everything. Each call takes as long as on AWS.
 */
export const measureReservation = async (): Promise<Measurement[]> => {
  await synthesizeTemplate();
  const database = await startDatabase();
  try {
    const tables = await createTables(database, ['Signers', 'Transactions', 'Nfts', 'Requests']);
    const measured: Measurement[] = [];
    for (const writers of [1, 8, 70]) {
      const first = await mintWith({ database, tables }, reserveFirst, { writers, seconds: 5 });
      const one = await mintWith({ database, tables }, oneWrite, { writers, seconds: 5 });
      measured.push(
        { name: `${writers} writers, nonce reserved first`, value: first.perSecond, unit: 'mints/s' },
        { name: `${writers} writers, one write`, value: one.perSecond, unit: 'mints/s' },
        { name: `  the first is faster`, value: first.perSecond / one.perSecond, unit: 'times' },
        { name: `  signatures for a mint with one write`, value: one.signaturesPerMint, unit: '' },
      );
    }
    return measured;
  } finally {
    await database.stop();
  }
};
