import { type KeyPermission, type ServiceUse, serviceMay } from '../iam/service-use.ts';
import type { Messaging } from '../messaging/types.ts';

/** Whether a topic's undeliverable messages may go into a queue. */
export type DeadLetterPermission = (request: {
  readonly queueArn: string;
  readonly topicArn: string;
}) => Promise<boolean>;

/**
 * By the queue's own policy and, if it is encrypted, its key's policy: SNS loses what it may not dead-letter. A queue
 * without a policy admits only its own account, which SNS is not.
 */
export const deadLetterPermission =
  ({
    queues,
    keyAdmits,
  }: {
    readonly queues: Pick<Messaging, 'queueAttributes'>;
    readonly keyAdmits: KeyPermission;
  }): DeadLetterPermission =>
  async ({ queueArn, topicArn }) => {
    const { Policy, KmsMasterKeyId } = await queues.queueAttributes(queueArn);
    const use: ServiceUse = { service: 'sns.amazonaws.com', sourceArn: topicArn };
    return (
      Boolean(Policy) &&
      serviceMay(use, { policy: Policy ?? '', action: 'sqs:SendMessage', resource: queueArn }) &&
      (!KmsMasterKeyId || keyAdmits(use, KmsMasterKeyId))
    );
  };
