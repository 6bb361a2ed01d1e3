import * as z from 'zod';
import { documentClient } from '../../../shared/adapters/dynamodb/client.ts';
import {
  contractCallDependencies,
  contractCallEnvironment,
} from '../../../shared/adapters/nft-dependencies.ts';
import { parseEnvironment } from '../../../shared/environment.ts';
import { operationFunction } from '../../../shared/http/operation-function.ts';
import { setRoyaltyOperation } from '../../../shared/nft/http/operations.ts';
import { setRoyaltyHandler } from './handler.ts';

const environment = parseEnvironment(z.object(contractCallEnvironment));
export type Environment = typeof environment;

export const handler = operationFunction(
  setRoyaltyOperation,
  setRoyaltyHandler(contractCallDependencies(environment, documentClient())),
);
