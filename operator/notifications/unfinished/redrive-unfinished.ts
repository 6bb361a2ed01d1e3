import * as z from 'zod';
import { sqsDeliveryLines } from '../../../shared/notifications/aws/delivery-lines.ts';
import type { Queue } from '../../../shared/notifications/aws/queue.ts';
import { recordedIn } from '../../../shared/notifications/aws/record-queue.ts';
import { replayWorkIn } from '../../../shared/notifications/aws/replay-queue.ts';
import { linesIn, subscriptionEventSchema } from '../../../shared/notifications/aws/subscription-event.ts';
import type { Clock } from '../../../shared/platform/time/clock.ts';
import type { MessageQueue } from '../queue/message-queue.ts';
import { visitMessages } from '../queue/visit.ts';

/**
 * The queues whose messages end in the queue `Unfinished`. SNS puts messages there, too, that it could not record, and
 * Lambda puts lines of SNS's delivery log there that could not be forwarded to `record`.
 */
type Source = 'record' | 'replays';

const isReplay = (body: string): boolean => {
  try {
    replayWorkIn(body);
    return true;
  } catch {
    return false;
  }
};

/** The record of a call of `notifications/forward-deliveries` that Lambda gave up. */
const notForwardedSchema = z.object({ requestPayload: subscriptionEventSchema });

/** The lines of SNS's delivery log in a message; `undefined` if Lambda did not write it. */
const notForwardedIn = (body: string): ReturnType<typeof linesIn> | undefined => {
  try {
    return linesIn(notForwardedSchema.parse(JSON.parse(body)).requestPayload);
  } catch {
    return undefined;
  }
};

/** The queue that a message belongs to; `undefined` if the service did not write the message. */
const sourceOf = (body: string): Source | undefined => {
  if (isReplay(body)) return 'replays';
  const { sent, deliveries, confirmations = [], unreadable, isLater = false } = recordedIn(body);
  const known = [sent, deliveries, confirmations, unreadable];
  return isLater || known.some(({ length }) => length > 0) ? 'record' : undefined;
};

export interface Redriven {
  readonly messageId: string;
  readonly source: Source | undefined;
}

/**
 * Sends each message to the queue that it belongs to, and then removes it. If the command is killed in between, the
 * message is handled twice, which does no harm. A message of an unknown form stays.
 */
export const redriveUnfinished = async ({
  queue,
  sources,
  clock,
}: {
  readonly queue: MessageQueue;
  readonly sources: Readonly<Record<Source, Pick<Queue, 'send'>>>;
  readonly clock: Clock;
}): Promise<Redriven[]> => {
  const redriven: Redriven[] = [];
  for await (const { messages, remove } of visitMessages(queue, { sentUntil: clock() })) {
    for (const message of messages) {
      const lines = notForwardedIn(message.body);
      const source = lines === undefined ? sourceOf(message.body) : 'record';
      if (lines !== undefined) await sqsDeliveryLines(sources.record)(lines);
      else if (source !== undefined) await sources[source].send(message.body);
      if (source !== undefined) await remove(message);
      redriven.push({ messageId: message.messageId, source });
    }
  }
  return redriven;
};
