import * as z from 'zod';
import { resourceType } from './resource-type.ts';
import { tags } from './tags.ts';

/** Nothing is encrypted locally, and deliveries are logged in the state directory: those two have no effect. */
export const snsTopic = resourceType({
  type: 'AWS::SNS::Topic',
  properties: z.strictObject({
    TopicName: z.string().optional(),
    DisplayName: z.string().optional(),
    KmsMasterKeyId: z.string().optional(),
    SignatureVersion: z.enum(['1', '2']).optional(),
    TracingConfig: z.enum(['Active', 'PassThrough']).optional(),
    DeliveryStatusLogging: z
      .array(
        z.strictObject({
          Protocol: z.string(),
          FailureFeedbackRoleArn: z.string().optional(),
          SuccessFeedbackRoleArn: z.string().optional(),
          SuccessFeedbackSampleRate: z.coerce.string().optional(),
        }),
      )
      .optional(),
    Tags: tags.optional(),
  }),
  deploy: async (properties, { engines, stackName, logicalId }) => {
    const name = properties.TopicName ?? `${stackName}-${logicalId}`;
    const { DisplayName, KmsMasterKeyId, SignatureVersion, TracingConfig } = properties;
    const { arn } = await engines.messaging.createTopic({
      name,
      attributes: {
        ...(DisplayName !== undefined && { DisplayName }),
        ...(KmsMasterKeyId !== undefined && { KmsMasterKeyId }),
        ...(SignatureVersion !== undefined && { SignatureVersion }),
        ...(TracingConfig !== undefined && { TracingConfig }),
      },
    });
    return { ref: arn, attributes: { TopicArn: arn, TopicName: name } };
  },
});
