import {
  getContractOperation,
  getTokenHistoryOperation,
  getTokenOperation,
  listContractsOperation,
  listTokensOperation,
} from '../../../shared/nft/http/read-operations.ts';
import { parseEnvironment } from '../../../shared/platform/environment.ts';
import { operationFunction, operationsFunction } from '../../../shared/platform/http/operation-function.ts';
import { collectionsDependencies, collectionsEnvironment } from '../reading-dependencies.ts';
import { getContractHandler } from './get-contract-handler.ts';
import { getTokenHandler } from './get-token-handler.ts';
import { getTokenHistoryHandler } from './get-token-history-handler.ts';
import { listContractsHandler } from './list-contracts-handler.ts';
import { listTokensHandler } from './list-tokens-handler.ts';

const environment = parseEnvironment(collectionsEnvironment);
export type Environment = typeof environment;
const dependencies = collectionsDependencies(environment);

export const handler = operationsFunction([
  [listContractsOperation, operationFunction(listContractsOperation, listContractsHandler(dependencies))],
  [getContractOperation, operationFunction(getContractOperation, getContractHandler(dependencies))],
  [listTokensOperation, operationFunction(listTokensOperation, listTokensHandler(dependencies))],
  [getTokenOperation, operationFunction(getTokenOperation, getTokenHandler(dependencies))],
  [
    getTokenHistoryOperation,
    operationFunction(getTokenHistoryOperation, getTokenHistoryHandler(dependencies)),
  ],
]);
