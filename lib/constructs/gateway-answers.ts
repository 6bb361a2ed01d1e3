import {
  MockIntegration,
  PassthroughBehavior,
  ResponseType as Refusal,
  type RestApi,
} from 'aws-cdk-lib/aws-apigateway';
import { acknowledgeToCheckov } from './acknowledge.ts';

/**
 * The responses that the gateway makes itself. Each type has one template and a literal status.
 *
 * No route uses IAM authorization. API Gateway reports a missing or a broken AWS signature only where there is no route,
 * so both responses are a 404. Functions validate their input: the gateway's validator would add response types.
 */
const literal: ReadonlyArray<readonly [Refusal, status: number, message: string]> = [
  [Refusal.MISSING_AUTHENTICATION_TOKEN, 404, 'NOT_FOUND'],
  [Refusal.INVALID_SIGNATURE, 404, 'NOT_FOUND'],
  [Refusal.RESOURCE_NOT_FOUND, 404, 'NOT_FOUND'],
  // Only the mock for unknown routes reads the type of a body, so this too means that the route does not exist.
  [Refusal.UNSUPPORTED_MEDIA_TYPE, 404, 'NOT_FOUND'],
  [Refusal.THROTTLED, 429, 'TOO_MANY_REQUESTS'],
  [Refusal.QUOTA_EXCEEDED, 429, 'QUOTA_EXCEEDED'],
  // Lambda refused the call, mostly for lack of concurrency, or could not be reached.
  [Refusal.INTEGRATION_FAILURE, 503, 'SERVICE_UNAVAILABLE'],
  [Refusal.INTEGRATION_TIMEOUT, 504, 'GATEWAY_TIMEOUT'],
];

export interface GatewayAnswers {
  /**
   * Whether preflight requests are answered on routes without a key, and browsers may read the gateway's own responses.
   */
  readonly cors: boolean;
  /** The response to a body over API Gateway's 10 MB. */
  readonly tooLarge: readonly [status: number, message: string];
}

export function addGatewayAnswers(api: RestApi, { cors, tooLarge }: GatewayAnswers): void {
  const responseHeaders = {
    // For caches that respect it. CloudFront ignores it and keeps most errors for ten seconds, unless its distribution
    // has an `ErrorCachingMinTTL` of 0 for each code.
    'Cache-Control': "'no-store'",
    ...(cors && {
      'Access-Control-Allow-Origin': "'*'",
      'Access-Control-Expose-Headers': "'etag, link, location, retry-after, x-amzn-requestid'",
    }),
  };
  const add = (type: Refusal, body: string, statusCode?: string) =>
    api.addGatewayResponse(type.responseType, {
      type,
      statusCode,
      // Functions send the same header: Lambda makes room within seconds.
      responseHeaders: statusCode === '503' ? { ...responseHeaders, 'Retry-After': "'1'" } : responseHeaders,
      templates: { 'application/json': body },
    });
  for (const [type, status, message] of [...literal, [Refusal.REQUEST_TOO_LARGE, ...tooLarge] as const]) {
    add(type, JSON.stringify({ status, message }), String(status));
  }
  // The body that the interface demands for a missing or wrong key.
  for (const type of [Refusal.INVALID_API_KEY, Refusal.WAF_FILTERED]) {
    add(type, '{"message":"Forbidden"}', '403');
  }
  // Sets no status for these two: every type without a response of its own would inherit it.
  for (const type of [Refusal.DEFAULT_4XX, Refusal.DEFAULT_5XX]) {
    add(type, '{"message":$context.error.messageString}');
  }
  // Responds with 404 on every unknown route. Without this, API Gateway responds with a 403 about authentication.
  const allowOrigin = 'method.response.header.Access-Control-Allow-Origin';
  const notFound = {
    statusCode: '404',
    responseTemplates: { 'application/json': '{"status":404,"message":"NOT_FOUND"}' },
    ...(cors && { responseParameters: { [allowOrigin]: "'*'" } }),
  };
  const integration = new MockIntegration({
    passthroughBehavior: PassthroughBehavior.NEVER,
    requestTemplates: { 'application/json': '{"statusCode":404}' },
    integrationResponses: [notFound],
  });
  const methodResponses = [
    { statusCode: '404', ...(cors && { responseParameters: { [allowOrigin]: true } }) },
  ];
  for (const resource of [api.root, api.root.addResource('{proxy+}')]) {
    const method = resource.addMethod('ANY', integration, { methodResponses });
    acknowledgeToCheckov(method, { CKV_AWS_59: 'It answers 404 and nothing else' });
  }
}
