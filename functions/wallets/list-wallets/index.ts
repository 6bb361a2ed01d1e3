import { parseEnvironment } from '../../../shared/platform/environment.ts';
import { operationFunction, operationsFunction } from '../../../shared/platform/http/operation-function.ts';
import { listWalletsOperation, unlinkWalletOperation } from '../../../shared/wallets/http/operations.ts';
import { ownWalletsEnvironment, walletsDependencies } from '../dependencies.ts';
import { listWalletsHandler } from './handler.ts';
import { unlinkWalletHandler } from './unlink-wallet-handler.ts';

const environment = parseEnvironment(ownWalletsEnvironment);
export type Environment = typeof environment;
const dependencies = { ...walletsDependencies(environment), ticketSeconds: environment.TICKET_SECONDS };

export const handler = operationsFunction([
  [listWalletsOperation, operationFunction(listWalletsOperation, listWalletsHandler(dependencies))],
  [unlinkWalletOperation, operationFunction(unlinkWalletOperation, unlinkWalletHandler(dependencies))],
]);
