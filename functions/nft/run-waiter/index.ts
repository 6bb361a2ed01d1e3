import { setTimeout } from 'node:timers/promises';
import * as z from 'zod';
import { documentClient } from '../../../shared/adapters/dynamodb/client.ts';
import {
  transactingDependencies,
  transactingEnvironment,
} from '../../../shared/adapters/nft-dependencies.ts';
import { stepFunctions } from '../../../shared/adapters/sfn/client.ts';
import { stepFunctionsExecutions } from '../../../shared/adapters/sfn/executions.ts';
import { parseEnvironment } from '../../../shared/environment.ts';
import { runWaiterHandler } from './handler.ts';

const wholeNumber = z.string().regex(/^\d+$/).transform(Number);

const environment = parseEnvironment(
  z.object({
    ...transactingEnvironment,
    STATE_MACHINE_ARN: z.string().min(1),
    PASS_MILLISECONDS: wholeNumber,
    REPLACE_AFTER_MILLISECONDS: wholeNumber,
  }),
);
export type Environment = typeof environment;

export const handler = runWaiterHandler({
  ...transactingDependencies(environment, documentClient()),
  executions: stepFunctionsExecutions({
    client: stepFunctions(),
    stateMachineArn: environment.STATE_MACHINE_ARN,
  }),
  wait: async (milliseconds) => {
    await setTimeout(milliseconds);
  },
  passMilliseconds: environment.PASS_MILLISECONDS,
  roundMilliseconds: environment.BLOCK_MILLISECONDS,
  replaceAfterMilliseconds: environment.REPLACE_AFTER_MILLISECONDS,
});
