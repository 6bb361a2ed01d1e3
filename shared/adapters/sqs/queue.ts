import { ChangeMessageVisibilityCommand, SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { type AwsClientOptions, clientConfig } from '../aws/client.ts';

/** A queue of SQS. */
export interface Queue {
  send(body: string): Promise<void>;
  /** Makes a received message visible again after this many seconds. */
  changeVisibility(message: { readonly receiptHandle: string; readonly seconds: number }): Promise<void>;
}

/** A queue, for a function. */
export const sqsQueue = (queueUrl: string, options: AwsClientOptions): Queue => {
  const sqs = new SQSClient(clientConfig(options));
  return {
    send: async (body) => {
      await sqs.send(new SendMessageCommand({ QueueUrl: queueUrl, MessageBody: body }));
    },
    changeVisibility: async ({ receiptHandle, seconds }) => {
      await sqs.send(
        new ChangeMessageVisibilityCommand({
          QueueUrl: queueUrl,
          ReceiptHandle: receiptHandle,
          VisibilityTimeout: seconds,
        }),
      );
    },
  };
};
