import { ExecutionAlreadyExists, type SFNClient, StartExecutionCommand } from '@aws-sdk/client-sfn';
import type { Executions } from '../../nft/ports/executions.ts';

/**
 * Step Functions answers the start of a running execution again, with the same name and input, as a success,
 * and remembers a closed one's name for 90 days.
 */
export const stepFunctionsExecutions = ({
  client,
  stateMachineArn,
}: {
  readonly client: SFNClient;
  readonly stateMachineArn: string;
}): Executions => ({
  start: async ({ signer, generation }) => {
    try {
      await client.send(
        new StartExecutionCommand({
          stateMachineArn,
          name: generation,
          input: JSON.stringify({ signer, generation }),
        }),
      );
      return 'running';
    } catch (error) {
      if (error instanceof ExecutionAlreadyExists) return 'closed';
      throw error;
    }
  },
});
