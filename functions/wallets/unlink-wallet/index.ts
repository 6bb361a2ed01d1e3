import * as z from 'zod';
import { parseEnvironment } from '../../../shared/platform/environment.ts';
import { operationFunction } from '../../../shared/platform/http/operation-function.ts';
import { unlinkWalletOperation } from '../../../shared/wallets/http/operations.ts';
import { unlinkEnvironment, walletsDependencies } from '../dependencies.ts';
import { unlinkWalletHandler } from './handler.ts';

const environment = parseEnvironment(z.object(unlinkEnvironment));
export type Environment = typeof environment;

export const handler = operationFunction(
  unlinkWalletOperation,
  unlinkWalletHandler({ ...walletsDependencies(environment), ticketSeconds: environment.TICKET_SECONDS }),
);
