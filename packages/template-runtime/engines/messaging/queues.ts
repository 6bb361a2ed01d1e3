import * as z from 'zod';
import { accountId, arn, resourceOfArn } from '../account.ts';
import { type FauxqsCalls, sqsResult } from './fauxqs.ts';
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

/** SQS's calls by ARN. */
export const createQueues = (fauxqs: FauxqsCalls, endpointUrl: string): Queues => {
  const urlOf = (queueArn: string): string => `${endpointUrl}/${accountId}/${resourceOfArn(queueArn)}`;
  const sqs = async (operation: string, input: unknown, signal?: AbortSignal): Promise<unknown> =>
    sqsResult(await fauxqs.sqs(operation, input, signal));

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
    async remove({ queueArn, receiptHandle }) {
      await sqs('DeleteMessage', { QueueUrl: urlOf(queueArn), ReceiptHandle: receiptHandle });
    },
    async changeVisibility({ queueArn, receiptHandle, seconds }) {
      await sqs('ChangeMessageVisibility', {
        QueueUrl: urlOf(queueArn),
        ReceiptHandle: receiptHandle,
        VisibilityTimeout: seconds,
      });
    },
    async createQueue({ name, attributes }) {
      const QueueUrl = urlOf(arn('sqs', name));
      // One that is there may have other attributes, which CreateQueue would refuse.
      const { FifoQueue, ...mutable } = attributes;
      await sqs('CreateQueue', { QueueName: name, Attributes: FifoQueue ? { FifoQueue } : {} });
      if (Object.keys(mutable).length > 0) await sqs('SetQueueAttributes', { QueueUrl, Attributes: mutable });
      return { url: QueueUrl, arn: arn('sqs', name) };
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
