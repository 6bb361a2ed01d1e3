import { type Clock, monotonicClock } from '../../clock.ts';
import type { Messaging, QueueMessage } from '../messaging/types.ts';
import type { EffectivePolicy } from './delivery-policy.ts';
import { retryDelaySeconds } from './delivery-policy.ts';
import {
  type Addressee,
  confirmationText,
  httpMessage,
  type QueuedMessage,
  queuedMessage,
  queueMessage,
  type Sender,
} from './message.ts';
import type { Outcome, Poster } from './poster.ts';
import type { QueuePermission } from './queue-permission.ts';
import type { QueueSender } from './queue-sender.ts';
import type { Protocol } from './subscription-store.ts';
import type { DeliveryLog, FinishedDelivery } from './types.ts';

/** A subscription's settings for deliveries. They are read again for each message, because attributes may change. */
export interface Destination extends Omit<Addressee, 'contentType'> {
  readonly protocol: Protocol;
  readonly endpoint: string;
  readonly policy: EffectivePolicy;
  readonly deadLetterQueueArn?: string;
}

export interface DelivererOptions {
  readonly queueArn: string;
  readonly queues: Pick<Messaging, 'receive' | 'remove' | 'changeVisibility' | 'send'>;
  readonly mayDeadLetter: QueuePermission;
  readonly poster: Poster;
  readonly sendToQueue: QueueSender;
  readonly sender: Sender;
  /** `undefined` after the subscription was deleted. */
  readonly destination: () => Destination | undefined;
  readonly clock: Clock;
  readonly log: DeliveryLog;
  readonly onFinished: (delivery: FinishedDelivery) => void;
  readonly onError: (error: unknown) => void;
}

interface Attempted {
  readonly outcome: Outcome;
  readonly handedOverAt: number;
}

export interface Deliverer {
  stop(): Promise<void>;
}

/** Maximum number of concurrent deliveries of one subscription. Subscriptions do not wait for each other. */
const concurrency = 64;
/**
 * Longer than any delivery takes. If the process is killed, the messages in delivery become visible again after this
 * time.
 */
const visibilityTimeoutSeconds = 20;
const pollSeconds = 20;

/** Shuffles messages that arrive together: SNS guarantees no order, so receivers must not rely on one. */
const shuffled = <Item>(items: readonly Item[]): Item[] => {
  const result = [...items];
  for (let last = result.length - 1; last > 0; last -= 1) {
    const other = Math.floor(Math.random() * (last + 1));
    [result[last], result[other]] = [result[other] as Item, result[last] as Item];
  }
  return result;
};

const confirmationTextOf = ({ TopicArn }: Pick<QueuedMessage, 'TopicArn'>, { arn }: Destination): string =>
  confirmationText.SubscriptionConfirmation({ topicArn: TopicArn, subscriptionArn: arn });

/**
 * Delivers the messages of one subscription. A message's progress is stored only in its queue: the receive count is the
 * number of the attempt, and the visibility timeout is the wait for the next attempt.
 */
export const startDeliverer = (options: DelivererOptions): Deliverer => {
  const { queueArn, queues, mayDeadLetter, poster, sendToQueue, sender, destination } = options;
  const { log, onFinished, onError, clock } = options;
  const stopping = new AbortController();
  const underWay = new Set<Promise<void>>();
  let nextPermitAt = 0;

  const permit = async (maxReceivesPerSecond: number | undefined): Promise<void> => {
    if (maxReceivesPerSecond === undefined) return;
    const now = monotonicClock();
    const at = Math.max(now, nextPermitAt);
    nextPermitAt = at + 1_000 / maxReceivesPerSecond;
    if (at > now) await pause(at - now, stopping.signal);
  };

  const finish = (
    message: QueuedMessage,
    to: Destination,
    attempts: number,
    { outcome, handedOverAt }: Attempted,
  ): void => {
    if (message.Type === 'UnsubscribeConfirmation') return;
    onFinished({
      type: message.Type,
      succeeded: outcome.kind === 'delivered',
      protocol: to.protocol,
      topicArn: message.TopicArn,
      messageId: message.MessageId,
      message: message.Type === 'Notification' ? message.Message : confirmationTextOf(message, to),
      publishedAt: Date.parse(message.Timestamp),
      handedOverAt,
      endedAt: clock(),
      endpoint: to.endpoint,
      attempts,
      providerResponse: outcome.response,
      ...(outcome.status !== undefined && { statusCode: outcome.status }),
    });
  };

  const settle = async (
    received: QueueMessage,
    message: QueuedMessage,
    to: Destination,
    attempted: Attempted,
  ) => {
    const { outcome } = attempted;
    const attempt = Number(received.attributes.ApproximateReceiveCount ?? '1');
    const { receiptHandle } = received;
    const entry = {
      subscriptionArn: to.arn,
      endpoint: to.endpoint,
      messageId: message.MessageId,
      attempt,
      outcome: outcome.status === undefined ? outcome.response : `HTTP status ${outcome.status}`,
    };
    if (outcome.kind === 'delivered') {
      log({ ...entry, next: 'none' });
      finish(message, to, attempt, attempted);
      await queues.remove({ queueArn, receiptHandle });
      return;
    }
    const delay = outcome.kind === 'failed' ? retryDelaySeconds(to.policy.retry, attempt) : undefined;
    if (delay !== undefined) {
      log({ ...entry, next: 'retry' });
      await queues.changeVisibility({ queueArn, receiptHandle, seconds: delay });
      return;
    }
    finish(message, to, attempt, attempted);
    const deadLetterQueueArn = message.Type === 'Notification' ? to.deadLetterQueueArn : undefined;
    if (
      deadLetterQueueArn !== undefined &&
      (await mayDeadLetter({ queueArn: deadLetterQueueArn, topicArn: message.TopicArn }))
    ) {
      log({ ...entry, next: 'dead-letter' });
      await queues.send({ queueArn: deadLetterQueueArn, ...queueMessage(message, sender, to) });
    } else {
      log({ ...entry, next: 'discard' });
    }
    await queues.remove({ queueArn, receiptHandle });
  };

  const deliver = async (received: QueueMessage): Promise<void> => {
    const to = destination();
    if (!to) return;
    const message = queuedMessage.parse(JSON.parse(received.body));
    await permit(to.policy.maxReceivesPerSecond);
    if (stopping.signal.aborted) return;
    const handedOverAt = clock();
    const outcome = await (to.protocol === 'sqs'
      ? sendToQueue({
          queueArn: to.endpoint,
          topicArn: message.TopicArn,
          ...queueMessage(message, sender, to),
        })
      : poster.post(
          to.endpoint,
          httpMessage(message, sender, { ...to, contentType: to.policy.contentType }),
        ));
    // If the runtime's own shutdown cut the connection, the receiver has not failed.
    if (stopping.signal.aborted && outcome.kind === 'failed') return;
    await settle(received, message, to, { outcome, handedOverAt });
  };

  const track = (work: Promise<void>): void => {
    // If handling a message fails, the message becomes visible again after its visibility timeout.
    const tracked = work.catch(onError).finally(() => underWay.delete(tracked));
    underWay.add(tracked);
  };

  const poll = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      try {
        const maxReceivesPerSecond = destination()?.policy.maxReceivesPerSecond;
        // Receives only as many messages as may be sent now. A message that waits here longer than its visibility
        // timeout would be sent twice.
        const places = Math.min(concurrency, maxReceivesPerSecond ?? concurrency) - underWay.size;
        if (places <= 0) {
          await Promise.race(underWay);
          continue;
        }
        const messages = await queues.receive({
          queueArn,
          maximum: Math.min(places, 10),
          waitSeconds: pollSeconds,
          visibilityTimeoutSeconds,
          signal: stopping.signal,
        });
        for (const message of shuffled(messages)) track(deliver(message));
      } catch (error) {
        if (stopping.signal.aborted) return;
        onError(error);
        await pause(1_000, stopping.signal);
      }
    }
  };
  const polling = poll();

  return {
    async stop() {
      stopping.abort();
      await polling;
      await Promise.all(underWay);
    },
  };
};

/** Resolves early when the signal aborts. */
const pause = (milliseconds: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const timer = setTimeout(done, milliseconds);
    function done(): void {
      clearTimeout(timer);
      signal.removeEventListener('abort', done);
      resolve();
    }
    signal.addEventListener('abort', done);
    if (signal.aborted) done();
  });
