import { createContractOperation } from '../../../shared/nft/http/operations.ts';
import { parseEnvironment } from '../../../shared/platform/environment.ts';
import { operationFunction } from '../../../shared/platform/http/operation-function.ts';
import { deployDependencies, paidCallEnvironment } from '../transacting-dependencies.ts';
import { createContractHandler } from './handler.ts';

const environment = parseEnvironment(paidCallEnvironment);
export type Environment = typeof environment;

export const handler = operationFunction(
  createContractOperation,
  createContractHandler(deployDependencies(environment)),
);
