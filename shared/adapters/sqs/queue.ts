import { type JsonServiceOptions, jsonService } from '../aws/json-service.ts';
import { functionSettings } from '../aws/settings.ts';

/** A queue of SQS. */
export interface Queue {
  send(body: string): Promise<void>;
  /** Has a message that was received come again after so many seconds. */
  changeVisibility(message: { readonly receiptHandle: string; readonly seconds: number }): Promise<void>;
}

/** A queue, for a function. */
export const sqsQueue = (
  queueUrl: string,
  options: Pick<JsonServiceOptions, 'maxAttempts' | 'requestTimeoutMilliseconds'>,
): Queue => {
  const sqs = jsonService({
    settings: functionSettings(),
    service: 'sqs',
    target: 'AmazonSQS',
    version: '1.0',
    ...options,
  });
  return {
    send: async (body) => {
      await sqs('SendMessage', { QueueUrl: queueUrl, MessageBody: body });
    },
    changeVisibility: async ({ receiptHandle, seconds }) => {
      await sqs('ChangeMessageVisibility', {
        QueueUrl: queueUrl,
        ReceiptHandle: receiptHandle,
        VisibilityTimeout: seconds,
      });
    },
  };
};
