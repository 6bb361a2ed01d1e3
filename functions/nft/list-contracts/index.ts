import * as z from 'zod';
import { documentClient } from '../../../shared/adapters/dynamodb/client.ts';
import { nftReadDependencies, nftReadEnvironment } from '../../../shared/adapters/nft-read-dependencies.ts';
import { cursorSecret } from '../../../shared/adapters/secrets/cursor-secret.ts';
import { parseEnvironment } from '../../../shared/environment.ts';
import { operationFunction } from '../../../shared/http/operation-function.ts';
import { listContractsOperation } from '../../../shared/nft/http/read-operations.ts';
import { listContractsHandler } from './handler.ts';

const environment = parseEnvironment(
  z.object({
    ...nftReadEnvironment,
    CURSOR_SECRET_ARN: z.string().min(1),
    PUBLIC_BASE_URL: z.url(),
  }),
);
export type Environment = typeof environment;
const client = documentClient();

export const handler = operationFunction(
  listContractsOperation,
  listContractsHandler({
    ...nftReadDependencies(environment, client),
    readCursorSecret: cursorSecret(environment.CURSOR_SECRET_ARN).read,
    url: `${environment.PUBLIC_BASE_URL}${listContractsOperation.documentedRoute}`,
  }),
);
