import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { writeFileDurably } from '../../durable-file.ts';

/** The protocols of the endpoints to which this runtime delivers. Endpoints of other protocols get nothing. */
export const deliveredProtocols = ['http', 'https', 'sqs'] as const;
export type Protocol = (typeof deliveredProtocols)[number];

export const isDelivered = (protocol: string | null): protocol is Protocol =>
  deliveredProtocols.some((each) => each === protocol);

const subscription = z.object({
  arn: z.string(),
  topicArn: z.string(),
  protocol: z.enum(deliveredProtocols),
  endpoint: z.string(),
  attributes: z.record(z.string(), z.string()),
  /** A subscription with the status `ended` has been deleted. It is not listed, but it can be restored for a while. */
  status: z.enum(['pending', 'confirmed', 'ended']),
  /** Milliseconds since the Unix epoch. */
  endedAt: z.number().optional(),
  /** Whether the subscription was confirmed by a signed call rather than by fetching the SubscribeURL. */
  wasAuthenticated: z.boolean(),
  /** If true, fetching the UnsubscribeURL, which anyone can do, does not delete the subscription. */
  authenticateOnUnsubscribe: z.boolean(),
  /**
   * All tokens that were sent for the subscription. Each of them can confirm the subscription, any number of times. A
   * deleted subscription has only one token, which can restore the subscription.
   */
  tokens: z.array(z.string()),
});

export type Subscription = Readonly<z.infer<typeof subscription>>;

export interface SubscriptionStore {
  all(): readonly Subscription[];
  get(arn: string): Subscription | undefined;
  save(subscription: Subscription): void;
  remove(arn: string): void;
}

export const openSubscriptions = (stateDirectory: string): SubscriptionStore => {
  const path = join(stateDirectory, 'sns', 'subscriptions.json');
  const stored = existsSync(path) ? z.array(subscription).parse(JSON.parse(readFileSync(path, 'utf8'))) : [];
  const byArn = new Map<string, Subscription>(stored.map((each) => [each.arn, each]));
  const write = (): void => writeFileDurably(path, JSON.stringify([...byArn.values()]));

  return {
    all: () => [...byArn.values()],
    get: (arn) => byArn.get(arn),
    save(changed) {
      byArn.set(changed.arn, changed);
      write();
    },
    remove(arn) {
      byArn.delete(arn);
      write();
    },
  };
};

const hiddenPrefix = 'sns-http-delivery-';

/** Names the queue that holds a subscription's messages. Listings omit such queues. */
export const hiddenQueueName = (subscriptionArn: string): string =>
  `${hiddenPrefix}${subscriptionArn.split(':').at(-1) ?? ''}`;

/** `queue` is a queue's name, ARN or URL. */
export const isHiddenQueue = (queue: string): boolean =>
  (queue.split(/[:/]/).at(-1) ?? '').startsWith(hiddenPrefix);
