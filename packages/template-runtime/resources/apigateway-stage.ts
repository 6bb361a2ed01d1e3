import * as z from 'zod';
import { assertOnlyContext } from '../gateway/context-template.ts';
import { resourceType } from './resource-type.ts';
import { tags } from './tags.ts';

/** Settings for all methods. The settings for logging and metrics have no effect. */
const methodSetting = z.strictObject({
  DataTraceEnabled: z.boolean().optional(),
  HttpMethod: z.literal('*'),
  LoggingLevel: z.enum(['OFF', 'ERROR', 'INFO']).optional(),
  MetricsEnabled: z.boolean().optional(),
  ResourcePath: z.literal('/*'),
  ThrottlingBurstLimit: z.number().optional(),
  ThrottlingRateLimit: z.number().optional(),
});

export const apiGatewayStage = resourceType({
  type: 'AWS::ApiGateway::Stage',
  properties: z.strictObject({
    AccessLogSetting: z.strictObject({ DestinationArn: z.string(), Format: z.string() }).optional(),
    DeploymentId: z.string(),
    Description: z.string().optional(),
    MethodSettings: z.array(methodSetting).max(1).default([]),
    RestApiId: z.string(),
    StageName: z.string().regex(/^[\w-]{1,128}$/),
    Tags: tags.optional(),
    TracingEnabled: z.boolean().optional(),
    Variables: z.record(z.string(), z.string()).default({}),
  }),
  deploy: async (properties, { engines }) => {
    const { AccessLogSetting, MethodSettings, RestApiId, StageName, Variables } = properties;
    if (AccessLogSetting !== undefined) assertOnlyContext(AccessLogSetting.Format);
    const { ThrottlingRateLimit, ThrottlingBurstLimit } = MethodSettings[0] ?? {};
    engines.gateway.addStage({
      apiId: RestApiId,
      name: StageName,
      variables: Variables,
      ...(AccessLogSetting && { accessLogFormat: AccessLogSetting.Format }),
      throttle: {
        ...(ThrottlingRateLimit !== undefined && { rateLimit: ThrottlingRateLimit }),
        ...(ThrottlingBurstLimit !== undefined && { burstLimit: ThrottlingBurstLimit }),
      },
    });
    return { ref: StageName };
  },
});
