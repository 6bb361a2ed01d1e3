import * as z from 'zod';
import { checkMappings, proxyIntegration } from '../gateway/integration.ts';
import type { Integration } from '../gateway/types.ts';
import { physicalId } from './physical-name.ts';
import { resourceType } from './resource-type.ts';

const texts = z.record(z.string(), z.string());

const lambdaProxy = z.strictObject({
  Type: z.literal('AWS_PROXY'),
  Credentials: z.string().optional(),
  /** Lambda is always invoked with POST, whatever the method of the client's request. */
  IntegrationHttpMethod: z.literal('POST'),
  TimeoutInMillis: z.number().min(50).max(29_000).default(29_000),
  Uri: z.string(),
});

const mock = z.strictObject({
  Type: z.literal('MOCK'),
  IntegrationResponses: z.array(
    z.strictObject({
      ResponseParameters: texts.default({}),
      ResponseTemplates: texts.default({}),
      SelectionPattern: z.string().optional(),
      StatusCode: z.coerce.number(),
    }),
  ),
  PassthroughBehavior: z.enum(['WHEN_NO_MATCH', 'WHEN_NO_TEMPLATES', 'NEVER']).default('WHEN_NO_MATCH'),
  RequestTemplates: texts.default({}),
});

const methodResponse = z.strictObject({
  ResponseModels: texts.optional(),
  ResponseParameters: z.record(z.string(), z.boolean()).default({}),
  StatusCode: z.coerce.number(),
});

export const apiGatewayMethod = resourceType({
  type: 'AWS::ApiGateway::Method',
  properties: z.strictObject({
    ApiKeyRequired: z.boolean().default(false),
    AuthorizationType: z.literal('NONE'),
    HttpMethod: z.enum(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'ANY']),
    Integration: z.discriminatedUnion('Type', [lambdaProxy, mock]),
    MethodResponses: z.array(methodResponse).default([]),
    OperationName: z.string().optional(),
    ResourceId: z.string(),
    RestApiId: z.string(),
  }),
  deploy: async (properties, context) => {
    const { Integration, MethodResponses } = properties;
    const integration =
      Integration.Type === 'MOCK'
        ? mockIntegration(Integration, MethodResponses)
        : proxyIntegration({
            uri: Integration.Uri,
            credentials: Integration.Credentials,
            timeoutMilliseconds: Integration.TimeoutInMillis,
          });
    context.engines.gateway.addMethod({
      logicalId: context.logicalId,
      apiId: properties.RestApiId,
      resourceId: properties.ResourceId,
      httpMethod: properties.HttpMethod,
      apiKeyRequired: properties.ApiKeyRequired,
      integration,
    });
    return { ref: physicalId(context) };
  },
});

const mockIntegration = (
  { IntegrationResponses, RequestTemplates, PassthroughBehavior }: z.output<typeof mock>,
  declared: ReadonlyArray<z.output<typeof methodResponse>>,
): Integration => {
  const responses = IntegrationResponses.map((response) => ({
    statusCode: response.StatusCode,
    parameters: response.ResponseParameters,
    templates: response.ResponseTemplates,
    ...(response.SelectionPattern !== undefined && { selectionPattern: response.SelectionPattern }),
  }));
  checkMappings(
    responses,
    declared.map((each) => ({ status: each.StatusCode, headers: Object.keys(each.ResponseParameters) })),
  );
  return {
    type: 'MOCK',
    requestTemplates: RequestTemplates,
    passthroughBehavior: PassthroughBehavior,
    responses,
  };
};
