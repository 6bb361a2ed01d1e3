import {
  getOwnTokenHistoryOperation,
  listUserTokensOperation,
} from '../../../shared/nft/http/user-operations.ts';
import { parseEnvironment } from '../../../shared/platform/environment.ts';
import { operationFunction, operationsFunction } from '../../../shared/platform/http/operation-function.ts';
import { userTokensDependencies, userTokensEnvironment } from '../reading-dependencies.ts';
import { getOwnTokenHistoryHandler } from './get-own-token-history-handler.ts';
import { listUserTokensHandler } from './handler.ts';

const environment = parseEnvironment(userTokensEnvironment);
export type Environment = typeof environment;
const dependencies = userTokensDependencies(environment);

export const handler = operationsFunction([
  [listUserTokensOperation, operationFunction(listUserTokensOperation, listUserTokensHandler(dependencies))],
  [
    getOwnTokenHistoryOperation,
    operationFunction(getOwnTokenHistoryOperation, getOwnTokenHistoryHandler(dependencies)),
  ],
]);
