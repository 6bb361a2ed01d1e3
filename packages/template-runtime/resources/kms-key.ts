import { createHash } from 'node:crypto';
import * as z from 'zod';
import { accountId, arn } from '../engines/account.ts';
import { lockout } from '../engines/kms.ts';
import { resourcePolicy } from './resource-policy.ts';
import { resourceType } from './resource-type.ts';
import { tags } from './tags.ts';
import { flag, whole } from './template-values.ts';

/** `mrk-…` for a multi-Region key, otherwise a UUID. The same key of the same stack always gets the same id. */
const keyIdOf = (name: string, isMultiRegion: boolean): string => {
  const digest = createHash('sha256').update(name).digest('hex').slice(0, 32);
  return isMultiRegion
    ? `mrk-${digest}`
    : digest.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
};

/** The rotation properties are validated, but the key is never rotated. */
export const kmsKey = resourceType({
  type: 'AWS::KMS::Key',
  properties: z.strictObject({
    Description: z.string().default(''),
    Enabled: flag.pipe(z.literal(true)).optional(),
    EnableKeyRotation: flag.optional(),
    RotationPeriodInDays: whole.optional(),
    KeyPolicy: resourcePolicy,
    KeySpec: z.enum(['ECC_SECG_P256K1', 'SYMMETRIC_DEFAULT']).default('SYMMETRIC_DEFAULT'),
    KeyUsage: z.enum(['SIGN_VERIFY', 'ENCRYPT_DECRYPT']).default('ENCRYPT_DECRYPT'),
    MultiRegion: flag.default(false),
    PendingWindowInDays: whole.optional(),
    Tags: tags.optional(),
  }),
  deploy: async (properties, { engines, stackName, logicalId }) => {
    const keyId = keyIdOf(`${stackName}-${logicalId}`, properties.MultiRegion);
    const { allowed } = engines.identities.wouldAuthorize({
      accessKeyId: 'operator',
      action: 'kms:PutKeyPolicy',
      resources: [arn('kms', `key/${keyId}`)],
      context: { 'kms:CallerAccount': [accountId] },
      resourcePolicy: properties.KeyPolicy,
    });
    if (!allowed) throw lockout();
    const key = engines.keys.createKey({
      keyId,
      description: properties.Description,
      keySpec: properties.KeySpec,
      keyUsage: properties.KeyUsage,
      multiRegion: properties.MultiRegion,
      policy: properties.KeyPolicy,
      tags: Object.fromEntries((properties.Tags ?? []).map(({ Key, Value }) => [Key, Value])),
    });
    return { ref: key.keyId, attributes: { Arn: key.arn, KeyId: key.keyId } };
  },
  remove: async ({ ref }, { engines }) => engines.keys.remove(ref),
});
