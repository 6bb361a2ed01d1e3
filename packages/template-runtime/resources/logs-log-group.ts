import * as z from 'zod';
import { resourceType } from './resource-type.ts';
import { tags } from './tags.ts';

/** What functions write goes to files of their own in the state directory; services write to the group. */
export const logGroup = resourceType({
  type: 'AWS::Logs::LogGroup',
  properties: z.strictObject({
    LogGroupName: z.string().optional(),
    LogGroupClass: z.enum(['STANDARD', 'INFREQUENT_ACCESS', 'DELIVERY']).optional(),
    RetentionInDays: z.number().optional(),
    KmsKeyId: z.string().optional(),
    DataProtectionPolicy: z.unknown().optional(),
    DeletionProtectionEnabled: z.boolean().optional(),
    Tags: tags.optional(),
  }),
  deploy: async ({ LogGroupName }, { engines, stackName, logicalId, partition, region, accountId }) => {
    const name = LogGroupName ?? `${stackName}-${logicalId}`;
    engines.logs.createGroup(name);
    return {
      ref: name,
      attributes: { Arn: `arn:${partition}:logs:${region}:${accountId}:log-group:${name}:*` },
    };
  },
});
