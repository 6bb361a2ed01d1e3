import type { SQSBatchResponse, SQSEvent } from 'aws-lambda';
import type { MessageQueue } from '../../operator/notifications/queue/message-queue.ts';
import type { sqsQueue } from '../../shared/notifications/aws/queue.ts';
import type { FunctionSurroundings } from './functions.ts';
import { outsideCalls } from './outside.ts';
import type { Process } from './process.ts';
import { between, hexOf } from './streams.ts';

interface Waiting {
  readonly id: string;
  readonly body: string;
  readonly sentAt: number;
  visibleAt: number;
  receives: number;
  receiptHandle: string;
}

interface Consumer {
  readonly batchSize: number;
  readonly windowMilliseconds: number;
  readonly atOnce: number;
  readonly invoke: (task: string, event: SQSEvent) => Promise<SQSBatchResponse | undefined>;
}

const receivesAtMost = 1_000;

export type SimulatedQueue = ReturnType<typeof createQueue>;

/** A standard queue of SQS, and the trigger that Lambda makes of it: at least once, in no order. */
export const createQueue = (
  { scheduler, streams, faults }: FunctionSurroundings,
  {
    name,
    visibilityMilliseconds,
    deadLetters,
  }: {
    readonly name: string;
    readonly visibilityMilliseconds: number;
    /** @default none: a message is received as often as it takes */
    readonly deadLetters?: { readonly send: (body: string) => void };
  },
) => {
  const random = streams.of(name);
  const waiting = new Map<string, Waiting>();
  const consumers: (() => void)[] = [];
  let sent = 0;

  const pollAt = (time: number): void => {
    for (const poll of consumers) scheduler.at(time, poll);
  };
  const take = (most: number): Waiting[] => {
    const taken: Waiting[] = [];
    for (const message of waiting.values()) {
      if (taken.length === most || message.visibleAt > scheduler.now()) continue;
      message.receives += 1;
      message.receiptHandle = hexOf(random, 8);
      message.visibleAt = scheduler.now() + visibilityMilliseconds;
      if (message.receives > receivesAtMost && deadLetters !== undefined) {
        waiting.delete(message.id);
        deadLetters.send(message.body);
      } else taken.push(message);
    }
    if (taken.length > 0) pollAt(scheduler.now() + visibilityMilliseconds);
    return taken;
  };
  const byHandle = (handle: string): Waiting | undefined =>
    [...waiting.values()].find(({ receiptHandle }) => receiptHandle === handle);

  return {
    send: (body: string): void => {
      sent += 1;
      const id = `${name} ${sent}`;
      const late = faults.strike('queue: late', id) ? between(random, 1_000, 60_000) : 0;
      const visibleAt = scheduler.now() + late;
      waiting.set(id, { id, body, sentAt: scheduler.now(), visibleAt, receives: 0, receiptHandle: '' });
      pollAt(visibleAt);
    },
    changeVisibility: ({
      receiptHandle,
      seconds,
    }: {
      readonly receiptHandle: string;
      readonly seconds: number;
    }) => {
      const message = byHandle(receiptHandle);
      if (message === undefined) return;
      message.visibleAt = scheduler.now() + seconds * 1_000;
      pollAt(message.visibleAt);
    },
    /** Makes Lambda invoke a function with the queue's messages. */
    consume: ({ batchSize, windowMilliseconds, atOnce, invoke }: Consumer): void => {
      let running = 0;
      let batches = 0;
      const run = async (batch: readonly Waiting[], task: string): Promise<void> => {
        const Records = batch.map(({ id, receiptHandle, body, sentAt }) => ({
          messageId: id,
          receiptHandle,
          body,
          attributes: { SentTimestamp: String(sentAt) },
        }));
        const outcome = await invoke(task, { Records } as unknown as SQSEvent).then(
          (answer) => new Set(answer?.batchItemFailures.map(({ itemIdentifier }) => itemIdentifier)),
          () => undefined,
        );
        running -= 1;
        for (const [index, { messageId, receiptHandle }] of Records.entries()) {
          if (outcome === undefined || outcome.has(messageId)) continue;
          // A receipt that has expired may have been replaced by another one.
          const isLost = faults.strike('queue: delivers twice', `${task}, ${index + 1}`);
          if (!isLost && byHandle(receiptHandle)?.id === messageId) waiting.delete(messageId);
        }
        pollAt(scheduler.now());
      };
      const poll = (): void => {
        if (running >= atOnce) return;
        const batch = take(batchSize);
        if (batch.length === 0) return;
        running += 1;
        batches += 1;
        void run(batch, `${name} ${batches}`);
      };
      consumers.push(() => scheduler.at(scheduler.now() + windowMilliseconds, poll));
    },
    bodies: (): string[] => [...waiting.values()].map(({ body }) => body),
    /** The queue as the operator's command line reads it. */
    visited: (): MessageQueue => ({
      take: async () => take(10).map(({ id, ...message }) => ({ ...message, messageId: id })),
      remove: async ({ messageId }) => void waiting.delete(messageId),
      putBack: async (messages) => {
        for (const { messageId } of messages) {
          const message = waiting.get(messageId);
          if (message !== undefined) message.visibleAt = scheduler.now();
        }
      },
    }),
  };
};

/** How a process reaches queues, by their URLs. */
export const queueCalls =
  (options: FunctionSurroundings, queues: Readonly<Record<string, SimulatedQueue>>) =>
  (process: Process): typeof sqsQueue =>
  (url, client) => {
    const call = outsideCalls(process, options, { ...client, service: 'queue' });
    return {
      send: (body) => call(`send to ${url}`, () => queues[url]?.send(body)),
      changeVisibility: (input) => call(`put off ${url}`, () => queues[url]?.changeVisibility(input)),
    };
  };
