import { claimTokenOperation } from '../../../shared/nft/http/user-operations.ts';
import { parseEnvironment } from '../../../shared/platform/environment.ts';
import { operationFunction } from '../../../shared/platform/http/operation-function.ts';
import { ownClaimDependencies, ownClaimEnvironment } from '../token-dependencies.ts';
import { claimTokenHandler } from './handler.ts';

const environment = parseEnvironment(ownClaimEnvironment);
export type Environment = typeof environment;

export const handler = operationFunction(
  claimTokenOperation,
  claimTokenHandler(ownClaimDependencies(environment)),
);
