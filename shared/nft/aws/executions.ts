import { ExecutionAlreadyExists, SFNClient, StartExecutionCommand } from '@aws-sdk/client-sfn';
import { clientConfig } from '../../platform/aws/client.ts';
import type { Executions } from '../ports/executions.ts';

/**
 * If a running execution is started again with the same name and input, Step Functions responds with success. It
 * remembers the name of a closed execution for 90 days.
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

export const stepFunctions = (): SFNClient =>
  new SFNClient(clientConfig({ maxAttempts: 3, requestTimeoutMilliseconds: 5_000 }));
