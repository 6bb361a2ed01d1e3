import { accountId } from '../../engines/account.ts';
import { snsResult } from '../../engines/messaging/fauxqs.ts';
import { listSubscriptions } from '../../engines/messaging/listing.ts';
import type { Messaging } from '../../engines/messaging/types.ts';
import { ServiceFault } from '../../engines/service-fault.ts';
import { isDelivered } from '../../engines/sns-delivery/subscription-store.ts';
import type { Call } from '../call.ts';
import { element, entries, memberList, type QueryOperation, queryService } from '../query-protocol.ts';
import type { AwsAnswer, AwsRequest } from '../request.ts';

const namespace = 'http://sns.amazonaws.com/doc/2010-03-31/';
const pageSize = 100;

interface Listed {
  readonly arn: string;
  readonly topicArn: string;
  readonly protocol: string;
  readonly endpoint: string;
}

const required = (parameters: URLSearchParams, name: string): string => {
  const value = parameters.get(name);
  if (!value) throw new ServiceFault({ code: 'InvalidParameter', message: `Invalid parameter: ${name}` });
  return value;
};
const topicOf = (subscriptionArn: string): string => subscriptionArn.split(':').slice(0, 6).join(':');

const listed = (subscription: Listed): string =>
  element('SubscriptionArn', subscription.arn) +
  element('Owner', accountId) +
  element('Protocol', subscription.protocol) +
  element('Endpoint', subscription.endpoint) +
  element('TopicArn', subscription.topicArn);

/** The engine handles topics, and subscriptions to which nothing is delivered, such as e-mail. */
export const snsService = (
  messaging: Messaging,
): ((request: AwsRequest, call: Call) => Promise<AwsAnswer>) => {
  const { subscriptions, wire } = messaging;

  const pass = async (parameters: URLSearchParams): Promise<string | undefined> => {
    const body = snsResult(await wire.sns(parameters));
    return /<(\w+)Result>([\s\S]*)<\/\1Result>/.exec(body)?.[2]?.trim();
  };
  const passWith =
    (action: string, resource: (parameters: URLSearchParams) => string): QueryOperation =>
    (parameters, call) => {
      call.allow(action, resource(parameters));
      return pass(parameters);
    };
  const onTopic = (operation: string) =>
    passWith(`sns:${operation}`, (parameters) => required(parameters, 'TopicArn'));

  const list = async (parameters: URLSearchParams, topicArn?: string): Promise<string> => {
    // The engine's own subscriptions of queues are those of hidden queues.
    const undelivered = (await listSubscriptions(wire)).filter(({ protocol }) => !isDelivered(protocol));
    const delivered = subscriptions.list().map((subscription) => ({
      ...subscription,
      arn: subscription.status === 'pending' ? 'PendingConfirmation' : subscription.arn,
    }));
    const all = [...undelivered, ...delivered].filter(
      (subscription) => topicArn === undefined || subscription.topicArn === topicArn,
    );
    const from = Number(parameters.get('NextToken') ?? 0);
    const to = from + pageSize;
    return (
      memberList('Subscriptions', all.slice(from, to).map(listed)) +
      element('NextToken', to < all.length ? String(to) : undefined)
    );
  };

  const operations: Readonly<Record<string, QueryOperation>> = {
    CreateTopic: passWith('sns:CreateTopic', () => '*'),
    DeleteTopic: onTopic('DeleteTopic'),
    ListTopics: passWith('sns:ListTopics', () => '*'),
    Publish: onTopic('Publish'),
    PublishBatch: passWith('sns:Publish', (parameters) => required(parameters, 'TopicArn')),
    ListTagsForResource: passWith('sns:ListTagsForResource', (parameters) =>
      required(parameters, 'ResourceArn'),
    ),
    async GetTopicAttributes(parameters, call) {
      const topicArn = required(parameters, 'TopicArn');
      call.allow('sns:GetTopicAttributes', topicArn);
      const undelivered = (await listSubscriptions(wire)).filter(
        (each) => each.topicArn === topicArn && !isDelivered(each.protocol),
      );
      const delivered = subscriptions.list(topicArn);
      const pending = delivered.filter(({ status }) => status === 'pending').length;
      const counts: Record<string, number> = {
        SubscriptionsConfirmed: undelivered.length + delivered.length - pending,
        SubscriptionsPending: pending,
      };
      return (await pass(parameters))?.replace(
        /<key>(Subscriptions(?:Confirmed|Pending))<\/key><value>\d+</g,
        (_, key: string) => `<key>${key}</key><value>${counts[key]}<`,
      );
    },
    async SetTopicAttributes(parameters, call) {
      const topicArn = required(parameters, 'TopicArn');
      call.allow('sns:SetTopicAttributes', topicArn);
      await messaging.setTopicAttributes(topicArn, {
        [required(parameters, 'AttributeName')]: parameters.get('AttributeValue') ?? '',
      });
      return undefined;
    },
    async Subscribe(parameters, call) {
      const topicArn = required(parameters, 'TopicArn');
      call.allow('sns:Subscribe', topicArn);
      const protocol = parameters.get('Protocol');
      if (!isDelivered(protocol)) return pass(parameters);
      // Throws NotFound when the topic does not exist.
      await pass(new URLSearchParams({ Action: 'GetTopicAttributes', TopicArn: topicArn }));
      const subscription = await subscriptions.subscribe({
        topicArn,
        protocol,
        endpoint: required(parameters, 'Endpoint'),
        attributes: entries(parameters, 'Attributes'),
      });
      const showsArn =
        subscription.status === 'confirmed' || parameters.get('ReturnSubscriptionArn') === 'true';
      return element('SubscriptionArn', showsArn ? subscription.arn : 'pending confirmation');
    },
    async Unsubscribe(parameters, call) {
      const subscriptionArn = required(parameters, 'SubscriptionArn');
      call.allow('sns:Unsubscribe', '*');
      if (!subscriptions.get(subscriptionArn)) return pass(parameters);
      await subscriptions.unsubscribe(subscriptionArn, 'owner');
      return undefined;
    },
    async ConfirmSubscription(parameters, call) {
      const topicArn = required(parameters, 'TopicArn');
      const wantsAuthentication = parameters.get('AuthenticateOnUnsubscribe') === 'true';
      // A caller of another account needs no permission: the confirmation token is enough.
      if (wantsAuthentication || call.account === accountId) call.allow('sns:ConfirmSubscription', topicArn);
      const confirmed = await subscriptions.confirm({
        topicArn,
        token: required(parameters, 'Token'),
        isSigned: true,
        authenticateOnUnsubscribe: wantsAuthentication,
      });
      return element('SubscriptionArn', confirmed.arn);
    },
    GetSubscriptionAttributes(parameters, call) {
      const subscriptionArn = required(parameters, 'SubscriptionArn');
      call.allow('sns:GetSubscriptionAttributes', topicOf(subscriptionArn));
      if (!subscriptions.get(subscriptionArn)) return pass(parameters);
      const attributes = Object.entries(subscriptions.attributes(subscriptionArn));
      return `<Attributes>${attributes
        .map(([key, value]) => `<entry>${element('key', key)}${element('value', value)}</entry>`)
        .join('')}</Attributes>`;
    },
    async SetSubscriptionAttributes(parameters, call) {
      const subscriptionArn = required(parameters, 'SubscriptionArn');
      call.allow('sns:SetSubscriptionAttributes', topicOf(subscriptionArn));
      if (!subscriptions.get(subscriptionArn)) return pass(parameters);
      await subscriptions.setAttribute({
        arn: subscriptionArn,
        name: required(parameters, 'AttributeName'),
        value: parameters.get('AttributeValue') ?? '',
      });
      return undefined;
    },
    ListSubscriptions(parameters, call) {
      call.allow('sns:ListSubscriptions', '*');
      return list(parameters);
    },
    ListSubscriptionsByTopic(parameters, call) {
      const topicArn = required(parameters, 'TopicArn');
      call.allow('sns:ListSubscriptionsByTopic', topicArn);
      return list(parameters, topicArn);
    },
  };

  return queryService({ namespace, deniedCode: 'AuthorizationError', operations });
};
