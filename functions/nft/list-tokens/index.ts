import * as z from 'zod';
import { parseEnvironment } from '../../../shared/environment.ts';
import { operationFunction } from '../../../shared/http/operation-function.ts';
import { listTokensOperation } from '../../../shared/nft/http/read-operations.ts';
import { tokenListDependencies, tokenListEnvironment } from '../dependencies.ts';
import { listTokensHandler } from './handler.ts';

const environment = parseEnvironment(z.object(tokenListEnvironment));
export type Environment = typeof environment;

export const handler = operationFunction(
  listTokensOperation,
  listTokensHandler({
    ...tokenListDependencies(environment),
    publicBaseUrl: environment.PUBLIC_BASE_URL,
  }),
);
