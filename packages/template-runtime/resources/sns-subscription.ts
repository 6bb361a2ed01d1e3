import * as z from 'zod';
import { resourceType } from './resource-type.ts';
import { flag } from './template-values.ts';

const json = z.record(z.string(), z.unknown());

/** Messages to an e-mail address are not sent. */
export const snsSubscription = resourceType({
  type: 'AWS::SNS::Subscription',
  properties: z.strictObject({
    TopicArn: z.string(),
    Protocol: z.enum(['http', 'https', 'sqs', 'email']),
    Endpoint: z.string(),
    DeliveryPolicy: json.optional(),
    FilterPolicy: json.optional(),
    FilterPolicyScope: z.enum(['MessageAttributes', 'MessageBody']).optional(),
    RawMessageDelivery: flag.optional(),
    RedrivePolicy: json.optional(),
  }),
  deploy: async ({ TopicArn, Protocol, Endpoint, ...attributes }, { engines }) => {
    const { subscriptionArn } = await engines.messaging.subscribe({
      topicArn: TopicArn,
      protocol: Protocol,
      endpoint: Endpoint,
      attributes: Object.fromEntries(
        Object.entries(attributes).map(([name, value]) => [
          name,
          typeof value === 'string' ? value : JSON.stringify(value),
        ]),
      ),
    });
    return { ref: subscriptionArn };
  },
});
