import * as z from 'zod';
import { documentClient } from '../../../shared/adapters/dynamodb/client.ts';
import { dynamoDbNfts } from '../../../shared/adapters/dynamodb/nfts.ts';
import { nftReadDependencies, nftReadEnvironment } from '../../../shared/adapters/nft-read-dependencies.ts';
import { cursorSecret } from '../../../shared/adapters/secrets/cursor-secret.ts';
import { parseEnvironment } from '../../../shared/environment.ts';
import { operationFunction } from '../../../shared/http/operation-function.ts';
import { listTokensOperation } from '../../../shared/nft/http/read-operations.ts';
import { listTokensHandler } from './handler.ts';

const environment = parseEnvironment(
  z.object({
    ...nftReadEnvironment,
    NFTS_TABLE: z.string().min(1),
    CURSOR_SECRET_ARN: z.string().min(1),
    PUBLIC_BASE_URL: z.url(),
  }),
);
export type Environment = typeof environment;
const client = documentClient();

export const handler = operationFunction(
  listTokensOperation,
  listTokensHandler({
    ...nftReadDependencies(environment, client),
    nfts: dynamoDbNfts({ client, tableName: environment.NFTS_TABLE }),
    readCursorSecret: cursorSecret(environment.CURSOR_SECRET_ARN).read,
    publicBaseUrl: environment.PUBLIC_BASE_URL,
  }),
);
