import * as z from 'zod';
import { parseEnvironment } from '../../../shared/platform/environment.ts';
import { operationFunction } from '../../../shared/platform/http/operation-function.ts';
import { putUserDataOperation } from '../../../shared/users/http/operations.ts';
import { positiveNumber } from '../../platform/dependencies.ts';
import { ownUserSubDependencies, ownUserSubEnvironment } from '../dependencies.ts';
import { putUserDataHandler } from './handler.ts';

const environment = parseEnvironment({
  ...ownUserSubEnvironment,
  READ_ONLY_KEYS: z.string().transform((text) => z.array(z.string()).parse(JSON.parse(text))),
  CHANGES_PER_HOUR: positiveNumber,
});
export type Environment = typeof environment;

export const handler = operationFunction(
  putUserDataOperation,
  putUserDataHandler({
    ...ownUserSubDependencies(environment),
    readOnlyKeys: environment.READ_ONLY_KEYS,
    changesPerHour: environment.CHANGES_PER_HOUR,
  }),
);
