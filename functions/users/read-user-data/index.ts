import * as z from 'zod';
import { parseEnvironment } from '../../../shared/platform/environment.ts';
import { operationFunction } from '../../../shared/platform/http/operation-function.ts';
import { readUserDataOperation } from '../../../shared/users/http/operations.ts';
import { userSubsDependencies, userSubsEnvironment } from '../dependencies.ts';
import { readUserDataHandler } from './handler.ts';

const environment = parseEnvironment(z.object(userSubsEnvironment));
export type Environment = typeof environment;

export const handler = operationFunction(
  readUserDataOperation,
  readUserDataHandler(userSubsDependencies(environment)),
);
