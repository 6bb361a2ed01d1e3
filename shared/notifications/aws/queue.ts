import { ChangeMessageVisibilityCommand, SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { type AwsClientOptions, clientConfig } from '../../platform/aws/client.ts';

export interface Queue {
  send(body: string): Promise<void>;
  changeVisibility(message: { readonly receiptHandle: string; readonly seconds: number }): Promise<void>;
}

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
