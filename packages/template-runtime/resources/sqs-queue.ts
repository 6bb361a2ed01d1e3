import * as z from 'zod';
import { resourceType } from './resource-type.ts';
import { tags } from './tags.ts';
import { flag, whole } from './template-values.ts';

const redrivePolicy = z.strictObject({ deadLetterTargetArn: z.string(), maxReceiveCount: whole });
const redriveAllowPolicy = z.strictObject({
  redrivePermission: z.enum(['allowAll', 'denyAll', 'byQueue']),
  sourceQueueArns: z.array(z.string()).optional(),
});

/** Encryption has no effect. */
export const sqsQueue = resourceType({
  type: 'AWS::SQS::Queue',
  properties: z.strictObject({
    QueueName: z.string().optional(),
    DelaySeconds: whole.optional(),
    MaximumMessageSize: whole.optional(),
    MessageRetentionPeriod: whole.optional(),
    ReceiveMessageWaitTimeSeconds: whole.optional(),
    VisibilityTimeout: whole.optional(),
    KmsMasterKeyId: z.string().optional(),
    KmsDataKeyReusePeriodSeconds: whole.optional(),
    SqsManagedSseEnabled: flag.optional(),
    RedrivePolicy: redrivePolicy.optional(),
    RedriveAllowPolicy: redriveAllowPolicy.optional(),
    Tags: tags.optional(),
  }),
  deploy: async ({ QueueName, Tags: _, ...attributes }, { engines, stackName, logicalId }) => {
    const name = QueueName ?? `${stackName}-${logicalId}`;
    const { url, arn } = await engines.messaging.createQueue({
      name,
      attributes: Object.fromEntries(
        Object.entries(attributes).map(([attribute, value]) => [
          attribute,
          typeof value === 'object' ? JSON.stringify(value) : String(value),
        ]),
      ),
    });
    return { ref: url, attributes: { Arn: arn, QueueName: name, QueueUrl: url } };
  },
  remove: ({ attributes }, { engines }) => engines.messaging.deleteQueue(attributes?.Arn ?? ''),
});
