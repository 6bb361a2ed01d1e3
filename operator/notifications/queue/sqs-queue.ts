import {
  ChangeMessageVisibilityBatchCommand,
  DeleteMessageCommand,
  ReceiveMessageCommand,
  SQSClient,
} from '@aws-sdk/client-sqs';
import type { Target } from '../../platform/target/target.ts';
import type { MessageQueue } from './message-queue.ts';

/** SQS's limit of messages in one call. */
const messagesAtOnce = 10;

/** The visibility timeout. If a command is killed, the messages it has taken stay invisible for this time. */
const takenSeconds = 60;

export const sqsMessageQueue = ({
  client,
  queueUrl,
}: {
  readonly client: SQSClient;
  readonly queueUrl: string;
}): MessageQueue => ({
  take: async () => {
    const { Messages = [] } = await client.send(
      new ReceiveMessageCommand({
        QueueUrl: queueUrl,
        MaxNumberOfMessages: messagesAtOnce,
        VisibilityTimeout: takenSeconds,
        // Any wait makes this a long poll. A short poll queries only some of SQS's servers and may miss messages.
        WaitTimeSeconds: 1,
        MessageSystemAttributeNames: ['SentTimestamp'],
      }),
    );
    return Messages.map(({ MessageId = '', ReceiptHandle = '', Body = '', Attributes }) => ({
      messageId: MessageId,
      receiptHandle: ReceiptHandle,
      body: Body,
      sentAt: Number(Attributes?.SentTimestamp),
    }));
  },

  remove: async ({ receiptHandle }) => {
    await client.send(new DeleteMessageCommand({ QueueUrl: queueUrl, ReceiptHandle: receiptHandle }));
  },

  putBack: async (messages) => {
    for (let start = 0; start < messages.length; start += messagesAtOnce) {
      const batch = messages.slice(start, start + messagesAtOnce);
      await client.send(
        new ChangeMessageVisibilityBatchCommand({
          QueueUrl: queueUrl,
          Entries: batch.map(({ receiptHandle }, index) => ({
            Id: String(index),
            ReceiptHandle: receiptHandle,
            VisibilityTimeout: 0,
          })),
        }),
      );
    }
  },
});

/** The queue whose URL is the stack's output `name`. */
export const stageQueue = (target: Target, name: string): MessageQueue =>
  sqsMessageQueue({ client: new SQSClient(target.aws), queueUrl: target.output(name) });
