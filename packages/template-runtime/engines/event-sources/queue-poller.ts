import type { SQSMessageAttribute, SQSRecord } from 'aws-lambda';
import { region } from '../account.ts';
import type { MessageAttribute, QueueMessage } from '../messaging/types.ts';
import { compileFilters } from './filter.ts';
import { itemFailures } from './item-failures.ts';
import { keepPolling, type PollerEngines, unlessStopped } from './poller.ts';
import type { EventSourceMapping } from './types.ts';

/** As many as Lambda begins with. */
const defaultPollers = 5;
const receiveLimit = 10;
const longPollSeconds = 20;

export interface QueuePollerOptions {
  readonly mapping: EventSourceMapping;
  readonly engines: PollerEngines;
  readonly signal: AbortSignal;
}

/** Lambda's pollers of a queue: what a function did not fail on is removed, the rest becomes visible again by itself. */
export const pollQueue = async (options: QueuePollerOptions): Promise<void> => {
  const { mapping, engines, signal } = options;
  const isOrdered = mapping.eventSourceArn.endsWith('.fifo');
  const pollers = isOrdered ? 1 : Math.min(mapping.maximumConcurrency ?? defaultPollers, defaultPollers);
  const passes = compileFilters(mapping.filters);
  await Promise.all(
    Array.from({ length: pollers }, () =>
      keepPolling({
        name: `The queue ${mapping.eventSourceArn}`,
        signal,
        report: engines.report,
        round: async () => {
          const messages = await gather(options);
          const isWanted = (message: QueueMessage) => passes({ ...message, body: parsedBody(message.body) });
          const wanted = messages.filter(isWanted);
          await remove(
            options,
            messages.filter((message) => !wanted.includes(message)),
          );
          if (wanted.length > 0) await deliver(options, wanted);
        },
      }),
    ),
  );
};

/** One batch: as many as there are at once, or as come in until the batching window is over. */
const gather = async ({ mapping, engines, signal }: QueuePollerOptions): Promise<readonly QueueMessage[]> => {
  const receive = (maximum: number, waitSeconds: number) =>
    unlessStopped(
      engines.messaging.receive({
        queueArn: mapping.eventSourceArn,
        maximum: Math.min(maximum, receiveLimit),
        waitSeconds,
        signal,
      }),
      signal,
    );
  const messages = [...(await receive(mapping.batchSize, longPollSeconds))];
  const until = engines.clock() + mapping.batchingWindowSeconds * 1000;
  while (messages.length > 0 && messages.length < mapping.batchSize) {
    const waitSeconds = Math.ceil((until - engines.clock()) / 1000);
    if (waitSeconds <= 0) break;
    messages.push(
      ...(await receive(mapping.batchSize - messages.length, Math.min(waitSeconds, longPollSeconds))),
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

/** Patterns look into a body that is JSON. */
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
