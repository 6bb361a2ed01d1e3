import * as z from 'zod';
import { parseEnvironment } from '../../../shared/environment.ts';
import { operationFunction } from '../../../shared/http/operation-function.ts';
import { createChallengeOperation } from '../../../shared/wallets/http/operations.ts';
import { challengeDependencies, challengeEnvironment } from '../dependencies.ts';
import { createWalletChallengeHandler } from './handler.ts';

const environment = parseEnvironment(z.object(challengeEnvironment));
export type Environment = typeof environment;

export const handler = operationFunction(
  createChallengeOperation,
  createWalletChallengeHandler(challengeDependencies(environment)),
);
