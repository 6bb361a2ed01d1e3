import type { APIGatewayProxyEvent, Context } from 'aws-lambda';
import { type Addresses, addressVariables } from '../../../shared/platform/http/addresses.ts';

export interface ApiEventProps {
  readonly method?: string;
  readonly resource?: string;
  readonly path?: Record<string, string>;
  /** As in API Gateway's events, a repeated name appears once with all values and once with only the last one. */
  readonly query?: Record<string, string | readonly string[]>;
  readonly headers?: Record<string, string | readonly string[]>;
  /** A string is sent as it is, anything else as JSON. */
  readonly body?: unknown;
  readonly apiKeyId?: string;
  readonly sourceIp?: string;
  readonly isBase64Encoded?: boolean;
}

/** The addresses in the stage variables of `anApiEvent`, as every stage has them. */
export const addresses: Addresses = {
  base: 'https://api.example.com',
  b2b: 'https://b2b.example.com',
  profile: 'https://profile.example.com',
};

/** An event as API Gateway sends it for a REST API with a Lambda proxy integration. */
export const anApiEvent = ({
  method = 'GET',
  resource = '/',
  path,
  query,
  headers = {},
  body,
  apiKeyId,
  sourceIp = '203.0.113.7',
  isBase64Encoded = false,
}: ApiEventProps = {}): APIGatewayProxyEvent => {
  const text = body === undefined || typeof body === 'string' ? (body ?? null) : JSON.stringify(body);
  const lists = (values: Record<string, string | readonly string[]> | undefined) =>
    values === undefined
      ? null
      : Object.fromEntries(Object.entries(values).map(([name, value]) => [name, [value].flat()]));
  const lasts = (values: Record<string, string | readonly string[]> | undefined) =>
    values === undefined
      ? null
      : Object.fromEntries(Object.entries(values).map(([name, value]) => [name, [value].flat().at(-1)]));
  return {
    httpMethod: method,
    resource,
    path: resource,
    pathParameters: path ?? null,
    queryStringParameters: lasts(query),
    multiValueQueryStringParameters: lists(query),
    headers: lasts(headers) ?? {},
    multiValueHeaders: lists(headers) ?? {},
    body: text as string | null,
    isBase64Encoded,
    stageVariables: {
      [addressVariables.base]: addresses.base,
      [addressVariables.b2b]: addresses.b2b,
      [addressVariables.profile]: addresses.profile,
    },
    requestContext: {
      accountId: '000000000000',
      apiId: 'api',
      authorizer: undefined,
      httpMethod: method,
      identity: {
        accessKey: null,
        accountId: null,
        apiKey: null,
        apiKeyId: apiKeyId ?? null,
        caller: null,
        clientCert: null,
        cognitoAuthenticationProvider: null,
        cognitoAuthenticationType: null,
        cognitoIdentityId: null,
        cognitoIdentityPoolId: null,
        principalOrgId: null,
        sourceIp,
        user: null,
        userAgent: null,
        userArn: null,
      },
      path: resource,
      protocol: 'HTTP/1.1',
      requestId: 'request-1',
      requestTimeEpoch: 0,
      resourceId: 'resource',
      resourcePath: resource,
      stage: 'local',
    },
  };
};

export const aContext = (overrides: Partial<Context> = {}): Context => ({
  callbackWaitsForEmptyEventLoop: true,
  functionName: 'function',
  functionVersion: '$LATEST',
  invokedFunctionArn: 'arn:aws:lambda:us-east-1:000000000000:function:function',
  memoryLimitInMB: '512',
  awsRequestId: 'invocation-1',
  logGroupName: '/aws/lambda/function',
  logStreamName: 'stream',
  getRemainingTimeInMillis: () => 10_000,
  done: () => undefined,
  fail: () => undefined,
  succeed: () => undefined,
  ...overrides,
});
