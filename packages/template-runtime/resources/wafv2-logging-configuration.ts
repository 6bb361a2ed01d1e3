import * as z from 'zod';
import { resourceType } from './resource-type.ts';

export const webAclLogging = resourceType({
  type: 'AWS::WAFv2::LoggingConfiguration',
  properties: z.strictObject({
    ResourceArn: z.string(),
    LogDestinationConfigs: z.array(z.string()).length(1),
    LoggingFilter: z.record(z.string(), z.unknown()).optional(),
    RedactedFields: z.array(z.record(z.string(), z.unknown())).optional(),
  }),
  deploy: async ({ ResourceArn }) => ({ ref: ResourceArn }),
});
