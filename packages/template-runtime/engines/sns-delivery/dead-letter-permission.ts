import { accountId } from '../account.ts';
import { policyAdmitsService } from '../iam/resource-policy.ts';
import type { Messaging } from '../messaging/types.ts';

/** Whether a topic's undeliverable messages may go into a queue. */
export type DeadLetterPermission = (request: {
  readonly queueArn: string;
  readonly topicArn: string;
}) => Promise<boolean>;

/**
 * As the queue's own policy says: SNS loses what it may not dead-letter. A queue without any policy takes them all,
 * which SQS itself would not do; it can only have been made by hand.
 */
export const deadLetterPermission =
  (queues: Pick<Messaging, 'queueAttributes'>): DeadLetterPermission =>
  async ({ queueArn, topicArn }) => {
    const { Policy } = await queues.queueAttributes(queueArn);
    return (
      !Policy ||
      policyAdmitsService({
        policy: JSON.parse(Policy),
        service: 'sns.amazonaws.com',
        action: 'sqs:SendMessage',
        resource: queueArn,
        context: {
          'aws:SecureTransport': 'true',
          'aws:SourceAccount': accountId,
          'aws:SourceArn': topicArn,
        },
      })
    );
  };
