import type { APIGatewayProxyEvent } from 'aws-lambda';
import { accountId, region } from '../engines/account.ts';
import type { ApiKey } from './api-keys.ts';
import { type GatewayRequest, grouped, lastOfEach, queryPairs, requestTime } from './gateway-request.ts';
import type { Route } from './routes.ts';

/** Headers that API Gateway removes: they concern the connection, not the request. */
const connectionHeaders = new Set([
  'connection',
  'content-length',
  'expect',
  'keep-alive',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

export interface ProxyCall {
  readonly request: GatewayRequest;
  readonly route: Route;
  readonly apiId: string;
  readonly stage: { readonly name: string; readonly variables: Readonly<Record<string, string>> };
  readonly key: ApiKey | undefined;
}

export const proxyEvent = ({ request, route, apiId, stage, key }: ProxyCall): APIGatewayProxyEvent => {
  const domainName = `${apiId}.execute-api.${region}.amazonaws.com`;
  const headers = [
    ...request.headers.filter(([name]) => !isReplaced(name.toLowerCase())),
    ['X-Amzn-Trace-Id', request.traceId],
    ['X-Forwarded-For', forwardedFor(request)],
    ['X-Forwarded-Port', '443'],
    ['X-Forwarded-Proto', 'https'],
  ] as const;
  const query = queryPairs(request.query);
  // API Gateway decodes a REST API's query, but not its path parameters.
  const parameters = Object.entries(route.parameters).map(([name, value]) => [name, value] as const);
  return {
    resource: route.resource.path,
    path: request.path,
    httpMethod: request.method,
    headers: lastOfEach(headers) ?? {},
    multiValueHeaders: grouped(headers) ?? {},
    queryStringParameters: lastOfEach(query),
    multiValueQueryStringParameters: grouped(query),
    pathParameters: lastOfEach(parameters),
    stageVariables: Object.keys(stage.variables).length === 0 ? null : { ...stage.variables },
    requestContext: {
      resourceId: route.resource.id,
      resourcePath: route.resource.path,
      httpMethod: request.method,
      extendedRequestId: request.extendedRequestId,
      requestTime: requestTime(request.receivedAt),
      path: `/${stage.name}${request.path}`,
      accountId,
      protocol: request.protocol,
      stage: stage.name,
      domainPrefix: apiId,
      requestTimeEpoch: request.receivedAt,
      requestId: request.requestId,
      identity: {
        cognitoIdentityPoolId: null,
        accountId: null,
        apiKey: key?.value ?? null,
        apiKeyId: key?.id ?? null,
        cognitoIdentityId: null,
        caller: null,
        sourceIp: request.sourceIp,
        principalOrgId: null,
        accessKey: null,
        clientCert: null,
        cognitoAuthenticationType: null,
        cognitoAuthenticationProvider: null,
        userArn: null,
        userAgent: request.header('user-agent') ?? null,
        user: null,
      },
      domainName,
      apiId,
      authorizer: undefined,
    },
    body: request.body === undefined || request.body.length === 0 ? null : request.body.toString('utf8'),
    isBase64Encoded: false,
  };
};

const isReplaced = (name: string): boolean =>
  connectionHeaders.has(name) || name === 'x-amzn-trace-id' || name.startsWith('x-forwarded-');

/** API Gateway adds the last address. The addresses before it come from the client and cannot be trusted. */
const forwardedFor = (request: GatewayRequest): string => {
  const given = request.header('x-forwarded-for');
  return given === undefined ? request.sourceIp : `${given}, ${request.sourceIp}`;
};
