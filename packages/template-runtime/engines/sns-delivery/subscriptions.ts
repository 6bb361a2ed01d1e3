import { randomBytes, randomUUID } from 'node:crypto';
import type { Clock } from '../../clock.ts';
import { accountId, accountOfArn } from '../account.ts';
import type { Messaging } from '../messaging/types.ts';
import { ServiceFault } from '../service-fault.ts';
import { checkAttribute, deadLetterTarget, withoutEmpty } from './attributes.ts';
import { type Deliverer, type Destination, startDeliverer } from './deliverer.ts';
import { effectivePolicy, showEffectivePolicy } from './delivery-policy.ts';
import type { HiddenQueues } from './hidden-queues.ts';
import type { Sender } from './message.ts';
import type { Poster } from './poster.ts';
import type { QueuePermission } from './queue-permission.ts';
import type { QueueSender } from './queue-sender.ts';
import type { Subscription, SubscriptionStore } from './subscription-store.ts';
import type { DeliveryLog, FinishedDelivery, NewSubscription, Subscriptions } from './types.ts';

export interface SubscriptionOptions {
  readonly store: SubscriptionStore;
  readonly hidden: HiddenQueues;
  readonly queues: Pick<Messaging, 'receive' | 'remove' | 'changeVisibility' | 'send'>;
  readonly mayDeadLetter: QueuePermission;
  readonly poster: Poster;
  readonly sendToQueue: QueueSender;
  readonly sender: Sender;
  readonly topicAttributes: (topicArn: string) => Readonly<Record<string, string>>;
  readonly clock: Clock;
  readonly log: DeliveryLog;
  readonly onFinished: (delivery: FinishedDelivery) => void;
  readonly onError: (error: unknown) => void;
}

const invalid = (message: string): ServiceFault =>
  new ServiceFault({ code: 'InvalidParameter', message: `Invalid parameter: ${message}` });
const missing = (): ServiceFault =>
  new ServiceFault({ code: 'NotFound', message: 'Subscription does not exist', status: 404 });

/** How long a token can restore a deleted subscription. */
const restorableMilliseconds = 2 * 24 * 60 * 60 * 1_000;

/** SNS's quota: the number of filter policies that one topic may have. */
const maximumFilterPolicies = 200;

const isOverAt =
  (now: number) =>
  ({ endedAt }: Subscription): boolean =>
    endedAt !== undefined && endedAt + restorableMilliseconds < now;

const checkQueue = (queueArn: string): void => {
  if (!/^arn:[\w-]+:sqs:[\w-]+:\d{12}:[\w-]{1,80}(\.fifo)?$/.test(queueArn))
    throw invalid('SQS endpoint ARN');
  if (queueArn.endsWith('.fifo')) {
    throw invalid(
      'Invalid parameter: Endpoint Reason: FIFO SQS Queues can not be subscribed to standard SNS topics',
    );
  }
};

const checkEndpoint = ({ protocol, endpoint }: NewSubscription): void => {
  if (protocol === 'sqs') {
    checkQueue(endpoint);
    return;
  }
  if (!URL.canParse(endpoint)) throw invalid('Endpoint');
  if (new URL(endpoint).protocol !== `${protocol}:`) {
    throw invalid('Endpoint must match the specified protocol');
  }
};

export const createSubscriptions = (options: SubscriptionOptions): Subscriptions => {
  const {
    store,
    hidden,
    queues,
    mayDeadLetter,
    poster,
    sendToQueue,
    sender,
    topicAttributes,
    log,
    onFinished,
    onError,
    clock,
  } = options;
  const deliverers = new Map<string, Deliverer>();

  const current = (): readonly Subscription[] => store.all().filter(({ status }) => status !== 'ended');
  const get = (arn: string): Subscription | undefined => current().find((each) => each.arn === arn);
  const find = (arn: string): Subscription => {
    const found = get(arn);
    if (!found) throw missing();
    return found;
  };
  const policyOf = ({ attributes, topicArn }: Subscription) =>
    effectivePolicy({
      subscription: attributes.DeliveryPolicy,
      topic: topicAttributes(topicArn).DeliveryPolicy,
    });
  const destination = (arn: string): Destination | undefined => {
    const subscription = store.get(arn);
    if (!subscription) return undefined;
    const deadLetterQueueArn = deadLetterTarget(subscription.attributes);
    return {
      arn,
      protocol: subscription.protocol,
      endpoint: subscription.endpoint,
      isRaw: subscription.attributes.RawMessageDelivery === 'true',
      signatureVersion: topicAttributes(subscription.topicArn).SignatureVersion === '2' ? '2' : '1',
      policy: policyOf(subscription),
      ...(deadLetterQueueArn !== undefined && { deadLetterQueueArn }),
    };
  };
  const deliver = async (subscription: Subscription): Promise<string> => {
    const { queueArn } = await hidden.ensure(subscription);
    if (!deliverers.has(subscription.arn)) {
      deliverers.set(
        subscription.arn,
        startDeliverer({
          queueArn,
          queues,
          mayDeadLetter,
          poster,
          sendToQueue,
          sender,
          destination: () => destination(subscription.arn),
          log,
          clock,
          onFinished,
          onError,
        }),
      );
    }
    return queueArn;
  };
  const checkQuota = (topicArn: string, except?: string): void => {
    const filtered = current().filter(
      (each) => each.topicArn === topicArn && each.arn !== except && each.attributes.FilterPolicy,
    );
    if (filtered.length >= maximumFilterPolicies) {
      throw new ServiceFault({
        code: 'FilterPolicyLimitExceeded',
        message: 'Filter policy limit exceeded for the topic',
        status: 403,
      });
    }
  };
  const forget = async (subscription: Subscription): Promise<void> => {
    store.remove(subscription.arn);
    const deliverer = deliverers.get(subscription.arn);
    deliverers.delete(subscription.arn);
    await deliverer?.stop();
    await hidden.remove(subscription);
  };
  const sendToken = async (
    subscription: Subscription,
    {
      type,
      token,
    }: { readonly type: 'SubscriptionConfirmation' | 'UnsubscribeConfirmation'; readonly token: string },
  ): Promise<void> => {
    store.save(subscription);
    const queueArn = await deliver(subscription);
    await queues.send({
      queueArn,
      body: JSON.stringify({
        Type: type,
        MessageId: randomUUID(),
        Token: token,
        TopicArn: subscription.topicArn,
        Timestamp: new Date(clock()).toISOString(),
      }),
    });
  };
  const newToken = (): string => randomBytes(64).toString('hex');

  return {
    async subscribe(wanted) {
      checkEndpoint(wanted);
      for (const [name, value] of Object.entries(wanted.attributes)) checkAttribute(name, value);
      const attributes = withoutEmpty(wanted.attributes);
      if (attributes.FilterPolicy) checkQuota(wanted.topicArn);
      const known = store
        .all()
        .filter((each) => each.topicArn === wanted.topicArn && each.endpoint === wanted.endpoint);
      // The endpoint subscribes again. From now on its deleted subscriptions must not be restored.
      for (const ended of known.filter(({ status }) => status === 'ended')) await forget(ended);
      const existing = known.find(({ status }) => status !== 'ended');
      if (existing?.status === 'confirmed') {
        const isSame = Object.entries(attributes).every(
          ([name, value]) => existing.attributes[name] === value,
        );
        if (isSame) return existing;
        throw invalid('Attributes Reason: Subscription already exists with different attributes');
      }
      const subscription: Subscription = existing
        ? { ...existing, attributes }
        : {
            ...wanted,
            attributes,
            arn: `${wanted.topicArn}:${randomUUID()}`,
            status: 'pending',
            wasAuthenticated: false,
            authenticateOnUnsubscribe: false,
            tokens: [],
          };
      if (wanted.protocol === 'sqs' && accountOfArn(wanted.endpoint) === accountOfArn(wanted.topicArn)) {
        const confirmed: Subscription = { ...subscription, status: 'confirmed', wasAuthenticated: true };
        store.save(confirmed);
        await deliver(confirmed);
        return confirmed;
      }
      const token = newToken();
      await sendToken(
        { ...subscription, tokens: [...subscription.tokens, token] },
        { type: 'SubscriptionConfirmation', token },
      );
      return subscription;
    },
    async confirm({ topicArn, token, isSigned, authenticateOnUnsubscribe }) {
      const subscription = store
        .all()
        .find((each) => each.topicArn === topicArn && each.tokens.includes(token));
      if (!subscription || isOverAt(clock())(subscription)) throw invalid('Token');
      if (subscription.status === 'confirmed') return subscription;
      const { endedAt, ...restored } = subscription;
      const confirmed: Subscription = {
        ...restored,
        status: 'confirmed',
        wasAuthenticated: isSigned,
        authenticateOnUnsubscribe,
      };
      // Saves the status before `deliver` subscribes the queue. If the process crashes in between, the next start
      // subscribes the queue.
      store.save(confirmed);
      await deliver(confirmed);
      return confirmed;
    },
    get,
    list: (topicArn) => current().filter((each) => topicArn === undefined || each.topicArn === topicArn),
    attributes(arn) {
      const subscription = find(arn);
      return {
        SubscriptionArn: arn,
        TopicArn: subscription.topicArn,
        Owner: accountId,
        Protocol: subscription.protocol,
        Endpoint: subscription.endpoint,
        PendingConfirmation: String(subscription.status === 'pending'),
        ConfirmationWasAuthenticated: String(subscription.wasAuthenticated),
        SubscriptionPrincipal: `arn:aws:iam::${accountId}:root`,
        RawMessageDelivery: 'false',
        ...(subscription.attributes.FilterPolicy && { FilterPolicyScope: 'MessageAttributes' }),
        ...subscription.attributes,
        EffectiveDeliveryPolicy: showEffectivePolicy(policyOf(subscription)),
      };
    },
    async setAttribute({ arn, name, value }) {
      const subscription = find(arn);
      checkAttribute(name, value);
      if (name === 'FilterPolicy' && value !== '') checkQuota(subscription.topicArn, arn);
      const changed: Subscription = {
        ...subscription,
        attributes: withoutEmpty({ ...subscription.attributes, [name]: value }),
      };
      store.save(changed);
      await hidden.ensure(changed);
    },
    async unsubscribe(arn, by) {
      const subscription = find(arn);
      await forget(subscription);
      if (by === 'owner' || subscription.status === 'pending') return;
      const token = newToken();
      const ended: Subscription = {
        ...subscription,
        status: 'ended',
        endedAt: clock(),
        tokens: [token],
      };
      await sendToken(ended, { type: 'UnsubscribeConfirmation', token });
    },
    async start() {
      for (const { arn } of store.all().filter(isOverAt(clock()))) store.remove(arn);
      await hidden.sweep(store.all());
      await Promise.all(store.all().map(deliver));
    },
    async stop() {
      const stopped = [...deliverers.values()].map((deliverer) => deliverer.stop());
      // Stops deliveries in progress. Their messages become visible again when their visibility timeout ends.
      await poster.stop();
      await Promise.all(stopped);
    },
  };
};
