import * as z from 'zod';
import { listTokensOperation } from '../../../shared/nft/http/read-operations.ts';
import { parseEnvironment } from '../../../shared/platform/environment.ts';
import { operationFunction } from '../../../shared/platform/http/operation-function.ts';
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
