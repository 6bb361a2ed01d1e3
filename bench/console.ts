import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { countNotifications } from '../operator/customers/notification-counts.ts';
import { findNotification, sentMoments } from '../operator/find/notification-moments.ts';
import { findEvent } from '../operator/find/people-stories.ts';
import { findHash } from '../operator/find/transaction-stories.ts';
import { signersNow } from '../operator/now/signers-now.ts';
import { createOutput } from '../operator/output.ts';
import { dynamoDbCatalogue } from '../shared/adapters/dynamodb/catalogue.ts';
import { itemsOf } from '../shared/adapters/dynamodb/event-items.ts';
import { dynamoDbNotificationRecords } from '../shared/adapters/dynamodb/notification-records.ts';
import { dynamoDbSigners } from '../shared/adapters/dynamodb/signers.ts';
import { entryItem } from '../shared/adapters/dynamodb/transaction-items.ts';
import { dynamoDbTransactionLog } from '../shared/adapters/dynamodb/transactions.ts';
import type { Entry } from '../shared/nft/entry.ts';
import type { Hash } from '../shared/nft/hex.ts';
import { aSignerState } from '../test/support/nft/signer-state.ts';
import { anEvent } from '../test/support/ott/builders.ts';
import { embeddedTables } from './embedded-tables.ts';
import { type Measurement, percentile } from './measurement.ts';

const sizes = { entries: 100_000, events: 20_000, notifications: 1_000_000, printedRows: 8_000 } as const;
const users = 1_000;
const rounds = 30;
const dayMilliseconds = 24 * 60 * 60 * 1_000;

const signer = aSignerState().id;
const now = Date.now();
const hashOf = (nonce: number): Hash => `0x${nonce.toString(16).padStart(64, '0')}`;
const subOf = (index: number): string => (index % users).toString(16).padStart(32, '0');

const entryOf = (nonce: number): Entry => ({
  signer,
  nonce,
  purpose: {
    kind: 'mint',
    application: 'demo',
    contract: '0x00000000000000000000000000000000000000bb',
    firstTokenId: String(nonce + 1),
    destinations: ['0x00000000000000000000000000000000000000cc'],
  },
  gas: 160_000n,
  attempts: [
    {
      hash: hashOf(nonce),
      raw: `0x${'ab'.repeat(400)}`,
      maxFeePerGas: 30_000_000_000n,
      maxPriorityFeePerGas: 1_000_000_000n,
      signedAt: now - 5_000,
    },
  ],
  status: 'pending',
  missingLooks: 0,
});

/** A day's messages, as the records of notifications keep them. */
const notificationItem = (index: number) => {
  const publishedAt = now - Math.floor((index * dayMilliseconds) / sizes.notifications);
  const time = new Date(publishedAt).toISOString();
  return {
    pk: `MESSAGE#${index}`,
    sk: 'SENT',
    application_id: 'demo',
    published_at: publishedAt,
    message: JSON.stringify({
      operation_type: 'data_update',
      application_user_sub: subOf(index),
      date_time: `${time.slice(0, -1)}000`,
    }),
    application_day: `demo#${time.slice(0, 10)}`,
    listed: `${time}#${index}`,
    subject: `demo#data_update#${subOf(index)}`,
  };
};

function* upTo<Item>(count: number, itemOf: (index: number) => Item): Generator<Item> {
  for (let index = 0; index < count; index += 1) yield itemOf(index);
}

function* eventItems() {
  for (let index = 0; index < sizes.events; index += 1) yield* itemsOf(anEvent({ id: `event-${index}` }), 1);
}

/** Bytes in use once nothing is left to collect. */
const heapUsed = (): number => {
  setFlagsFromString('--expose-gc');
  runInNewContext('gc')();
  return process.memoryUsage().heapUsed;
};

/** What an operator's terminal of 80 columns is sent. */
const printRows = (): number => {
  const startedAt = performance.now();
  let bytes = 0;
  const sink = {
    write: (text: string) => {
      bytes += text.length;
    },
  };
  createOutput({ json: false, streams: { stdout: { ...sink, columns: 80 }, stderr: sink } }).rows(
    ['event_id', 'status', 'access', 'starts_at', 'title', 'categories', 'stream'],
    Array.from({ length: sizes.printedRows }, (_, index) => ({
      event_id: `event-${index}`,
      status: 'VOD',
      access: 'free',
      starts_at: '2026-05-01T18:00:00.000Z',
      title: `The ${index}th event of a long season`,
      categories: ['football', 'cup'],
      stream: 'hls',
    })),
  );
  if (bytes === 0) throw new Error('Nothing was printed');
  return performance.now() - startedAt;
};

const expectFound = (count: number | undefined, what: string): void => {
  if (count === undefined || count === 0) throw new Error(`Nothing was found of ${what}`);
};

/** What the console shows of full tables: how long each page takes, and what stays in memory of it. */
export const measureConsole = async (): Promise<Measurement[]> => {
  await using tables = await embeddedTables([
    {
      declaredAs: 'Transactions',
      tableName: 'transactions',
      items: upTo(sizes.entries, (n) => entryItem(entryOf(n))),
    },
    { declaredAs: 'Signers', tableName: 'signers', items: [] },
    { declaredAs: 'Events', tableName: 'events', items: eventItems() },
    {
      declaredAs: 'Notifications',
      tableName: 'notifications',
      items: upTo(sizes.notifications, notificationItem),
    },
  ]);
  const client = tables.documents;
  const signers = dynamoDbSigners({ client, tableName: 'signers' });
  await signers.create(aSignerState({ nextNonce: sizes.entries, minedCount: 10 }));
  const none = { contracts: 'none', nfts: 'none', requests: 'none' };
  const transactionLog = dynamoDbTransactionLog({
    client,
    tables: { ...none, transactions: 'transactions' },
  });
  const records = dynamoDbNotificationRecords({ client, tableName: 'notifications' });
  const catalogue = dynamoDbCatalogue({ client, tableName: 'events' });
  const clock = () => now;
  const entries = {
    chain: {
      balance: async () => 1n,
      fees: async () => ({ baseFeePerGas: 1n, maxFeePerGas: 2n, maxPriorityFeePerGas: 1n }),
      receipts: async () => new Map(),
    },
    chainId: 137,
    keys: { list: async () => [] },
    signers,
    transactionLog,
    blockTimes: async () => new Map(),
    senderOf: async () => undefined,
  };
  const nowOf = {
    ...entries,
    keys: { list: async () => [{ id: signer, signer: { number: 1 } as never }] },
    clock,
    settings: {
      inFlightCap: 256,
      replaceAfterMilliseconds: 60_000,
      feeCeiling: 1_000n,
      lowBalance: 1n,
    },
  };
  const user = { operationType: 'data_update', applicationUserSub: subOf(7), dateTime: '' } as const;

  const pages: Readonly<Record<string, (round: number) => Promise<void>>> = {
    'Now: a queue of 100,000': async () => {
      const [shown] = await signersNow(nowOf);
      if (shown?.undecided !== sizes.entries) throw new Error('The queue is not shown whole');
    },
    'Find: a hash that nobody knows, beside them': async () => {
      expectFound(
        (
          await findHash(
            { ...entries, applications: { list: async () => [] }, claims: { ofKey: async () => [] } },
            hashOf(sizes.entries),
          )
        ).moments.length,
        'a hash',
      );
    },
    'Find: one of 20,000 events': async (round) => {
      expectFound((await findEvent({ catalogue }, `event-${round * 600}`))?.moments.length, 'an event');
    },
    'Find: what was told of a user, among a million': async () => {
      expectFound(
        (await sentMoments({ records }, { applicationId: 'demo', message: user })).length,
        'a user',
      );
    },
    'Find: one of a million messages': async (round) => {
      expectFound(
        (await findNotification({ records }, String(Math.floor((round * sizes.notifications) / rounds))))
          ?.moments.length,
        'a message',
      );
    },
    'Customers: what became of its newest': async () => {
      expectFound(
        (await countNotifications({ records, clock }, { applicationId: 'demo' })).published,
        'counts',
      );
    },
  };
  const times = new Map<string, number[]>(Object.keys(pages).map((name) => [name, []]));
  let warm = 0;
  for (let round = 0; round < rounds; round += 1) {
    for (const [name, show] of Object.entries(pages)) {
      const startedAt = performance.now();
      await show(round);
      times.get(name)?.push(performance.now() - startedAt);
    }
    // What is loaded and compiled on the way stays once.
    if (round === Math.floor(rounds / 3)) warm = heapUsed();
  }
  const grown = (heapUsed() - warm) / 2 ** 20;
  const printed = printRows();
  return [
    ...[...times].flatMap(([name, each]): Measurement[] => {
      const [first = Number.NaN] = each;
      return [
        { name, value: percentile(each, 0.5), unit: 'ms' },
        { name: '  the first time (at most 1,000)', value: first, unit: 'ms', holds: first <= 1_000 },
      ];
    }),
    {
      name: `memory that ${rounds - Math.floor(rounds / 3)} rounds more keep (at most 2)`,
      value: grown,
      unit: 'MB',
      holds: grown <= 2,
    },
    { name: '8,000 rows at 80 columns (at most 2,000)', value: printed, unit: 'ms', holds: printed <= 2_000 },
  ];
};
