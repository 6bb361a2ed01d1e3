import * as z from 'zod';
import { resourceType } from './resource-type.ts';

export const iamPolicy = resourceType({
  type: 'AWS::IAM::Policy',
  properties: z.strictObject({
    PolicyDocument: z.unknown(),
    PolicyName: z.string(),
    Roles: z.array(z.string()).min(1),
  }),
  deploy: async ({ PolicyDocument, PolicyName, Roles }, { engines }) => {
    for (const role of Roles) engines.identities.attachPolicy(role, PolicyDocument, PolicyName);
    return { ref: PolicyName };
  },
});
