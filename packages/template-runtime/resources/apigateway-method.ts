import * as z from 'zod';
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
    if (Integration.Type === 'MOCK') checkMappings(Integration, MethodResponses);
    context.engines.gateway.addMethod({
      logicalId: context.logicalId,
      apiId: properties.RestApiId,
      resourceId: properties.ResourceId,
      httpMethod: properties.HttpMethod,
      apiKeyRequired: properties.ApiKeyRequired,
      integration: Integration.Type === 'MOCK' ? mockIntegration(Integration) : proxyIntegration(Integration),
    });
    return { ref: physicalId(context) };
  },
});

const proxyIntegration = ({
  Credentials,
  Uri,
  TimeoutInMillis,
}: z.output<typeof lambdaProxy>): Integration => {
  const [, functionArn] =
    /^arn:aws:apigateway:[a-z0-9-]+:lambda:path\/2015-03-31\/functions\/(arn:aws:lambda:.+)\/invocations$/.exec(
      Uri,
    ) ?? [];
  if (functionArn === undefined) throw new Error(`${Uri} does not name a function`);
  return {
    type: 'AWS_PROXY',
    functionArn,
    ...(Credentials !== undefined && { roleArn: Credentials }),
    timeoutMilliseconds: TimeoutInMillis,
  };
};

const mockIntegration = (integration: z.output<typeof mock>): Integration => ({
  type: 'MOCK',
  requestTemplates: integration.RequestTemplates,
  passthroughBehavior: integration.PassthroughBehavior,
  responses: integration.IntegrationResponses.map((response) => ({
    statusCode: response.StatusCode,
    parameters: response.ResponseParameters,
    templates: response.ResponseTemplates,
    ...(response.SelectionPattern !== undefined && { selectionPattern: response.SelectionPattern }),
  })),
});

/** An integration may return only statuses and headers that the method declares. */
const checkMappings = (
  { IntegrationResponses }: z.output<typeof mock>,
  declared: ReadonlyArray<z.output<typeof methodResponse>>,
): void => {
  for (const { StatusCode, ResponseParameters } of IntegrationResponses) {
    const response = declared.find((one) => one.StatusCode === StatusCode);
    if (response === undefined) throw new Error(`MethodResponses does not declare the status ${StatusCode}`);
    for (const name of Object.keys(ResponseParameters)) {
      if (!Object.hasOwn(response.ResponseParameters, name)) {
        throw new Error(`the response ${StatusCode} of MethodResponses does not declare ${name}`);
      }
    }
  }
};
