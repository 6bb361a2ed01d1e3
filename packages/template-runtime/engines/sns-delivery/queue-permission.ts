import { type KeyPermission, type ServiceUse, serviceMay } from '../iam/service-use.ts';
import type { Messaging } from '../messaging/types.ts';

export type QueuePermission = (request: {
  readonly queueArn: string;
  readonly topicArn: string;
}) => Promise<boolean>;

/**
 * Whether SNS may send messages of the topic to the queue. The queue's policy must allow it. If the queue is encrypted
 * with a key, the key's policy must allow it too. A queue without a policy does not admit SNS. Dead letters that the
 * queue does not admit are lost.
 */
export const queuePermission =
  ({
    queues,
    keyAdmits,
  }: {
    readonly queues: Pick<Messaging, 'queueAttributes'>;
    readonly keyAdmits: KeyPermission;
  }): QueuePermission =>
  async ({ queueArn, topicArn }) => {
    const { Policy, KmsMasterKeyId } = await queues.queueAttributes(queueArn);
    const use: ServiceUse = { service: 'sns.amazonaws.com', sourceArn: topicArn };
    return (
      Boolean(Policy) &&
      serviceMay(use, { policy: Policy ?? '', action: 'sqs:SendMessage', resource: queueArn }) &&
      (!KmsMasterKeyId || keyAdmits(use, KmsMasterKeyId))
    );
  };
