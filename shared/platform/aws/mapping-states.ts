import { GetEventSourceMappingCommand, LambdaClient } from '@aws-sdk/client-lambda';
import type { PartState } from '../check-stage.ts';
import { clientConfig } from './client.ts';

/** States in which a mapping reads nothing, and will not begin to by itself. */
const off = new Set(['Disabled', 'Disabling', 'Deleting']);

export const mappingStates = ({ mappingIds }: { readonly mappingIds: readonly string[] }) => {
  const lambda = new LambdaClient(clientConfig({ maxAttempts: 3, requestTimeoutMilliseconds: 5_000 }));
  return (): Promise<PartState[]> =>
    Promise.all(
      mappingIds.map(async (UUID) => {
        try {
          const { State = '' } = await lambda.send(new GetEventSourceMappingCommand({ UUID }));
          return { part: UUID, state: State, isOn: !off.has(State) };
        } catch (error) {
          if (!(error instanceof Error) || error.name !== 'ResourceNotFoundException') throw error;
          return { part: UUID, state: 'Deleted', isOn: false };
        }
      }),
    );
};
