import * as z from 'zod';
import { physicalId } from './physical-name.ts';
import { resourceType } from './resource-type.ts';

/** Supports only standard queues as destinations, and only of calls that failed. */
export const lambdaEventInvokeConfig = resourceType({
  type: 'AWS::Lambda::EventInvokeConfig',
  properties: z.strictObject({
    DestinationConfig: z
      .strictObject({
        OnFailure: z.strictObject({
          Destination: z
            .string()
            .regex(/^arn:aws:sqs:.*(?<!\.fifo)$/, 'the local runtime supports only standard queues'),
        }),
      })
      .optional(),
    FunctionName: z.string(),
    MaximumEventAgeInSeconds: z.int().min(60).max(21_600).optional(),
    MaximumRetryAttempts: z.int().min(0).max(2).optional(),
    Qualifier: z.literal('$LATEST'),
  }),
  deploy: async (properties, context) => {
    const { DestinationConfig, MaximumEventAgeInSeconds, MaximumRetryAttempts } = properties;
    context.engines.lambda.configureAsynchronous(properties.FunctionName, {
      ...(DestinationConfig && { onFailureArn: DestinationConfig.OnFailure.Destination }),
      ...(MaximumEventAgeInSeconds !== undefined && { maximumAgeSeconds: MaximumEventAgeInSeconds }),
      ...(MaximumRetryAttempts !== undefined && { maximumRetryAttempts: MaximumRetryAttempts }),
    });
    return { ref: physicalId(context) };
  },
});
