import { once } from 'node:events';
import type { SQSMessageAttribute, SQSRecord } from 'aws-lambda';
import { monotonicClock } from '../../clock.ts';
import { region } from '../account.ts';
import type { MessageAttribute, QueueMessage } from '../messaging/types.ts';
import { compileFilters } from './filter.ts';
import { itemFailures } from './item-failures.ts';
import { keepPolling, type PollerEngines, unlessStopped } from './poller.ts';
import type { EventSourceMapping } from './types.ts';

/**
 * Lambda starts with five concurrent batches and adds up to 300 a minute while there are messages. The maximum is
 * 1,000, unless the mapping sets a lower one ("Configuring scaling behavior for SQS event source mappings").
 */
const firstPollers = 5;
const addedPollers = 5;
const addedEveryMilliseconds = 1_000;
const pollersAtMost = 1_000;
const receiveLimit = 10;
const longPollSeconds = 20;

export interface QueuePollerOptions {
  readonly mapping: EventSourceMapping;
  readonly engines: PollerEngines;
  readonly signal: AbortSignal;
}

/**
 * Polls a queue as Lambda does. Deletes messages that the function processed. Failed messages become visible again
 * after their visibility timeout.
 */
export const pollQueue = async (options: QueuePollerOptions): Promise<void> => {
  const { mapping, engines, signal } = options;
  const isOrdered = mapping.eventSourceArn.endsWith('.fifo');
  const atMost = isOrdered ? 1 : (mapping.maximumConcurrency ?? pollersAtMost);
  const passes = compileFilters(mapping.filters);
  const pollers = new Set<Promise<void>>();
  let waiting = 0;
  /** Pollers whose last round failed. While there are any, no pollers are added, because more would not help. */
  const failing = new Set<AbortController>();
  /** Becomes false when a poller finds the queue empty. Each check sets it to true again. */
  let isBehind = true;

  const waitForFirst = async (): Promise<readonly QueueMessage[]> => {
    const maximum = mapping.batchSize;
    const found = await receive(options, { maximum, waitSeconds: 0 });
    if (found.length > 0) return found;
    isBehind = false;
    waiting += 1;
    try {
      return await receive(options, { maximum, waitSeconds: longPollSeconds });
    } finally {
      waiting -= 1;
    }
  };
  /** @returns whether the queue had any messages. */
  const poll = async (): Promise<boolean> => {
    const messages = await fill(options, await waitForFirst());
    const isWanted = (message: QueueMessage) => passes({ ...message, body: parsedBody(message.body) });
    const wanted = messages.filter(isWanted);
    await remove(
      options,
      messages.filter((message) => !wanted.includes(message)),
    );
    if (wanted.length > 0) await deliver(options, wanted);
    return messages.length > 0;
  };
  /**
   * Starts a poller. The first pollers run until `signal` is aborted. A poller that is added later ends as soon as it
   * finds no messages.
   */
  const add = (isFirst: boolean): void => {
    const ended = new AbortController();
    const poller = keepPolling({
      name: `The queue ${mapping.eventSourceArn}`,
      signal: AbortSignal.any([signal, ended.signal]),
      clock: engines.clock,
      report: engines.report,
      round: async () => {
        try {
          if (!(await poll()) && !isFirst) ended.abort();
          failing.delete(ended);
        } catch (error) {
          failing.add(ended);
          throw error;
        }
      },
    }).finally(() => pollers.delete(poller));
    pollers.add(poller);
  };

  for (let count = 0; count < Math.min(firstPollers, atMost); count += 1) add(true);
  const growth = setInterval(() => {
    const isGrowing = isBehind && waiting === 0 && failing.size === 0;
    isBehind = true;
    if (!isGrowing) return;
    for (let count = Math.min(addedPollers, atMost - pollers.size); count > 0; count -= 1) add(false);
  }, addedEveryMilliseconds);
  await once(signal, 'abort');
  clearInterval(growth);
  await Promise.all(pollers);
};

const receive = (
  { mapping, engines, signal }: QueuePollerOptions,
  { maximum, waitSeconds }: { readonly maximum: number; readonly waitSeconds: number },
): Promise<readonly QueueMessage[]> =>
  unlessStopped(
    engines.messaging.receive({
      queueArn: mapping.eventSourceArn,
      maximum: Math.min(maximum, receiveLimit),
      waitSeconds,
      signal,
    }),
    signal,
  );

const fill = async (
  options: QueuePollerOptions,
  first: readonly QueueMessage[],
): Promise<readonly QueueMessage[]> => {
  const { mapping } = options;
  const messages = [...first];
  const until = monotonicClock() + mapping.batchingWindowSeconds * 1000;
  while (messages.length > 0 && messages.length < mapping.batchSize) {
    const waitSeconds = Math.ceil((until - monotonicClock()) / 1000);
    if (waitSeconds <= 0) break;
    const maximum = mapping.batchSize - messages.length;
    messages.push(
      ...(await receive(options, { maximum, waitSeconds: Math.min(waitSeconds, longPollSeconds) })),
    );
  }
  return messages;
};

const deliver = async (options: QueuePollerOptions, messages: readonly QueueMessage[]): Promise<void> => {
  const { mapping, engines, signal } = options;
  const event = { Records: messages.map((message) => sqsRecord(message, mapping.eventSourceArn)) };
  const result = await unlessStopped(engines.lambda.invoke(mapping.functionName, event), signal);
  if (!result.ok) return;
  const failures = mapping.reportBatchItemFailures
    ? itemFailures(result.payload, new Set(messages.map(({ messageId }) => messageId)))
    : new Set<string>();
  if (failures === undefined) return;
  await remove(
    options,
    messages.filter(({ messageId }) => !failures.has(messageId)),
  );
};

const remove = async (
  { mapping, engines }: QueuePollerOptions,
  messages: readonly QueueMessage[],
): Promise<void> => {
  await Promise.all(
    messages.map(({ receiptHandle }) =>
      engines.messaging.remove({ queueArn: mapping.eventSourceArn, receiptHandle }),
    ),
  );
};

/** Parses a JSON body, because filter patterns can match fields inside it. */
const parsedBody = (body: string): unknown => {
  try {
    return JSON.parse(body);
  } catch (error) {
    if (error instanceof SyntaxError) return body;
    throw error;
  }
};

const sqsRecord = (message: QueueMessage, eventSourceARN: string): SQSRecord => {
  const { ApproximateReceiveCount, SentTimestamp, SenderId, ApproximateFirstReceiveTimestamp, ...rest } =
    message.attributes;
  return {
    messageId: message.messageId,
    receiptHandle: message.receiptHandle,
    body: message.body,
    attributes: {
      ApproximateReceiveCount: ApproximateReceiveCount ?? '1',
      SentTimestamp: SentTimestamp ?? '0',
      SenderId: SenderId ?? '',
      ApproximateFirstReceiveTimestamp: ApproximateFirstReceiveTimestamp ?? '0',
      ...rest,
    },
    messageAttributes: Object.fromEntries(
      Object.entries(message.messageAttributes).map(([name, attribute]) => [name, sqsAttribute(attribute)]),
    ),
    md5OfBody: message.md5OfBody,
    eventSource: 'aws:sqs',
    eventSourceARN,
    awsRegion: region,
  };
};

const sqsAttribute = ({ DataType, StringValue, BinaryValue }: MessageAttribute): SQSMessageAttribute => ({
  ...(StringValue !== undefined && { stringValue: StringValue }),
  ...(BinaryValue !== undefined && { binaryValue: BinaryValue }),
  stringListValues: [],
  binaryListValues: [],
  dataType: DataType as SQSMessageAttribute['dataType'],
});
