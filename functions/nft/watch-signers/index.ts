import { randomUUID } from 'node:crypto';
import * as z from 'zod';
import { documentClient } from '../../../shared/adapters/dynamodb/client.ts';
import { dynamoDbSigners } from '../../../shared/adapters/dynamodb/signers.ts';
import { stepFunctions } from '../../../shared/adapters/sfn/client.ts';
import { stepFunctionsExecutions } from '../../../shared/adapters/sfn/executions.ts';
import { parseEnvironment } from '../../../shared/environment.ts';
import { logger } from '../../../shared/logger.ts';
import { watchSignersHandler } from './handler.ts';

const environment = parseEnvironment(
  z.object({ SIGNERS_TABLE: z.string().min(1), STATE_MACHINE_ARN: z.string().min(1) }),
);

export const handler = watchSignersHandler({
  signers: dynamoDbSigners({ client: documentClient(), tableName: environment.SIGNERS_TABLE }),
  executions: stepFunctionsExecutions({
    call: stepFunctions(),
    stateMachineArn: environment.STATE_MACHINE_ARN,
  }),
  randomId: randomUUID,
  logger,
});
