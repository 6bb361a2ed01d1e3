import { randomUUID } from 'node:crypto';
import * as z from 'zod';
import { documentClient } from '../../../shared/adapters/dynamodb/client.ts';
import { dynamoDbSigners } from '../../../shared/adapters/dynamodb/signers.ts';
import { createEndpoints } from '../../../shared/adapters/polygon/endpoints.ts';
import { minedCounts } from '../../../shared/adapters/polygon/mined-counts.ts';
import { rpcSecret } from '../../../shared/adapters/polygon/rpc-secret.ts';
import { secretsClient } from '../../../shared/adapters/secrets/client.ts';
import { stepFunctions } from '../../../shared/adapters/sfn/client.ts';
import { stepFunctionsExecutions } from '../../../shared/adapters/sfn/executions.ts';
import { systemClock } from '../../../shared/clock.ts';
import { parseEnvironment } from '../../../shared/environment.ts';
import { logger } from '../../../shared/logger.ts';
import { watchSignersHandler } from './handler.ts';

const environment = parseEnvironment(
  z.object({
    SIGNERS_TABLE: z.string().min(1),
    STATE_MACHINE_ARN: z.string().min(1),
    CHAIN_ID: z.string().regex(/^\d+$/).transform(Number),
    CHAIN_SECRET_ARN: z.string().min(1),
  }),
);
export type Environment = typeof environment;

/** Only the parts of the chain that are used: the rest would be loaded at each cold start. */
const endpoints = createEndpoints({
  chainId: environment.CHAIN_ID,
  urls: rpcSecret({ client: secretsClient(), secretId: environment.CHAIN_SECRET_ARN }),
  clock: systemClock,
});

export const handler = watchSignersHandler({
  chain: { chainId: environment.CHAIN_ID, minedCounts: minedCounts(endpoints) },
  signers: dynamoDbSigners({ client: documentClient(), tableName: environment.SIGNERS_TABLE }),
  executions: stepFunctionsExecutions({
    client: stepFunctions(),
    stateMachineArn: environment.STATE_MACHINE_ARN,
  }),
  randomId: randomUUID,
  logger,
});
