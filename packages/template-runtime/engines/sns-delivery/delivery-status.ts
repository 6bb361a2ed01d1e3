import { createHash, randomUUID } from 'node:crypto';
import { accountId, arn, region, resourceOfArn } from '../account.ts';
import type { Identities } from '../iam/types.ts';
import type { Logs } from '../logs/types.ts';
import type { DeliveryLogging, FinishedDelivery } from './types.ts';

export interface DeliveryStatusOptions {
  readonly logs: Pick<Logs, 'createGroup' | 'hasGroup' | 'write'>;
  readonly identities: Pick<Identities, 'authorizeRole' | 'trusts'>;
}

/** Formats a time as `2026-11-20 12:00:30.123`, in UTC. */
const logTime = (milliseconds: number): string =>
  new Date(milliseconds).toISOString().replace('T', ' ').replace('Z', '');

/**
 * Writes SNS's delivery-status log ("Amazon SNS message delivery status"): one line when a delivery has ended. The log
 * group is `sns/<region>/<account>/<topic>`, or `…/Failure` if the delivery was given up. The topic's role needs the
 * three permissions of "Prerequisites for delivery status logging", even if the groups exist. Without the permissions,
 * the line is silently lost, as on AWS.
 *
 * `dwellTimeMs` is the time from the publication until just before the last attempt. For HTTP(S), `providerResponse` is
 * a reason phrase (`OK`) without a body; for SQS, it is a JSON text. SNS users have published such log lines. Only the
 * form of the lines of failed HTTP(S) deliveries is an assumption.
 */
export const createDeliveryStatus = ({ logs, identities }: DeliveryStatusOptions) => {
  const mayWrite = (roleArn: string, topicArn: string, groupName: string): boolean => {
    if (!identities.trusts(roleArn, 'sns.amazonaws.com', topicArn)) return false;
    const group = arn('logs', `log-group:${groupName}`);
    const may = (action: string, resources: readonly string[]): boolean =>
      identities.authorizeRole({ roleArn, sessionName: 'SnsDeliveryStatus', action, resources }).allowed;
    const isAllowed =
      // According to IAM's reference, the resource of this action is only the log group. But AWS's refusal messages
      // also name a log stream. So the role must allow the action for both.
      may('logs:CreateLogGroup', [group, `${group}:log-stream:`]) &&
      may('logs:CreateLogStream', [`${group}:log-stream:local`]) &&
      may('logs:PutLogEvents', [`${group}:log-stream:local`]);
    if (!isAllowed) return false;
    if (!logs.hasGroup(groupName)) logs.createGroup(groupName);
    return true;
  };

  return (delivery: FinishedDelivery, loggingOfTopic: DeliveryLogging): void => {
    const logging = loggingOfTopic[delivery.protocol === 'sqs' ? 'sqs' : 'http/s'];
    const roleArn = delivery.succeeded ? logging?.successRoleArn : logging?.failureRoleArn;
    if (roleArn === undefined) return;
    if (delivery.succeeded && Math.random() * 100 >= (logging?.successSamplePercent ?? 100)) return;
    const group = `sns/${region}/${accountId}/${resourceOfArn(delivery.topicArn)}`;
    const groupName = delivery.succeeded ? group : `${group}/Failure`;
    if (!mayWrite(roleArn, delivery.topicArn, groupName)) return;
    logs.write({ groupName, streamName: 'local', timestamp: delivery.endedAt, message: line(delivery) });
  };
};

const line = (delivery: FinishedDelivery): string =>
  JSON.stringify({
    notification: {
      messageMD5Sum: createHash('md5').update(delivery.message).digest('hex'),
      messageId: delivery.messageId,
      topicArn: delivery.topicArn,
      timestamp: logTime(delivery.publishedAt),
    },
    delivery: {
      deliveryId: randomUUID(),
      destination: delivery.endpoint,
      providerResponse: delivery.providerResponse,
      dwellTimeMs: Math.max(delivery.handedOverAt - delivery.publishedAt, 0),
      attempts: delivery.attempts,
      ...(delivery.statusCode !== undefined && { statusCode: delivery.statusCode }),
    },
    status: delivery.succeeded ? 'SUCCESS' : 'FAILURE',
  });
