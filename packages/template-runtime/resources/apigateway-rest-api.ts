import * as z from 'zod';
import { physicalId } from './physical-name.ts';
import { resourceType } from './resource-type.ts';
import { tags } from './tags.ts';

export const apiGatewayRestApi = resourceType({
  type: 'AWS::ApiGateway::RestApi',
  properties: z.strictObject({
    ApiKeySourceType: z.literal('HEADER').optional(),
    Description: z.string().optional(),
    EndpointConfiguration: z.strictObject({
      Types: z.tuple([z.literal('REGIONAL')]),
      IpAddressType: z.enum(['ipv4', 'dualstack']).optional(),
    }),
    Name: z.string(),
    Tags: tags.optional(),
  }),
  deploy: async ({ Name }, context) => {
    const id = physicalId(context);
    const { gateway } = context.engines;
    gateway.addApi({ id, name: Name });
    return { ref: id, attributes: { RestApiId: id, RootResourceId: gateway.rootResourceId(id) } };
  },
});
