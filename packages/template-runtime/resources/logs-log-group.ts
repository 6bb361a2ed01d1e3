import * as z from 'zod';
import { policyAdmitsService } from '../engines/iam/resource-policy.ts';
import type { KeyDescription } from '../engines/kms.ts';
import { resourceType } from './resource-type.ts';
import { tags } from './tags.ts';

/** Whether the key's policy lets CloudWatch Logs encrypt the log group. The encryption context names the log group. */
const logsMayUse = (
  key: KeyDescription,
  { arn, region }: { readonly arn: string; readonly region: string },
): boolean =>
  ['kms:Encrypt', 'kms:Decrypt', 'kms:ReEncryptFrom', 'kms:GenerateDataKey', 'kms:DescribeKey'].every(
    (action) =>
      policyAdmitsService({
        policy: key.policy,
        service: `logs.${region}.amazonaws.com`,
        action,
        resource: key.arn,
        context: { 'kms:EncryptionContext:aws:logs:arn': arn },
      }),
  );

/** Services write to the group. Functions write to files of their own in the state directory. */
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
  deploy: async (
    { LogGroupName, KmsKeyId },
    { engines, stackName, logicalId, partition, region, accountId },
  ) => {
    const name = LogGroupName ?? `${stackName}-${logicalId}`;
    const arn = `arn:${partition}:logs:${region}:${accountId}:log-group:${name}`;
    if (KmsKeyId !== undefined && !logsMayUse(engines.keys.describe(KmsKeyId), { arn, region })) {
      throw new Error(`The specified KMS key does not exist or is not allowed to be used with Arn '${arn}'`);
    }
    engines.logs.createGroup(name);
    return { ref: name, attributes: { Arn: `${arn}:*` } };
  },
});
