import type { StartExecutionInput } from '@aws-sdk/client-sfn';
import type { Executions } from '../../nft/ports/executions.ts';
import type { JsonService } from '../aws/json-service.ts';
import { isRefusal } from '../aws/service-error.ts';

/**
 * Step Functions answers the start of a running execution again, with the same name and input, as a success,
 * and remembers a closed one's name for 90 days.
 */
export const stepFunctionsExecutions = ({
  call,
  stateMachineArn,
}: {
  /** Step Functions. */
  readonly call: JsonService;
  readonly stateMachineArn: string;
}): Executions => ({
  start: async ({ signer, generation }) => {
    try {
      const input: StartExecutionInput = {
        stateMachineArn,
        name: generation,
        input: JSON.stringify({ signer, generation }),
      };
      await call('StartExecution', input);
      return 'running';
    } catch (error) {
      if (isRefusal(error, 'ExecutionAlreadyExists')) return 'closed';
      throw error;
    }
  },
});
