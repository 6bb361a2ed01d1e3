/** Runs the operator's command `restore` with the simulator's parts in place of AWS. */

import { tokenCallDependencies } from '../../functions/nft/token-dependencies.ts';
import { logDependencies } from '../../functions/nft/transacting-dependencies.ts';
import { copyTables } from '../../operator/stage/restore/copy-tables.ts';
import type { RestorableName } from '../../operator/stage/restore/tables.ts';
import { finishRestore } from '../../shared/nft/restored/finish-restore.ts';
import type { GivenOutcomes } from '../../shared/nft/restored/give-outcomes.ts';
import { mintedAfter } from '../../shared/nft/restored/minted-after.ts';
import { nothingUndecided } from '../../shared/nft/restored/undecided.ts';
import { dynamoDbRestoredEntries } from '../../shared/nft/store/restored-entries.ts';
import { dynamoDbApplications } from '../../shared/platform/store/applications.ts';

/** The tables that are restored together. */
export const together = [
  'requests',
  'contracts',
  'nfts',
  'transactions',
] as const satisfies readonly RestorableName[];

/** Each table's name, by the output of the stack that has it. */
export const liveNames = {
  RequestsTable: 'Requests',
  ContractsTable: 'Contracts',
  NftsTable: 'Nfts',
  TransactionsTable: 'Transactions',
} as const;

type Environment = Parameters<typeof tokenCallDependencies>[0];
type Around = NonNullable<Parameters<typeof tokenCallDependencies>[1]> & {
  readonly wait: (milliseconds: number) => Promise<void>;
};

/** The dependencies of the command. */
export const restoringDependencies = (environment: Environment, around: Around) => ({
  ...tokenCallDependencies(environment, around),
  ...logDependencies(environment, around.client),
  client: around.client,
  // Not cached, as in the command line.
  applications: dynamoDbApplications({ client: around.client, tableName: environment.APPLICATIONS_TABLE }),
  restoredEntries: dynamoDbRestoredEntries({
    client: around.client,
    tables: {
      contracts: environment.CONTRACTS_TABLE,
      nfts: environment.NFTS_TABLE,
      transactions: environment.TRANSACTIONS_TABLE,
      requests: environment.REQUESTS_TABLE,
    },
  }),
  wait: () => around.wait(2 * environment.BLOCK_MILLISECONDS),
});

export type RestoringDependencies = ReturnType<typeof restoringDependencies>;

/**
 * Brings the tables back from those that `sources` names. `onCounted` hears as of which block the tokens of a contract are
 * counted.
 */
export const restoreTables = async (
  dependencies: RestoringDependencies,
  {
    sources,
    onCounted,
  }: {
    readonly sources: ReadonlyMap<RestorableName, string>;
    readonly onCounted: (contract: string, height: number) => void;
  },
): Promise<GivenOutcomes> => {
  const undecided = nothingUndecided();
  await copyTables({
    client: dependencies.client,
    sources,
    isDryRun: false,
    clock: dependencies.clock,
    context: {
      liveName: (output) => (liveNames as Readonly<Record<string, string>>)[output] ?? output,
      signing: 'none',
      undecided,
      toldAbout: async () => [],
      mintedAfter: (key, after) => {
        const finalizedBlock = async () => {
          const at = await dependencies.chain.finalizedBlock();
          onCounted(key.contract, at.number);
          return at;
        };
        return mintedAfter({ ...dependencies, chain: { ...dependencies.chain, finalizedBlock } }, key, after);
      },
    },
  });
  return finishRestore(dependencies, { undecided });
};
