import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { writeFileDurably } from '../../durable-file.ts';

const subscription = z.object({
  arn: z.string(),
  topicArn: z.string(),
  protocol: z.enum(['http', 'https']),
  endpoint: z.string(),
  attributes: z.record(z.string(), z.string()),
  /** A deleted subscription belongs to nobody, but can be restored for a while. */
  status: z.enum(['pending', 'confirmed', 'ended']),
  /** Milliseconds since the Unix epoch. */
  endedAt: z.number().optional(),
  /** Confirmed by a signed call, not by a fetch of the SubscribeURL. */
  wasAuthenticated: z.boolean(),
  /** Then the UnsubscribeURL, which anyone can fetch, does not delete it. */
  authenticateOnUnsubscribe: z.boolean(),
  /**
   * Every token that was sent for it. Each confirms the subscription, also repeatedly; for a deleted one: the token
   * that restores it.
   */
  tokens: z.array(z.string()),
});

export type HttpSubscription = Readonly<z.infer<typeof subscription>>;

/** The HTTP(S) subscriptions of all topics, in `subscriptions.json` of the state directory. */
export interface SubscriptionStore {
  all(): readonly HttpSubscription[];
  get(arn: string): HttpSubscription | undefined;
  save(subscription: HttpSubscription): void;
  remove(arn: string): void;
}

export const openSubscriptions = (stateDirectory: string): SubscriptionStore => {
  const path = join(stateDirectory, 'sns', 'subscriptions.json');
  const stored = existsSync(path) ? z.array(subscription).parse(JSON.parse(readFileSync(path, 'utf8'))) : [];
  const byArn = new Map<string, HttpSubscription>(stored.map((each) => [each.arn, each]));
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

/** Name of the queue that holds a subscription's messages; listings leave such queues out. */
export const hiddenQueueName = (subscriptionArn: string): string =>
  `${hiddenPrefix}${subscriptionArn.split(':').at(-1) ?? ''}`;

/** From a queue's name, ARN or URL. */
export const isHiddenQueue = (queue: string): boolean =>
  (queue.split(/[:/]/).at(-1) ?? '').startsWith(hiddenPrefix);
