import { accountId, arn } from '../account.ts';
import { type Fauxqs, snsResult, sqsResult, xmlText } from '../messaging/fauxqs.ts';
import { listQueueUrls, listSubscriptions } from '../messaging/listing.ts';
import { ServiceFault } from '../service-fault.ts';
import { filterAttributes } from './attributes.ts';
import { hiddenQueueName, isHiddenQueue, type Subscription } from './subscription-store.ts';

/** Each subscription has a hidden queue. This queue is subscribed to the topic in place of the endpoint. */
export interface HiddenQueues {
  /**
   * Creates the queue. If the subscription is confirmed, also subscribes the queue to the topic, with the
   * subscription's filter.
   */
  ensure(subscription: Subscription): Promise<{ readonly queueArn: string }>;
  remove(subscription: Subscription): Promise<void>;
  /**
   * Deletes queues that belong to no subscription, because an earlier process may have died during `remove`. Also ends
   * direct subscriptions of other queues, which the state of an earlier version of this runtime may have.
   */
  sweep(subscriptions: readonly Subscription[]): Promise<void>;
}

const queueUrl = (name: string): string => `http://127.0.0.1/${accountId}/${name}`;

export const createHiddenQueues = (fauxqs: Fauxqs): HiddenQueues => {
  const sns = async (parameters: Readonly<Record<string, string>>): Promise<string> =>
    snsResult(await fauxqs.sns(new URLSearchParams(parameters)));
  const unsubscribe = (SubscriptionArn: string) => sns({ Action: 'Unsubscribe', SubscriptionArn });
  const find = async (queueArn: string) =>
    (await listSubscriptions(fauxqs)).find(({ endpoint }) => endpoint === queueArn);

  const setFilter = async (SubscriptionArn: string, subscription: Subscription): Promise<void> => {
    const { FilterPolicy = '', FilterPolicyScope = 'MessageAttributes' } = subscription.attributes;
    for (const [AttributeName, AttributeValue] of [
      ['FilterPolicyScope', FilterPolicyScope],
      ['FilterPolicy', FilterPolicy],
    ] as const) {
      await sns({ Action: 'SetSubscriptionAttributes', SubscriptionArn, AttributeName, AttributeValue });
    }
  };

  const subscribe = async (subscription: Subscription, queueArn: string): Promise<void> => {
    const existing = await find(queueArn);
    if (existing) {
      await setFilter(existing.arn, subscription);
      return;
    }
    const attributes = Object.entries(filterAttributes(subscription.attributes)).flatMap(
      ([key, value], index) => [
        [`Attributes.entry.${index + 1}.key`, key],
        [`Attributes.entry.${index + 1}.value`, value],
      ],
    );
    const answer = await sns({
      Action: 'Subscribe',
      TopicArn: subscription.topicArn,
      Protocol: 'sqs',
      Endpoint: queueArn,
      ...Object.fromEntries(attributes),
    });
    if (xmlText(answer, 'SubscriptionArn') === undefined) {
      throw new ServiceFault({
        code: 'InternalError',
        message: 'The topic did not accept the subscription.',
        status: 500,
      });
    }
  };

  return {
    async ensure(subscription) {
      const name = hiddenQueueName(subscription.arn);
      const queueArn = arn('sqs', name);
      sqsResult(
        await fauxqs.sqs('CreateQueue', {
          QueueName: name,
          Attributes: { MessageRetentionPeriod: '1209600' },
        }),
      );
      if (subscription.status === 'confirmed') await subscribe(subscription, queueArn);
      return { queueArn };
    },
    async remove(subscription) {
      const name = hiddenQueueName(subscription.arn);
      const existing = await find(arn('sqs', name));
      if (existing) await unsubscribe(existing.arn);
      sqsResult(await fauxqs.sqs('DeleteQueue', { QueueUrl: queueUrl(name) }));
    },
    async sweep(subscriptions) {
      const names = new Set(subscriptions.map((each) => hiddenQueueName(each.arn)));
      const isOrphan = (queue: string): boolean =>
        isHiddenQueue(queue) && !names.has(queue.split(/[:/]/).at(-1) ?? '');
      for (const { arn: subscriptionArn, protocol, endpoint } of await listSubscriptions(fauxqs)) {
        if (protocol === 'sqs' && (!isHiddenQueue(endpoint) || isOrphan(endpoint))) {
          await unsubscribe(subscriptionArn);
        }
      }
      for (const url of await listQueueUrls(fauxqs)) {
        if (isOrphan(url)) sqsResult(await fauxqs.sqs('DeleteQueue', { QueueUrl: url }));
      }
    },
  };
};
