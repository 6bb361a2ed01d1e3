import { DescribeRuleCommand, EventBridgeClient } from '@aws-sdk/client-eventbridge';
import type { PartState } from '../check-stage.ts';
import { clientConfig } from './client.ts';

export const ruleStates = ({ ruleNames }: { readonly ruleNames: readonly string[] }) => {
  const events = new EventBridgeClient(clientConfig({ maxAttempts: 3, requestTimeoutMilliseconds: 5_000 }));
  return (): Promise<PartState[]> =>
    Promise.all(
      ruleNames.map(async (Name) => {
        try {
          const { State = '' } = await events.send(new DescribeRuleCommand({ Name }));
          return { part: Name, state: State, isOn: State !== 'DISABLED' };
        } catch (error) {
          if (!(error instanceof Error) || error.name !== 'ResourceNotFoundException') throw error;
          return { part: Name, state: 'Deleted', isOn: false };
        }
      }),
    );
};
