import * as z from 'zod';
import type { DeliveryStatusLogging } from '../engines/sns-delivery/types.ts';
import { resourceType } from './resource-type.ts';
import { tags } from './tags.ts';

const deliveryStatusLogging = z.strictObject({
  Protocol: z.string(),
  FailureFeedbackRoleArn: z.string().optional(),
  SuccessFeedbackRoleArn: z.string().optional(),
  SuccessFeedbackSampleRate: z.coerce.number().optional(),
});

const loggingOf = (declared: z.infer<typeof deliveryStatusLogging>): DeliveryStatusLogging => ({
  ...(declared.SuccessFeedbackRoleArn !== undefined && { successRoleArn: declared.SuccessFeedbackRoleArn }),
  ...(declared.FailureFeedbackRoleArn !== undefined && { failureRoleArn: declared.FailureFeedbackRoleArn }),
  ...(declared.SuccessFeedbackSampleRate !== undefined && {
    successSamplePercent: declared.SuccessFeedbackSampleRate,
  }),
});

/** Logs the delivery status of deliveries to HTTP(S) endpoints only. */
export const snsTopic = resourceType({
  type: 'AWS::SNS::Topic',
  properties: z.strictObject({
    TopicName: z.string().optional(),
    DisplayName: z.string().optional(),
    KmsMasterKeyId: z.string().optional(),
    SignatureVersion: z.enum(['1', '2']).optional(),
    TracingConfig: z.enum(['Active', 'PassThrough']).optional(),
    DeliveryStatusLogging: z.array(deliveryStatusLogging).optional(),
    Tags: tags.optional(),
  }),
  deploy: async (properties, { engines, stackName, logicalId }) => {
    const name = properties.TopicName ?? `${stackName}-${logicalId}`;
    const { DisplayName, KmsMasterKeyId, SignatureVersion, TracingConfig } = properties;
    const logging = (properties.DeliveryStatusLogging ?? []).find(({ Protocol }) => Protocol === 'http/s');
    const { arn } = await engines.messaging.createTopic({
      name,
      ...(logging && { deliveryStatusLogging: loggingOf(logging) }),
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
