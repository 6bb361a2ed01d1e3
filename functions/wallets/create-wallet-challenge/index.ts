import { parseEnvironment } from '../../../shared/platform/environment.ts';
import { operationFunction } from '../../../shared/platform/http/operation-function.ts';
import { createChallengeOperation } from '../../../shared/wallets/http/operations.ts';
import { challengeDependencies, challengeEnvironment } from '../dependencies.ts';
import { createWalletChallengeHandler } from './handler.ts';

const environment = parseEnvironment(challengeEnvironment);
export type Environment = typeof environment;

export const handler = operationFunction(
  createChallengeOperation,
  createWalletChallengeHandler(challengeDependencies(environment)),
);
