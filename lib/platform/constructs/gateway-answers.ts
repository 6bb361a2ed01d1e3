import { ResponseType as Refusal } from 'aws-cdk-lib/aws-apigateway';
import { exposedHeaders } from '../../../shared/platform/http/operation.ts';
import { retryAfterSeconds } from '../../../shared/platform/refused-before-functions.ts';
import type { ApiDocument } from './api-document.ts';

type Answer = readonly [Refusal, status: number, message: string];

/**
 * The responses that API Gateway itself sends. For an unknown route, API Gateway complains about a missing or invalid
 * AWS signature. No route uses IAM authorization, so both complaints always mean an unknown route and become a 404.
 * There are no types for invalid input: functions validate their input, and API Gateway's own validator is not used.
 */
const literal: readonly Answer[] = [
  [Refusal.MISSING_AUTHENTICATION_TOKEN, 404, 'NOT_FOUND'],
  [Refusal.INVALID_SIGNATURE, 404, 'NOT_FOUND'],
  [Refusal.RESOURCE_NOT_FOUND, 404, 'NOT_FOUND'],
  // Only the mock integration for unknown routes checks a body's content type. So this answer also means an unknown
  // route.
  [Refusal.UNSUPPORTED_MEDIA_TYPE, 404, 'NOT_FOUND'],
  [Refusal.THROTTLED, 429, 'TOO_MANY_REQUESTS'],
  // Lambda refused the invocation, usually because no concurrency was left, or Lambda could not be reached.
  [Refusal.INTEGRATION_FAILURE, 503, 'SERVICE_UNAVAILABLE'],
  [Refusal.INTEGRATION_TIMEOUT, 504, 'GATEWAY_TIMEOUT'],
];

/** Only an API with keys can send these. */
const ofKeys: readonly Answer[] = [[Refusal.QUOTA_EXCEEDED, 429, 'QUOTA_EXCEEDED']];

/** Browsers can read responses with these headers. */
export const corsHeaders = {
  'Access-Control-Allow-Origin': '*',
  'Access-Control-Expose-Headers': exposedHeaders,
};

export interface GatewayAnswers {
  /** Whether routes without an API key answer preflight requests, and browsers can read API Gateway's own responses. */
  readonly cors: boolean;
  /** Whether any of the routes needs an API key. */
  readonly keys: boolean;
  /** The response to a body that is larger than API Gateway's limit of 10 MB. */
  readonly tooLarge: readonly [status: number, message: string];
}

const retriedSoon = [Refusal.THROTTLED, Refusal.INTEGRATION_FAILURE];

/** Adds the responses that API Gateway itself sends, and a 404 for every route that no function serves. */
export function addGatewayAnswers(document: ApiDocument, { cors, keys, tooLarge }: GatewayAnswers): void {
  const always = {
    // For caches that respect this header. CloudFront ignores it for errors and caches most of them for ten seconds,
    // unless the distribution sets `ErrorCachingMinTTL` to 0 for each status code.
    'Cache-Control': 'no-store',
    ...(cors && corsHeaders),
  };
  const add = (type: Refusal, template: string, status?: number) =>
    document.addGatewayResponse(type.responseType, {
      // After one second, Lambda usually has free concurrency again, and a key or a method its rate.
      headers: retriedSoon.includes(type)
        ? { ...always, 'Retry-After': String(retryAfterSeconds.gateway) }
        : always,
      template,
      ...(status !== undefined && { status }),
    });
  const ofThis = [...(keys ? ofKeys : []), [Refusal.REQUEST_TOO_LARGE, ...tooLarge] as const];
  for (const [type, status, message] of [...literal, ...ofThis]) {
    add(type, JSON.stringify({ status, message }), status);
  }
  // This body of a missing or wrong API key is fixed: docs/interface.md#errors.
  if (keys) add(Refusal.INVALID_API_KEY, '{"message":"Forbidden"}', 403);
  // Every type that is not added above has these headers and its own status and text. A request that the firewall
  // blocks gets a 403 and `Forbidden`. No status is set here: those types would inherit it.
  for (const type of [Refusal.DEFAULT_4XX, Refusal.DEFAULT_5XX]) {
    add(type, '{"message":$context.error.messageString}');
  }
  // Unknown routes get a 404. Otherwise API Gateway would respond with a 403 about a missing authentication token.
  for (const route of ['/', '/{proxy+}']) {
    document.addLiteral(route, 'ANY', {
      status: 404,
      headers: cors ? { 'Access-Control-Allow-Origin': '*' } : {},
      template: '{"status":404,"message":"NOT_FOUND"}',
      onlyJson: true,
    });
  }
}
