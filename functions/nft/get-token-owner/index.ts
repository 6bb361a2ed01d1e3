import * as z from 'zod';
import { circuitBreaker } from '../../../shared/adapters/circuit-breaker.ts';
import { documentClient } from '../../../shared/adapters/dynamodb/client.ts';
import { dynamoDbNfts } from '../../../shared/adapters/dynamodb/nfts.ts';
import { circuitGauge } from '../../../shared/adapters/metrics/circuit-gauge.ts';
import { nftReadDependencies, nftReadEnvironment } from '../../../shared/adapters/nft-read-dependencies.ts';
import { createEndpoints } from '../../../shared/adapters/polygon/endpoints.ts';
import { rpcSecret } from '../../../shared/adapters/polygon/rpc-secret.ts';
import { chainTokenOwners } from '../../../shared/adapters/polygon/token-owners.ts';
import { secretsClient } from '../../../shared/adapters/secrets/client.ts';
import { systemClock } from '../../../shared/clock.ts';
import { parseEnvironment } from '../../../shared/environment.ts';
import { operationFunction } from '../../../shared/http/operation-function.ts';
import { logger } from '../../../shared/logger.ts';
import { getTokenOwnerOperation } from '../../../shared/nft/http/read-operations.ts';
import { getTokenOwnerHandler } from './handler.ts';

const environment = parseEnvironment(
  z.object({
    ...nftReadEnvironment,
    NFTS_TABLE: z.string().min(1),
    CHAIN_ID: z.string().regex(/^\d+$/).transform(Number),
    CHAIN_SECRET_ARN: z.string().min(1),
    POWERTOOLS_METRICS_NAMESPACE: z.string().min(1),
  }),
);
export type Environment = typeof environment;
const client = documentClient();
const gauge = circuitGauge({ service: 'rpc', namespace: environment.POWERTOOLS_METRICS_NAMESPACE });

export const handler = operationFunction(
  getTokenOwnerOperation,
  getTokenOwnerHandler({
    ...nftReadDependencies(environment, client),
    nfts: dynamoDbNfts({ client, tableName: environment.NFTS_TABLE }),
    owners: chainTokenOwners(
      createEndpoints({
        chainId: environment.CHAIN_ID,
        urls: rpcSecret({ client: secretsClient(), secretId: environment.CHAIN_SECRET_ARN }),
        clock: systemClock,
        breakerOf: ({ host, isHanging }) =>
          circuitBreaker({ service: 'rpc', fields: { endpoint: host }, logger, gauge, isHanging }),
      }),
    ),
  }),
);
