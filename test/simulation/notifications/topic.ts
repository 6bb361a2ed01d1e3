/** SNS: a topic, its subscriptions and their filters, deliveries to endpoints, dead letters and the delivery log. */
import type { PublishBatchCommandInput, SNSClient } from '@aws-sdk/client-sns';
import type { AwsClientOptions } from '../../../shared/platform/aws/client.ts';
import type { FunctionSurroundings } from '../functions.ts';
import { outsideCalls } from '../outside.ts';
import type { Process } from '../process.ts';
import { between, hexOf } from '../streams.ts';

export interface Accepted {
  readonly id: string;
  readonly at: number;
  readonly body: string;
  readonly attributes: Readonly<Record<string, string>>;
  /** The process that published it. */
  readonly by: Process;
}

export interface Subscription {
  readonly destination: string;
  /** Values of message attributes, as the subscription's filter policy has them. */
  readonly filter: Readonly<Record<string, readonly string[]>>;
}

/** How a delivery ended, as the delivery log reports it. */
export interface Ended {
  readonly message: Accepted;
  readonly destination: string;
  readonly isDelivered: boolean;
  readonly statusCode: number | undefined;
  readonly attempts: number;
}

interface TopicOptions extends FunctionSurroundings {
  /** Sends a message to an endpoint. The status of its answer; `undefined` if there is none. */
  readonly post: (destination: string, message: Accepted) => number | undefined;
  readonly onAccepted: (message: Accepted) => void;
  /** The subscription, without a filter, of the queue that feeds the record of notifications. */
  readonly record: (message: Accepted) => void;
  readonly log: (ended: Ended) => void;
  readonly deadLetter: (message: Accepted) => void;
}

/** SNS's default for HTTPS: three retries, 20 seconds apart. */
const retries = 3;
const retryMilliseconds = 20_000;

const attributesOf = ({ MessageAttributes = {} }: { readonly MessageAttributes?: object | undefined }) =>
  Object.fromEntries(
    Object.entries(MessageAttributes as Record<string, { readonly StringValue?: string }>).map(
      ([name, { StringValue = '' }]) => [name, StringValue],
    ),
  );

export const createTopic = (options: TopicOptions) => {
  const { scheduler, streams, faults, history, post, onAccepted, record, log, deadLetter } = options;
  const subscriptions: Subscription[] = [];
  let open = 0;

  const deliver = (message: Accepted, destination: string, attempt: number): void => {
    const what = `delivery of ${message.id.slice(0, 6)} to ${destination}`;
    const late = faults.strike('topic: delivers late', what) ? between(streams.of(what), 500, 60_000) : 0;
    scheduler.at(scheduler.now() + between(streams.of(what), 20, 200) + late, () => {
      const statusCode = post(destination, message);
      const isDelivered = statusCode !== undefined && statusCode < 300;
      history.say('SNS', () => `${what}, attempt ${attempt}: ${statusCode ?? 'no answer'}`);
      const mayRetry = statusCode === undefined || statusCode >= 500 || statusCode === 429;
      if (!isDelivered && mayRetry && attempt <= retries) {
        scheduler.at(scheduler.now() + retryMilliseconds, () => deliver(message, destination, attempt + 1));
        return;
      }
      open -= 1;
      if (!isDelivered) deadLetter(message);
      log({ message, destination, isDelivered, statusCode, attempts: attempt });
    });
  };

  const accept = (message: Accepted): void => {
    onAccepted(message);
    record(message);
    for (const { destination, filter } of subscriptions) {
      const isWanted = Object.entries(filter).every(([name, values]) =>
        values.includes(message.attributes[name] ?? ''),
      );
      if (!isWanted) continue;
      const copies = faults.strike('topic: delivers twice', `${message.id} to ${destination}`) ? 2 : 1;
      for (let copy = 0; copy < copies; copy += 1) {
        open += 1;
        deliver(message, destination, 1);
      }
    }
  };

  const publishBatch = (by: Process, { PublishBatchRequestEntries = [] }: PublishBatchCommandInput) => {
    const Successful: { readonly Id: string; readonly MessageId: string }[] = [];
    const Failed: { readonly Id: string; readonly Code: string; readonly SenderFault: boolean }[] = [];
    for (const entry of PublishBatchRequestEntries) {
      const { Id = '', Message = '' } = entry;
      if (faults.strike('topic: refuses one', by.task)) {
        Failed.push({ Id, Code: 'InternalError', SenderFault: false });
        continue;
      }
      const id = hexOf(streams.of(`messages @ ${by.task}`), 16);
      const attributes = attributesOf(entry);
      history.say('SNS', () => `accepts ${id.slice(0, 6)} for ${attributes.application_id}: ${Message}`);
      accept({ id, at: scheduler.now(), body: Message, attributes, by });
      Successful.push({ Id, MessageId: id });
    }
    return { Successful, Failed };
  };

  return {
    subscribe: (subscription: Subscription): void => void subscriptions.push(subscription),
    subscriptions: (): readonly Subscription[] => subscriptions,
    /** Whether a delivery has not ended. */
    isDelivering: (): boolean => open > 0,
    clientOf:
      (process: Process) =>
      (client: Pick<AwsClientOptions, 'maxAttempts' | 'requestTimeoutMilliseconds'>): SNSClient => {
        const call = outsideCalls(process, options, { ...client, service: 'topic' });
        const send = ({ input }: { readonly input: PublishBatchCommandInput }) =>
          call(`publish ${input.PublishBatchRequestEntries?.length} messages`, () =>
            publishBatch(process, input),
          );
        return { send } as unknown as SNSClient;
      },
  };
};
