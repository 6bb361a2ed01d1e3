import * as z from 'zod';
import { resourceType } from './resource-type.ts';

export const kmsAlias = resourceType({
  type: 'AWS::KMS::Alias',
  properties: z.strictObject({ AliasName: z.string().startsWith('alias/'), TargetKeyId: z.string() }),
  deploy: async ({ AliasName, TargetKeyId }, { engines }) => {
    engines.keys.createAlias({ name: AliasName, keyId: TargetKeyId });
    return { ref: AliasName };
  },
});
