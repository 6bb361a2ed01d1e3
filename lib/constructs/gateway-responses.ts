import { ResponseType, type RestApi } from 'aws-cdk-lib/aws-apigateway';

/**
 * What the gateway itself answers. One template a type, each with its literal status.
 *
 * No call here is authorised by IAM, so an `Authorization` header that API Gateway takes for a broken AWS signature,
 * like a missing one, means that there is no such route. Functions validate what they are sent: the gateway has no
 * validator, whose refusals would be types of their own.
 */
const literal: ReadonlyArray<readonly [ResponseType, status: number, message: string]> = [
  [ResponseType.MISSING_AUTHENTICATION_TOKEN, 404, 'NOT_FOUND'],
  [ResponseType.INVALID_SIGNATURE, 404, 'NOT_FOUND'],
  [ResponseType.RESOURCE_NOT_FOUND, 404, 'NOT_FOUND'],
  // Only the answer to unknown routes looks at a body's type, so this too means that there is no such route.
  [ResponseType.UNSUPPORTED_MEDIA_TYPE, 404, 'NOT_FOUND'],
  [ResponseType.THROTTLED, 429, 'TOO_MANY_REQUESTS'],
  [ResponseType.QUOTA_EXCEEDED, 429, 'QUOTA_EXCEEDED'],
  // Lambda refused the call, for want of concurrency above all, or could not be asked.
  [ResponseType.INTEGRATION_FAILURE, 503, 'SERVICE_UNAVAILABLE'],
  [ResponseType.INTEGRATION_TIMEOUT, 504, 'GATEWAY_TIMEOUT'],
];

/** The body that the interface gives for a missing or wrong key. */
const forbidden = '{"message":"Forbidden"}';

export interface GatewayResponsesProps {
  readonly cors: boolean;
  /** What a body over API Gateway's 10 MB is told. */
  readonly tooLarge: readonly [status: number, message: string];
}

export function addGatewayResponses(api: RestApi, { cors, tooLarge }: GatewayResponsesProps): void {
  const responseHeaders = {
    // CloudFront, for one, keeps errors for a while unless told otherwise.
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
      // As functions say it themselves: Lambda makes room within seconds.
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
  // No status on these two: the types that have no response of their own would all get it.
  add(ResponseType.DEFAULT_4XX, '{"message":$context.error.messageString}');
  add(ResponseType.DEFAULT_5XX, '{"message":$context.error.messageString}');
}
