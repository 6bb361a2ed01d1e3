import * as z from 'zod';
import { documentClient } from '../../../shared/adapters/dynamodb/client.ts';
import { dynamoDbNfts } from '../../../shared/adapters/dynamodb/nfts.ts';
import { dynamoDbVoidTickets } from '../../../shared/adapters/dynamodb/void-tickets.ts';
import { nftReadDependencies, nftReadEnvironment } from '../../../shared/adapters/nft-read-dependencies.ts';
import { systemClock } from '../../../shared/clock.ts';
import { parseEnvironment } from '../../../shared/environment.ts';
import { operationFunction, operationsFunction } from '../../../shared/http/operation-function.ts';
import { unvoidTokenOperation, voidTokenOperation } from '../../../shared/ott/http/void-operations.ts';
import { unvoidTokenHandler, voidTokenHandler } from './handler.ts';

const environment = parseEnvironment(
  z.object({ ...nftReadEnvironment, NFTS_TABLE: z.string().min(1), EVENTS_TABLE: z.string().min(1) }),
);
export type Environment = typeof environment;
const client = documentClient();
const dependencies = {
  ...nftReadDependencies(environment, client),
  nfts: dynamoDbNfts({ client, tableName: environment.NFTS_TABLE }),
  voidTickets: dynamoDbVoidTickets({ client, tableName: environment.EVENTS_TABLE }),
  clock: systemClock,
};

export const handler = operationsFunction([
  [voidTokenOperation, operationFunction(voidTokenOperation, voidTokenHandler(dependencies))],
  [unvoidTokenOperation, operationFunction(unvoidTokenOperation, unvoidTokenHandler(dependencies))],
]);
