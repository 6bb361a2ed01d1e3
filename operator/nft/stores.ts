import { dynamoDbChanges } from '../../shared/adapters/dynamodb/changes.ts';
import { dynamoDbContracts } from '../../shared/adapters/dynamodb/contracts.ts';
import { dynamoDbNfts } from '../../shared/adapters/dynamodb/nfts.ts';
import { dynamoDbSigners } from '../../shared/adapters/dynamodb/signers.ts';
import { dynamoDbTransactionLog } from '../../shared/adapters/dynamodb/transactions.ts';
import { documentsOf } from '../stores.ts';
import type { Target } from '../target.ts';

export const nftsOf = (target: Target) =>
  dynamoDbNfts({ client: documentsOf(target), tableName: target.output('NftsTable') });

export const contractsOf = (target: Target) =>
  dynamoDbContracts({ client: documentsOf(target), tableName: target.output('ContractsTable') });

export const changesOf = (target: Target) =>
  dynamoDbChanges({ client: documentsOf(target), tableName: target.output('TransactionsTable') });

/** The transaction log and its signers, as far as they can be read without a key. */
export const transactionsOf = (target: Target) => {
  const client = documentsOf(target);
  const transactionsTable = target.output('TransactionsTable');
  return {
    transactionsTable,
    signers: dynamoDbSigners({ client, tableName: target.output('SignersTable') }),
    transactionLog: dynamoDbTransactionLog({
      client,
      tables: {
        contracts: target.output('ContractsTable'),
        nfts: target.output('NftsTable'),
        transactions: transactionsTable,
        requests: target.output('RequestsTable'),
      },
    }),
  };
};
