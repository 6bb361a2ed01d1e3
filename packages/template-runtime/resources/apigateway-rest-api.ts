import * as z from 'zod';
import { physicalId } from './physical-name.ts';
import { resourceType } from './resource-type.ts';
import { tags } from './tags.ts';
import { flag, whole } from './template-values.ts';

export const apiGatewayRestApi = resourceType({
  type: 'AWS::ApiGateway::RestApi',
  properties: z
    .strictObject({
      ApiKeySourceType: z.literal('HEADER').optional(),
      /** An OpenAPI document, from which API Gateway makes the resources, methods and gateway responses. */
      Body: z.record(z.string(), z.unknown()).optional(),
      Description: z.string().optional(),
      EndpointConfiguration: z.strictObject({
        Types: z.tuple([z.literal('REGIONAL')]),
        IpAddressType: z.enum(['ipv4', 'dualstack']).optional(),
      }),
      FailOnWarnings: flag.optional(),
      MinimumCompressionSize: whole.pipe(z.int().min(0).max(10_485_760)).optional(),
      Name: z.string(),
      Parameters: z.strictObject({ endpointConfigurationTypes: z.literal('REGIONAL') }).optional(),
      Tags: tags.optional(),
    })
    .superRefine(({ Body, FailOnWarnings, Parameters }, { addIssue }) => {
      if (Body === undefined) return;
      // ImportRestApi makes an edge-optimized API unless this parameter says otherwise.
      if (Parameters === undefined)
        addIssue({
          code: 'custom',
          path: ['Parameters'],
          message: 'an import needs endpointConfigurationTypes',
        });
      // Otherwise API Gateway leaves out what it does not understand, and this runtime refuses it.
      if (FailOnWarnings !== true)
        addIssue({ code: 'custom', path: ['FailOnWarnings'], message: 'must be true beside a Body' });
    }),
  deploy: async ({ Name, MinimumCompressionSize, Body }, context) => {
    const id = physicalId(context);
    const { gateway } = context.engines;
    gateway.addApi({ id, name: Name, minimumCompressionBytes: MinimumCompressionSize });
    if (Body !== undefined) gateway.putDocument(id, Body);
    return { ref: id, attributes: { RestApiId: id, RootResourceId: gateway.rootResourceId(id) } };
  },
});
