import {
  GetSubscriptionAttributesCommand,
  InvalidParameterException,
  NotFoundException,
  paginateListSubscriptionsByTopic,
  SNSClient,
  type Subscription as SnsSubscription,
  SubscribeCommand,
  UnsubscribeCommand,
} from '@aws-sdk/client-sns';
import * as z from 'zod';
import { inParallel } from '../../../shared/platform/in-parallel.ts';
import type { Target } from '../../platform/target/target.ts';
import { OperatorError } from '../../platform/terminal/operator-error.ts';
import type { Subscription, Subscriptions } from './subscription.ts';

/** How many calls run concurrently. SNS allows an account 100 calls a second. */
const callsAtOnce = 10;

const json = <Schema extends z.ZodType>(schema: Schema, text: string | undefined) => {
  if (text === undefined) return undefined;
  try {
    return schema.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
};

/**
 * The part of the filter policy that is read. A subscription that this command line did not create may have a different
 * filter policy: the subscription is then shown without its application.
 */
const filterSchema = z.object({ application_id: z.tuple([z.string()], z.string()) });
const deliverySchema = z.object({
  throttlePolicy: z.object({ maxReceivesPerSecond: z.number().nullish() }).nullish(),
});

const confirmed = (
  { SubscriptionArn: arn, Endpoint: endpoint = '' }: SnsSubscription,
  attributes: Readonly<Record<string, string>>,
): Subscription => ({
  arn,
  endpoint,
  state: attributes.PendingConfirmation === 'true' ? 'pending' : 'confirmed',
  applicationId: json(filterSchema, attributes.FilterPolicy)?.application_id[0],
  isRaw: attributes.RawMessageDelivery === 'true',
  hasFilterPolicy: attributes.FilterPolicy !== undefined,
  filterPolicy: json(z.unknown(), attributes.FilterPolicy),
  maxReceivesPerSecond:
    json(deliverySchema, attributes.DeliveryPolicy)?.throttlePolicy?.maxReceivesPerSecond ?? undefined,
});

/**
 * SNS reports only the endpoint of a pending subscription. The subscription is assumed to have a filter policy, because
 * this command line creates every subscription with one.
 */
const pending = ({ Endpoint: endpoint = '' }: SnsSubscription): Subscription => ({
  arn: undefined,
  endpoint,
  state: 'pending',
  applicationId: undefined,
  isRaw: undefined,
  hasFilterPolicy: true,
  maxReceivesPerSecond: undefined,
});

/** The service's own queue, which feeds the notification record, in the topic's Region and account. */
const ownQueueArn = ({ topicArn, recordQueueUrl }: SnsSubscriptionsOptions): string =>
  topicArn
    .replace(':sns:', ':sqs:')
    .replace(/[^:]+$/, recordQueueUrl.slice(recordQueueUrl.lastIndexOf('/') + 1));

export interface SnsSubscriptionsOptions {
  readonly client: SNSClient;
  readonly topicArn: string;
  readonly recordQueueUrl: string;
}

export const snsSubscriptions = (options: SnsSubscriptionsOptions): Subscriptions => {
  const { client, topicArn } = options;
  const ownQueue = ownQueueArn(options);
  const read = async (found: SnsSubscription): Promise<Subscription[]> => {
    if (found.SubscriptionArn?.startsWith('arn:') !== true) return [pending(found)];
    try {
      const { Attributes = {} } = await client.send(
        new GetSubscriptionAttributesCommand({ SubscriptionArn: found.SubscriptionArn }),
      );
      return [confirmed(found, Attributes)];
    } catch (error) {
      // The subscription was removed after SNS listed it.
      if (error instanceof NotFoundException) return [];
      throw error;
    }
  };

  return {
    list: async () => {
      const found: SnsSubscription[] = [];
      for await (const { Subscriptions = [] } of paginateListSubscriptionsByTopic(
        { client },
        { TopicArn: topicArn },
      )) {
        found.push(...Subscriptions.filter(({ Endpoint }) => Endpoint !== ownQueue));
      }
      return (await inParallel(found, { atOnce: callsAtOnce, run: read })).flat();
    },

    add: async ({ endpoint, protocol, attributes }) => {
      try {
        const { SubscriptionArn = '' } = await client.send(
          new SubscribeCommand({
            TopicArn: topicArn,
            Protocol: protocol,
            Endpoint: endpoint,
            Attributes: { ...attributes },
            ReturnSubscriptionArn: true,
          }),
        );
        return SubscriptionArn;
      } catch (cause) {
        if (!(cause instanceof InvalidParameterException)) throw cause;
        throw new OperatorError({ message: `SNS refuses the subscription: ${cause.message}`, cause });
      }
    },

    remove: async (arn) => {
      try {
        await client.send(new UnsubscribeCommand({ SubscriptionArn: arn }));
      } catch (cause) {
        if (!(cause instanceof InvalidParameterException) && !(cause instanceof NotFoundException))
          throw cause;
        throw new OperatorError({ message: `SNS could not remove ${arn}: ${cause.message}`, cause });
      }
    },
  };
};

export const subscriptionsOf = (target: Target) =>
  snsSubscriptions({
    client: new SNSClient(target.aws),
    topicArn: target.output('TopicArn'),
    recordQueueUrl: target.output('RecordQueueUrl'),
  });
