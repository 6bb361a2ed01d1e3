import * as z from 'zod';
import { physicalId } from './physical-name.ts';
import { resourceType } from './resource-type.ts';

export const apiGatewayGatewayResponse = resourceType({
  type: 'AWS::ApiGateway::GatewayResponse',
  properties: z.strictObject({
    ResponseParameters: z.record(z.string(), z.string()).default({}),
    ResponseTemplates: z.record(z.string(), z.string()).default({}),
    ResponseType: z.string(),
    RestApiId: z.string(),
    StatusCode: z.coerce.number().optional(),
  }),
  deploy: async (properties, context) => {
    const { ResponseParameters, ResponseTemplates, ResponseType, RestApiId, StatusCode } = properties;
    context.engines.gateway.addGatewayResponse(RestApiId, {
      responseType: ResponseType,
      parameters: ResponseParameters,
      templates: ResponseTemplates,
      ...(StatusCode !== undefined && { statusCode: StatusCode }),
    });
    return { ref: physicalId(context) };
  },
});
