import * as z from 'zod';
import { resourceType } from './resource-type.ts';

export const webAclAssociation = resourceType({
  type: 'AWS::WAFv2::WebACLAssociation',
  properties: z.strictObject({ ResourceArn: z.string(), WebACLArn: z.string() }),
  deploy: async ({ ResourceArn, WebACLArn }, { engines }) => {
    engines.firewalls.associate(ResourceArn, WebACLArn);
    return { ref: `${WebACLArn}|${ResourceArn}` };
  },
});
