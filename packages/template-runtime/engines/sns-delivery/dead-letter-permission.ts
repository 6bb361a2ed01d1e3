import { type KeyPermission, type ServiceUse, serviceMay } from '../iam/service-use.ts';
import type { Messaging } from '../messaging/types.ts';

export type DeadLetterPermission = (request: {
  readonly queueArn: string;
  readonly topicArn: string;
}) => Promise<boolean>;

/**
 * Decides by the queue's own policy and, if the queue is encrypted, its key's policy. A queue without a policy does not
 * admit SNS. SNS loses a message that the dead-letter queue does not admit.
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
