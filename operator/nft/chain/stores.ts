import { logDependencies, type TransactingStage } from '../../../functions/nft/transacting-dependencies.ts';
import { dynamoDbChanges } from '../../../shared/nft/store/changes.ts';
import { dynamoDbContracts } from '../../../shared/nft/store/contracts.ts';
import { dynamoDbHistoryLines } from '../../../shared/nft/store/history-lines.ts';
import { dynamoDbNfts } from '../../../shared/nft/store/nfts.ts';
import { dynamoDbUserTokens } from '../../../shared/nft/store/user-tokens.ts';
import { documentsOf } from '../../platform/target/stores.ts';
import type { Target } from '../../platform/target/target.ts';

export const nftsOf = (target: Target) =>
  dynamoDbNfts({ client: documentsOf(target), tableName: target.output('NftsTable') });

export const userTokensOf = (target: Target) =>
  dynamoDbUserTokens({ client: documentsOf(target), tableName: target.output('NftsTable') });

export const contractsOf = (target: Target) =>
  dynamoDbContracts({ client: documentsOf(target), tableName: target.output('ContractsTable') });

export const changesOf = (target: Target) =>
  dynamoDbChanges({ client: documentsOf(target), tableName: target.output('TransactionsTable') });

export const historyLinesOf = (target: Target) =>
  dynamoDbHistoryLines({ client: documentsOf(target), tableName: target.output('TokenHistoryTable') });

/** The tables of the transaction log, under the names of the functions' environment variables. */
export const logTablesOf = (target: Target) =>
  ({
    CONTRACTS_TABLE: target.output('ContractsTable'),
    NFTS_TABLE: target.output('NftsTable'),
    TRANSACTIONS_TABLE: target.output('TransactionsTable'),
    SIGNERS_TABLE: target.output('SignersTable'),
    REQUESTS_TABLE: target.output('RequestsTable'),
  }) satisfies Partial<TransactingStage>;

/** The stores of log entries and of signers' states, for commands that sign nothing. */
export const transactionsOf = (target: Target) => logDependencies(logTablesOf(target), documentsOf(target));
