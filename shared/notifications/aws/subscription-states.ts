import { ListSubscriptionsByTopicCommand, type SNSClient } from '@aws-sdk/client-sns';
import type { SubscriptionStates } from '../ports/subscription-states.ts';

/** The subscriptions that SNS lists for a topic, by address. For a pending subscription, SNS does not list the ARN. */
export const snsSubscriptionStates = ({
  client,
  topicArn,
}: {
  readonly client: SNSClient;
  readonly topicArn: string;
}): SubscriptionStates => ({
  ofAll: async () => {
    const states = new Map<string, 'pending' | 'confirmed'>();
    let token: string | undefined;
    do {
      const { Subscriptions = [], NextToken } = await client.send(
        new ListSubscriptionsByTopicCommand({ TopicArn: topicArn, NextToken: token }),
      );
      for (const { Endpoint, SubscriptionArn } of Subscriptions) {
        if (Endpoint === undefined || SubscriptionArn === 'Deleted') continue;
        states.set(Endpoint, SubscriptionArn === 'PendingConfirmation' ? 'pending' : 'confirmed');
      }
      token = NextToken;
    } while (token !== undefined);
    return states;
  },
});
