import * as z from 'zod';
import { resourcePolicy } from './resource-policy.ts';
import { resourceType } from './resource-type.ts';
import { flag } from './template-values.ts';

/** Checked, and without effect: every caller is of this account, where a role's own policy is enough. */
export const secretsManagerResourcePolicy = resourceType({
  type: 'AWS::SecretsManager::ResourcePolicy',
  properties: z.strictObject({
    SecretId: z.string(),
    ResourcePolicy: resourcePolicy,
    BlockPublicPolicy: flag.optional(),
  }),
  deploy: async ({ SecretId }, { engines }) => ({ ref: engines.secrets.get(SecretId).arn }),
});
