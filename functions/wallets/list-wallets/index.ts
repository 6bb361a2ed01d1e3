import * as z from 'zod';
import { parseEnvironment } from '../../../shared/platform/environment.ts';
import { operationFunction } from '../../../shared/platform/http/operation-function.ts';
import { listWalletsOperation } from '../../../shared/wallets/http/operations.ts';
import { walletsDependencies, walletsEnvironment } from '../dependencies.ts';
import { listWalletsHandler } from './handler.ts';

const environment = parseEnvironment(z.object(walletsEnvironment));
export type Environment = typeof environment;

export const handler = operationFunction(
  listWalletsOperation,
  listWalletsHandler(walletsDependencies(environment)),
);
