import * as z from 'zod';
import { physicalName } from './physical-name.ts';
import { resourceType } from './resource-type.ts';

/**
 * Supports only functions as destinations. Supports only the log groups of SNS's delivery status, because the runtime
 * writes to no others.
 */
export const subscriptionFilter = resourceType({
  type: 'AWS::Logs::SubscriptionFilter',
  properties: z.strictObject({
    DestinationArn: z
      .string()
      .startsWith('arn:aws:lambda:', 'the local runtime supports only functions as destinations'),
    FilterName: z.string().optional(),
    FilterPattern: z.string(),
    LogGroupName: z.string().startsWith('sns/', 'the local runtime writes nothing to this log group'),
  }),
  deploy: async ({ DestinationArn, FilterName, FilterPattern, LogGroupName }, context) => {
    const name = FilterName ?? physicalName(context, 512);
    context.engines.logs.putSubscriptionFilter({
      name,
      groupName: LogGroupName,
      pattern: FilterPattern,
      destinationArn: DestinationArn,
    });
    return { ref: name };
  },
});
