import * as z from 'zod';
import { resourceType } from './resource-type.ts';

export const apiGatewayUsagePlanKey = resourceType({
  type: 'AWS::ApiGateway::UsagePlanKey',
  properties: z.strictObject({
    KeyId: z.string(),
    KeyType: z.literal('API_KEY'),
    UsagePlanId: z.string(),
  }),
  deploy: async ({ KeyId, UsagePlanId }, { engines }) => {
    engines.gateway.keys.createUsagePlanKey({ usagePlanId: UsagePlanId, keyId: KeyId });
    return { ref: `${KeyId}:${UsagePlanId}`, attributes: { Id: `${KeyId}:${UsagePlanId}` } };
  },
});
