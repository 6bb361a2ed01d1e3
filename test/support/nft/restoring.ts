import { setTimeout } from 'node:timers/promises';
import { DescribeTableCommand } from '@aws-sdk/client-dynamodb';
import { copyTable } from '../../../operator/stage/restore/copy-table.ts';
import { restorable } from '../../../operator/stage/restore/tables.ts';
import { mintedAfter } from '../../../shared/nft/restored/minted-after.ts';
import { settleReserved } from '../../../shared/nft/restored/settle-reserved.ts';
import { settleRestored } from '../../../shared/nft/restored/settle-restored.ts';
import { undecidedEntries } from '../../../shared/nft/restored/undecided-entries.ts';
import { dynamoDbRestoredEntries } from '../../../shared/nft/store/restored-entries.ts';
import { nothingUndecided } from '../../../shared/nft/store/restored-nfts.ts';
import { keyRing } from '../../../shared/nft/transactions/key-ring.ts';
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
  }: {
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
    keys: keyRing([ports.signer]),
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
      mintedAfter: (...[key, after]: [Parameters<typeof mintedAfter>[1], number]) =>
        mintedAfter(dependencies, key, after),
    };
    const table = restorable[name].of(tables, context);
    counts.push(...(await copyTable({ ...tables, table, clock: Date.now })));
  }
  const entries = await undecidedEntries(ports, undecided);
  const settled = await settleRestored(dependencies, { entries });
  await settleReserved(dependencies, { lost: undecided.reservations, settled: entries });
  return { counts, settled };
};

interface Image {
  readonly status?: { readonly S: string };
  readonly purpose?: { readonly M: { readonly kind: { readonly S: string } } };
}

/**
 * The nonces whose outcome customers were notified of: the nonces in the records that the publisher's filter admits.
 */
export const toldNonces = async (database: TestDatabase, world: World): Promise<number[]> => {
  const { Table } = await database.client.send(
    new DescribeTableCommand({ TableName: world.tables.Transactions }),
  );
  const told: number[] = [];
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
        told.push(Number((dynamodb.Keys.sk as { readonly S: string }).S));
      }
    }
    after = records.at(-1)?.dynamodb.SequenceNumber;
    if (after === undefined) return told;
  }
};
