import * as z from 'zod';
import { assertOnlyContext } from '../gateway/context-template.ts';
import type { MethodSettings } from '../gateway/types.ts';
import { resourceType } from './resource-type.ts';
import { tags } from './tags.ts';

const settings = {
  DataTraceEnabled: z.boolean().optional(),
  LoggingLevel: z.enum(['OFF', 'ERROR', 'INFO']).optional(),
  MetricsEnabled: z.boolean().default(false),
  ThrottlingBurstLimit: z.number().optional(),
  ThrottlingRateLimit: z.number().optional(),
};

/** The settings of all methods, or of one. The settings for logging have no effect. */
const methodSetting = z.union([
  z.strictObject({ ...settings, HttpMethod: z.literal('*'), ResourcePath: z.literal('/*') }),
  z.strictObject({
    ...settings,
    HttpMethod: z.string().regex(/^[A-Z]+$/),
    // CloudFormation wants each slash after the first as `~1`.
    ResourcePath: z.string().regex(/^\/~1[^/*]*$/),
  }),
]);

const settingsOf = ({
  MetricsEnabled,
  ThrottlingRateLimit,
  ThrottlingBurstLimit,
}: z.output<typeof methodSetting>): MethodSettings => ({
  hasMetrics: MetricsEnabled,
  throttle: {
    ...(ThrottlingRateLimit !== undefined && { rateLimit: ThrottlingRateLimit }),
    ...(ThrottlingBurstLimit !== undefined && { burstLimit: ThrottlingBurstLimit }),
  },
});

export const apiGatewayStage = resourceType({
  type: 'AWS::ApiGateway::Stage',
  properties: z.strictObject({
    AccessLogSetting: z.strictObject({ DestinationArn: z.string(), Format: z.string() }).optional(),
    DeploymentId: z.string(),
    Description: z.string().optional(),
    MethodSettings: z.array(methodSetting).default([]),
    RestApiId: z.string(),
    StageName: z.string().regex(/^[\w-]{1,128}$/),
    Tags: tags.optional(),
    TracingEnabled: z.boolean().optional(),
    // The pages "Set up stage variables" and "CreateStage" name these characters.
    Variables: z
      .record(z.string().regex(/^\w+$/), z.string().regex(/^[A-Za-z0-9\-._~:/?#&=,]+$/))
      .default({}),
  }),
  deploy: async (properties, { engines }) => {
    const { AccessLogSetting, DeploymentId, MethodSettings, RestApiId, StageName, Variables } = properties;
    if (AccessLogSetting !== undefined) assertOnlyContext(AccessLogSetting.Format);
    const methodSettings = new Map(
      MethodSettings.map((each) => [
        `${each.ResourcePath.slice(1).replaceAll('~1', '/')} ${each.HttpMethod}`,
        settingsOf(each),
      ]),
    );
    engines.gateway.addStage({
      apiId: RestApiId,
      name: StageName,
      deploymentId: DeploymentId,
      variables: Variables,
      ...(AccessLogSetting && { accessLogFormat: AccessLogSetting.Format }),
      methodSettings,
    });
    return { ref: StageName };
  },
});
