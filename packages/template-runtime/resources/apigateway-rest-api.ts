import * as z from 'zod';
import { physicalId } from './physical-name.ts';
import { resourceType } from './resource-type.ts';
import { tags } from './tags.ts';
import { whole } from './template-values.ts';

export const apiGatewayRestApi = resourceType({
  type: 'AWS::ApiGateway::RestApi',
  properties: z.strictObject({
    ApiKeySourceType: z.literal('HEADER').optional(),
    Description: z.string().optional(),
    EndpointConfiguration: z.strictObject({
      Types: z.tuple([z.literal('REGIONAL')]),
      IpAddressType: z.enum(['ipv4', 'dualstack']).optional(),
    }),
    MinimumCompressionSize: whole.pipe(z.int().min(0).max(10_485_760)).optional(),
    Name: z.string(),
    Tags: tags.optional(),
  }),
  deploy: async ({ Name, MinimumCompressionSize }, context) => {
    const id = physicalId(context);
    const { gateway } = context.engines;
    gateway.addApi({ id, name: Name, minimumCompressionBytes: MinimumCompressionSize });
    return { ref: id, attributes: { RestApiId: id, RootResourceId: gateway.rootResourceId(id) } };
  },
});
