import * as z from 'zod';
import { physicalId } from './physical-name.ts';
import { resourceType } from './resource-type.ts';
import { tags } from './tags.ts';

export const apiGatewayUsagePlan = resourceType({
  type: 'AWS::ApiGateway::UsagePlan',
  properties: z.strictObject({
    ApiStages: z
      .array(
        z.strictObject({
          ApiId: z.string(),
          Stage: z.string(),
          /** Throttling by method is not supported, so this must be empty. */
          Throttle: z.strictObject({}).optional(),
        }),
      )
      .default([]),
    Description: z.string().optional(),
    Quota: z
      .strictObject({
        Limit: z.number(),
        Offset: z.number().optional(),
        Period: z.enum(['DAY', 'WEEK', 'MONTH']),
      })
      .optional(),
    Tags: tags.optional(),
    Throttle: z
      .strictObject({ BurstLimit: z.number().optional(), RateLimit: z.number().optional() })
      .optional(),
    UsagePlanName: z.string().optional(),
  }),
  deploy: async ({ ApiStages, Description, Quota, Throttle, UsagePlanName }, context) => {
    const id = physicalId(context);
    context.engines.gateway.keys.putUsagePlan({
      id,
      name: UsagePlanName ?? context.logicalId,
      ...(Description !== undefined && { description: Description }),
      apiStages: ApiStages.map(({ ApiId, Stage }) => ({ apiId: ApiId, stage: Stage })),
      ...(Throttle && {
        throttle: {
          ...(Throttle.RateLimit !== undefined && { rateLimit: Throttle.RateLimit }),
          ...(Throttle.BurstLimit !== undefined && { burstLimit: Throttle.BurstLimit }),
        },
      }),
      ...(Quota && {
        quota: {
          limit: Quota.Limit,
          period: Quota.Period,
          ...(Quota.Offset !== undefined && { offset: Quota.Offset }),
        },
      }),
    });
    return { ref: id, attributes: { Id: id } };
  },
});
