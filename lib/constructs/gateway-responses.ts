import { ResponseType, type RestApi } from 'aws-cdk-lib/aws-apigateway';

/**
 * The gateway's own answers. One template for each type, each with its literal status.
 *
 * No call here uses IAM authorization, so an `Authorization` header that API Gateway mistakes for a broken AWS
 * signature means, like a missing one, that there is no such route. Functions validate their input: the gateway has no
 * validator, whose refusals would be types of their own.
 */
const literal: ReadonlyArray<readonly [ResponseType, status: number, message: string]> = [
  [ResponseType.MISSING_AUTHENTICATION_TOKEN, 404, 'NOT_FOUND'],
  [ResponseType.INVALID_SIGNATURE, 404, 'NOT_FOUND'],
  [ResponseType.RESOURCE_NOT_FOUND, 404, 'NOT_FOUND'],
  // Only the answer to unknown routes reads a body's type, so this too means that there is no such route.
  [ResponseType.UNSUPPORTED_MEDIA_TYPE, 404, 'NOT_FOUND'],
  [ResponseType.THROTTLED, 429, 'TOO_MANY_REQUESTS'],
  [ResponseType.QUOTA_EXCEEDED, 429, 'QUOTA_EXCEEDED'],
  // Lambda refused the call, above all for lack of concurrency, or could not be reached.
  [ResponseType.INTEGRATION_FAILURE, 503, 'SERVICE_UNAVAILABLE'],
  [ResponseType.INTEGRATION_TIMEOUT, 504, 'GATEWAY_TIMEOUT'],
];

/** The interface's body for a missing or wrong key. */
const forbidden = '{"message":"Forbidden"}';

export interface GatewayResponsesProps {
  readonly cors: boolean;
  /** The answer to a body over API Gateway's 10 MB. */
  readonly tooLarge: readonly [status: number, message: string];
}

export function addGatewayResponses(api: RestApi, { cors, tooLarge }: GatewayResponsesProps): void {
  const responseHeaders = {
    // For caches that heed it. CloudFront keeps most errors for ten seconds whatever this says, until its distribution has
    // `ErrorCachingMinTTL` 0 for each code.
    'Cache-Control': "'no-store'",
    ...(cors && {
      'Access-Control-Allow-Origin': "'*'",
      'Access-Control-Expose-Headers': "'etag, link, location, retry-after, x-amzn-requestid'",
    }),
  };
  const add = (type: ResponseType, body: string, statusCode?: string) =>
    api.addGatewayResponse(type.responseType, {
      type,
      statusCode,
      // As functions answer it themselves: Lambda makes room within seconds.
      responseHeaders: statusCode === '503' ? { ...responseHeaders, 'Retry-After': "'1'" } : responseHeaders,
      templates: { 'application/json': body },
    });
  for (const [type, status, message] of [
    ...literal,
    [ResponseType.REQUEST_TOO_LARGE, ...tooLarge] as const,
  ]) {
    add(type, JSON.stringify({ status, message }), String(status));
  }
  add(ResponseType.INVALID_API_KEY, forbidden, '403');
  add(ResponseType.WAF_FILTERED, forbidden, '403');
  // These two have no status of their own: all types without a response would get it.
  add(ResponseType.DEFAULT_4XX, '{"message":$context.error.messageString}');
  add(ResponseType.DEFAULT_5XX, '{"message":$context.error.messageString}');
}
