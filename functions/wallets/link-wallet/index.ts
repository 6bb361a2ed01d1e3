import { parseEnvironment } from '../../../shared/platform/environment.ts';
import { operationFunction } from '../../../shared/platform/http/operation-function.ts';
import { linkWalletOperation } from '../../../shared/wallets/http/operations.ts';
import { linkDependencies, linkEnvironment } from '../dependencies.ts';
import { linkWalletHandler } from './handler.ts';

const environment = parseEnvironment(linkEnvironment);
export type Environment = typeof environment;

export const handler = operationFunction(
  linkWalletOperation,
  linkWalletHandler(linkDependencies(environment)),
);
