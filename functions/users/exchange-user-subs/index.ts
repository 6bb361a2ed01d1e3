import * as z from 'zod';
import { documentClient } from '../../../shared/adapters/dynamodb/client.ts';
import { usersDependencies, usersEnvironment } from '../../../shared/adapters/users-dependencies.ts';
import { parseEnvironment } from '../../../shared/environment.ts';
import { operationFunction } from '../../../shared/http/operation-function.ts';
import { exchangeUserSubsOperation } from '../../../shared/users/http/operations.ts';
import { exchangeUserSubsHandler } from './handler.ts';

const environment = parseEnvironment(z.object(usersEnvironment));
export type Environment = typeof environment;
const client = documentClient();

export const handler = operationFunction(
  exchangeUserSubsOperation,
  exchangeUserSubsHandler(usersDependencies(environment, client)),
);
