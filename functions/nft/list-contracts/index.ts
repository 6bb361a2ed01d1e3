import * as z from 'zod';
import { listContractsOperation } from '../../../shared/nft/http/read-operations.ts';
import { parseEnvironment } from '../../../shared/platform/environment.ts';
import { operationFunction } from '../../../shared/platform/http/operation-function.ts';
import { contractListDependencies, contractListEnvironment } from '../dependencies.ts';
import { listContractsHandler } from './handler.ts';

const environment = parseEnvironment(z.object(contractListEnvironment));
export type Environment = typeof environment;

export const handler = operationFunction(
  listContractsOperation,
  listContractsHandler({
    ...contractListDependencies(environment),
    url: `${environment.PUBLIC_BASE_URL}${listContractsOperation.documentedRoute}`,
  }),
);
