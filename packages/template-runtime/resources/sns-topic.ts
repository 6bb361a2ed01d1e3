import * as z from 'zod';
import type { DeliveryLogging, DeliveryStatusLogging } from '../engines/sns-delivery/types.ts';
import { resourceType } from './resource-type.ts';
import { tags } from './tags.ts';

const deliveryStatusLoggingEntry = z.strictObject({
  Protocol: z.enum(['http/s', 'sqs']),
  FailureFeedbackRoleArn: z.string().optional(),
  SuccessFeedbackRoleArn: z.string().optional(),
  SuccessFeedbackSampleRate: z.coerce.number().optional(),
});

const loggingOf = (declared: z.infer<typeof deliveryStatusLoggingEntry>): DeliveryStatusLogging => ({
  ...(declared.SuccessFeedbackRoleArn !== undefined && { successRoleArn: declared.SuccessFeedbackRoleArn }),
  ...(declared.FailureFeedbackRoleArn !== undefined && { failureRoleArn: declared.FailureFeedbackRoleArn }),
  ...(declared.SuccessFeedbackSampleRate !== undefined && {
    successSamplePercent: declared.SuccessFeedbackSampleRate,
  }),
});

export const snsTopic = resourceType({
  type: 'AWS::SNS::Topic',
  properties: z.strictObject({
    TopicName: z.string().optional(),
    DisplayName: z.string().optional(),
    KmsMasterKeyId: z.string().optional(),
    SignatureVersion: z.enum(['1', '2']).optional(),
    TracingConfig: z.enum(['Active', 'PassThrough']).optional(),
    DeliveryStatusLogging: z.array(deliveryStatusLoggingEntry).optional(),
    Tags: tags.optional(),
  }),
  deploy: async (properties, { engines, stackName, logicalId }) => {
    const name = properties.TopicName ?? `${stackName}-${logicalId}`;
    const { DisplayName, KmsMasterKeyId, SignatureVersion, TracingConfig } = properties;
    const deliveryStatusLogging: DeliveryLogging = Object.fromEntries(
      (properties.DeliveryStatusLogging ?? []).map((declared) => [declared.Protocol, loggingOf(declared)]),
    );
    const { arn } = await engines.messaging.createTopic({
      name,
      deliveryStatusLogging,
      attributes: {
        ...(DisplayName !== undefined && { DisplayName }),
        ...(KmsMasterKeyId !== undefined && { KmsMasterKeyId }),
        ...(SignatureVersion !== undefined && { SignatureVersion }),
        ...(TracingConfig !== undefined && { TracingConfig }),
      },
    });
    return { ref: arn, attributes: { TopicArn: arn, TopicName: name } };
  },
  remove: ({ ref }, { engines }) => engines.messaging.deleteTopic(ref),
});
