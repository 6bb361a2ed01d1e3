import * as z from 'zod';
import { accountId, arn } from '../account.ts';
import { ServiceFault } from '../service-fault.ts';
import { type FauxqsCalls, sqsResult } from './fauxqs.ts';
import { engineQueueName, queueUrl } from './queue-names.ts';
import type { Messaging } from './types.ts';

const attribute = z.object({
  DataType: z.string(),
  StringValue: z.string().optional(),
  BinaryValue: z.string().optional(),
});
const received = z.object({
  Messages: z
    .array(
      z.object({
        MessageId: z.string(),
        ReceiptHandle: z.string(),
        Body: z.string(),
        MD5OfBody: z.string(),
        Attributes: z.record(z.string(), z.string()).default({}),
        MessageAttributes: z.record(z.string(), attribute).default({}),
      }),
    )
    .default([]),
});
const sent = z.object({ MessageId: z.string() });
const removed = z.object({
  Failed: z
    .array(z.object({ Id: z.string(), Code: z.string(), Message: z.string().default('') }))
    .default([]),
});
/** The limit of DeleteMessageBatch. */
const batchLimit = 10;
const attributesAnswer = z.object({ Attributes: z.record(z.string(), z.string()).default({}) });

export type Queues = Pick<
  Messaging,
  | 'changeVisibility'
  | 'createQueue'
  | 'deleteQueue'
  | 'queueAttributes'
  | 'receive'
  | 'remove'
  | 'send'
  | 'setQueueAttributes'
>;

interface Removal {
  readonly receiptHandle: string;
  readonly settle: (error: unknown) => void;
}

export const createQueues = (fauxqs: FauxqsCalls, endpointUrl: string): Queues => {
  const urlOf = (queueArn: string): string => `${endpointUrl}/${accountId}/${engineQueueName(queueArn)}`;
  const sqs = async (operation: string, input: unknown, signal?: AbortSignal): Promise<unknown> =>
    sqsResult(await fauxqs.sqs(operation, input, signal));

  /**
   * The deletions that wait for the next batch, by queue ARN. Deletions that arrive while a batch is in progress go
   * into the next batch.
   */
  const removals = new Map<string, Removal[]>();

  const removeBatch = async (queueArn: string, batch: readonly Removal[]): Promise<void> => {
    try {
      const Entries = batch.map(({ receiptHandle }, index) => ({
        Id: String(index),
        ReceiptHandle: receiptHandle,
      }));
      const answer = await sqs('DeleteMessageBatch', { QueueUrl: urlOf(queueArn), Entries });
      const failed = new Map(removed.parse(answer).Failed.map((failure) => [failure.Id, failure]));
      for (const [index, { settle }] of batch.entries()) {
        const failure = failed.get(String(index));
        settle(failure && new ServiceFault({ code: failure.Code, message: failure.Message }));
      }
    } catch (error) {
      for (const { settle } of batch) settle(error);
    }
  };

  const removeAll = async (queueArn: string, waiting: Removal[]): Promise<void> => {
    // Waits for further deletions in the same turn of the event loop.
    await Promise.resolve();
    while (waiting.length > 0) await removeBatch(queueArn, waiting.splice(0, batchLimit));
    removals.delete(queueArn);
  };

  return {
    async send({ queueArn, body, attributes }) {
      const answer = await sqs('SendMessage', {
        QueueUrl: urlOf(queueArn),
        MessageBody: body,
        ...(attributes && { MessageAttributes: attributes }),
      });
      return { messageId: sent.parse(answer).MessageId };
    },
    async receive({ queueArn, maximum, waitSeconds, visibilityTimeoutSeconds, signal }) {
      const answer = await sqs(
        'ReceiveMessage',
        {
          QueueUrl: urlOf(queueArn),
          MaxNumberOfMessages: maximum,
          WaitTimeSeconds: waitSeconds,
          AttributeNames: ['All'],
          MessageAttributeNames: ['All'],
          ...(visibilityTimeoutSeconds !== undefined && { VisibilityTimeout: visibilityTimeoutSeconds }),
        },
        signal,
      );
      return received.parse(answer).Messages.map((message) => ({
        messageId: message.MessageId,
        receiptHandle: message.ReceiptHandle,
        body: message.Body,
        md5OfBody: message.MD5OfBody,
        attributes: message.Attributes,
        messageAttributes: message.MessageAttributes,
      }));
    },
    remove({ queueArn, receiptHandle }) {
      const { promise, resolve, reject } = Promise.withResolvers<void>();
      const settle = (error: unknown): void => (error === undefined ? resolve() : reject(error));
      const waiting = removals.get(queueArn);
      if (waiting !== undefined) {
        waiting.push({ receiptHandle, settle });
      } else {
        const first = [{ receiptHandle, settle }];
        removals.set(queueArn, first);
        void removeAll(queueArn, first);
      }
      return promise;
    },
    async changeVisibility({ queueArn, receiptHandle, seconds }) {
      await sqs('ChangeMessageVisibility', {
        QueueUrl: urlOf(queueArn),
        ReceiptHandle: receiptHandle,
        VisibilityTimeout: seconds,
      });
    },
    async createQueue({ name, attributes }) {
      const queueArn = arn('sqs', name);
      const QueueUrl = queueUrl(endpointUrl, queueArn);
      // Sets the attributes separately: CreateQueue would refuse an existing queue that has different attributes.
      const { FifoQueue, ...mutable } = attributes;
      await sqs('CreateQueue', { QueueName: name, Attributes: FifoQueue ? { FifoQueue } : {} });
      if (Object.keys(mutable).length > 0) await sqs('SetQueueAttributes', { QueueUrl, Attributes: mutable });
      return { url: QueueUrl, arn: queueArn };
    },
    async deleteQueue(queueArn) {
      await sqs('DeleteQueue', { QueueUrl: urlOf(queueArn) });
    },
    async queueAttributes(queueArn) {
      const answer = await sqs('GetQueueAttributes', { QueueUrl: urlOf(queueArn), AttributeNames: ['All'] });
      return attributesAnswer.parse(answer).Attributes;
    },
    async setQueueAttributes(queueArn, attributes) {
      await sqs('SetQueueAttributes', { QueueUrl: urlOf(queueArn), Attributes: attributes });
    },
  };
};
