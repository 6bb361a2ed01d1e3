import { setTimeout } from 'node:timers/promises';
import { DescribeTableCommand } from '@aws-sdk/client-dynamodb';
import { copyTable } from '../../../operator/stage/restore/copy-table.ts';
import { restorable } from '../../../operator/stage/restore/tables.ts';
import type { Hash } from '../../../shared/chain/hex.ts';
import { finishRestore } from '../../../shared/nft/restored/finish-restore.ts';
import { mintedAfter } from '../../../shared/nft/restored/minted-after.ts';
import { nothingUndecided } from '../../../shared/nft/restored/undecided.ts';
import { dynamoDbRestoredEntries } from '../../../shared/nft/store/restored-entries.ts';
import type { Entry, Told } from '../../../shared/nft/transactions/entry.ts';
import type { DocumentClient } from '../../../shared/platform/store/client.ts';
import { toldKinds } from '../../../shared/platform/watched.ts';
import type { TestDatabase } from '../platform/dynamodb.ts';
import type { World } from './world.ts';

/** The tables that come back together, in their order. */
const names = ['requests', 'contracts', 'nfts', 'transactions'] as const;
const ids = {
  requests: 'Requests',
  contracts: 'Contracts',
  nfts: 'Nfts',
  transactions: 'Transactions',
} as const;

export type KeptNfts = Readonly<Record<(typeof ids)[keyof typeof ids], string>>;

/** Brings the tables of a world back, as `operator restore` does. */
export const restoreNfts = async (
  world: World,
  {
    kept,
    client,
    only = names,
    toldAbout = async () => [],
  }: {
    readonly toldAbout?: (entry: Entry) => Promise<readonly Told[]>;
    readonly kept: KeptNfts;
    readonly client: DocumentClient;
    readonly only?: readonly (typeof names)[number][];
  },
) => {
  const undecided = nothingUndecided();
  const ports = world.portsOver(client);
  const { Contracts: contracts, Nfts: nfts, Transactions: transactions, Requests: requests } = world.tables;
  const dependencies = {
    ...world.passDependencies(ports, world.executions),
    contracts: ports.contracts,
    restoredEntries: dynamoDbRestoredEntries({
      client,
      tables: { contracts, nfts, transactions, requests },
    }),
    wait: async () => {
      await setTimeout(100);
    },
  };
  const counts = [];
  for (const name of names.filter((each) => only.includes(each))) {
    const tables = {
      live: { client, tableName: world.tables[ids[name]] },
      restored: { client, tableName: kept[ids[name]] },
    };
    const context = {
      liveName: (output: string) => world.tables[output.replace('Table', '') as keyof typeof world.tables],
      signing: 'none' as const,
      undecided,
      toldAbout,
      mintedAfter: (...[key, after]: [Parameters<typeof mintedAfter>[1], number]) =>
        mintedAfter(dependencies, key, after),
    };
    const table = restorable[name].of(tables, context);
    counts.push(...(await copyTable({ ...tables, table, clock: Date.now })));
  }
  return { counts, ...(await finishRestore(dependencies, { undecided })) };
};

interface Image {
  readonly status?: { readonly S: string };
  readonly purpose?: { readonly M: { readonly kind: { readonly S: string } } };
  readonly minedHash?: { readonly S: Hash };
  readonly decidedAt?: { readonly N: string };
}

/**
 * What customers were notified of, oldest first: the nonces and outcomes in the records that the publisher's filter admits.
 */
export const toldDecisions = async (
  database: TestDatabase,
  world: World,
): Promise<readonly (Told & { readonly nonce: number })[]> => {
  const { Table } = await database.client.send(
    new DescribeTableCommand({ TableName: world.tables.Transactions }),
  );
  const told: (Told & { readonly nonce: number })[] = [];
  let after: string | undefined;
  for (;;) {
    const records = await database.engine.readStream({
      streamArn: Table?.LatestStreamArn ?? '',
      limit: 1_000,
      ...(after !== undefined && { after }),
    });
    for (const { eventName, dynamodb } of records) {
      const [before, now] = [dynamodb.OldImage as Image, dynamodb.NewImage as Image];
      const isDecided = ['confirmed', 'failed'].includes(now?.status?.S ?? '');
      const isTold = (toldKinds as readonly string[]).includes(now?.purpose?.M.kind.S ?? '');
      if (eventName === 'MODIFY' && before?.status?.S === 'pending' && isDecided && isTold) {
        told.push({
          nonce: Number((dynamodb.Keys.sk as { readonly S: string }).S),
          hash: now.minedHash?.S ?? '0x',
          at: Number(now.decidedAt?.N),
        });
      }
    }
    after = records.at(-1)?.dynamodb.SequenceNumber;
    if (after === undefined) return told;
  }
};
