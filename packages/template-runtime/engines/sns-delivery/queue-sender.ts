import { randomUUID } from 'node:crypto';
import { queueUrl } from '../messaging/queue-names.ts';
import type { MessageAttribute, Messaging } from '../messaging/types.ts';
import { ServiceFault } from '../service-fault.ts';
import type { Outcome } from './poster.ts';
import type { QueuePermission } from './queue-permission.ts';

export type QueueSender = (message: {
  readonly queueArn: string;
  readonly topicArn: string;
  readonly body: string;
  readonly attributes?: Readonly<Record<string, MessageAttribute>>;
}) => Promise<Outcome>;

/** As in log lines that SNS users have published. */
const refused = (status: number, ErrorCode: string, ErrorMessage: string): Outcome => ({
  kind: 'refused',
  status,
  response: JSON.stringify({ ErrorCode, ErrorMessage, sqsRequestId: 'Unrecoverable' }),
});

/**
 * Sends a message to a subscribed queue. If the queue does not exist or does not admit SNS, the error is on SNS's own
 * side, and SNS does not retry ("Amazon SNS message delivery retries").
 */
export const createQueueSender =
  ({
    queues,
    admits,
  }: {
    readonly queues: Pick<Messaging, 'send'>;
    readonly admits: QueuePermission;
  }): QueueSender =>
  async ({ queueArn, topicArn, ...message }) => {
    try {
      if (!(await admits({ queueArn, topicArn }))) {
        const url = queueUrl('https://sqs.us-east-1.amazonaws.com', queueArn);
        return refused(403, 'AccessDenied', `Access to the resource ${url} is denied.`);
      }
      const { messageId } = await queues.send({ queueArn, ...message });
      const response = JSON.stringify({ sqsRequestId: randomUUID(), sqsMessageId: messageId });
      return { kind: 'delivered', status: 200, response };
    } catch (error) {
      if (!(error instanceof ServiceFault) || !/QueueDoesNotExist|NonExistentQueue/.test(error.code))
        throw error;
      return refused(
        400,
        'AWS.SimpleQueueService.NonExistentQueue',
        'The specified queue does not exist or you do not have access to it.',
      );
    }
  };
