import * as z from 'zod';
import { documentClient } from '../../../shared/adapters/dynamodb/client.ts';
import { nftReadDependencies, nftReadEnvironment } from '../../../shared/adapters/nft-read-dependencies.ts';
import { parseEnvironment } from '../../../shared/environment.ts';
import { operationFunction } from '../../../shared/http/operation-function.ts';
import { getContractOperation } from '../../../shared/nft/http/read-operations.ts';
import { getContractHandler } from './handler.ts';

const environment = parseEnvironment(z.object(nftReadEnvironment));
export type Environment = typeof environment;

export const handler = operationFunction(
  getContractOperation,
  getContractHandler(nftReadDependencies(environment, documentClient())),
);
