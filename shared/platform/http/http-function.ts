import middy from '@middy/core';
import type { APIGatewayProxyEvent, APIGatewayProxyResult } from 'aws-lambda';
import { ServiceError, ServiceUnavailableError } from '../errors.ts';
import { logger } from '../logger.ts';
import { isOutage } from '../outage.ts';
import { withDeadline } from '../time/deadline.ts';
import { answerFor, type ErrorStyle } from './errors.ts';
import { exposedHeaders } from './operation.ts';
import { type HttpRequest, headerOf, type RequestSchemas, readRequest } from './request.ts';

export interface HttpResponse {
  readonly status: number;
  /** Sent as JSON. @default no body */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  readonly multiValueHeaders?: Readonly<Record<string, string[]>>;
}

/**
 * Which web pages may read a response. `true`: pages of any origin. `withCredentials`: only pages of these origins, for
 * responses that set cookies. Browsers accept cookies only if the request was sent with credentials. For a request with
 * credentials, browsers do not accept the origin `*`.
 */
export type Cors = boolean | { readonly withCredentials: readonly string[] };

export interface HttpFunctionProps<Path, Query, Body> extends RequestSchemas<Path, Query, Body> {
  /** @default 'detailed' */
  readonly errorStyle?: ErrorStyle;
  /** Which pages may read the response. @default false */
  readonly cors?: Cors;
  /** Headers of every response, including errors. @default `cache-control: no-store` */
  readonly headers?: Readonly<Record<string, string>>;
  /** The body is parsed only when the handler reads it, so that the handler can verify the caller first. */
  readonly handler: (request: HttpRequest<Path, Query, Body>) => Promise<HttpResponse>;
}

/**
 * A handler's calls to other services are aborted this long before the function's timeout, so that a 503 can still be
 * sent.
 */
const answerMilliseconds = 500;

const corsHeaders = (cors: Cors, origin: string | undefined): Record<string, string> => {
  if (cors === false) return {};
  if (cors === true)
    return { 'access-control-allow-origin': '*', 'access-control-expose-headers': exposedHeaders };
  // `Vary` is also set for an origin that is not allowed: otherwise a cache could serve the response without CORS
  // headers to an allowed origin.
  const vary = { vary: 'Origin' };
  if (origin === undefined || !cors.withCredentials.includes(origin)) return vary;
  return {
    ...vary,
    'access-control-allow-origin': origin,
    'access-control-allow-credentials': 'true',
    // A page that plays reads when to renew its cookies, and its own clock may be wrong.
    'access-control-expose-headers': `date, ${exposedHeaders}`,
  };
};

/** A newline for curl: without it, a terminal's prompt would follow on the line of the JSON. */
const endFor = (event: APIGatewayProxyEvent): string =>
  headerOf(event, 'user-agent')?.startsWith('curl/') ? '\n' : '';

/**
 * A function behind API Gateway. The event becomes a typed request and the handler's response becomes JSON. A
 * `ServiceError` becomes a response with its status. Any other error becomes a generic 500.
 */
export const httpFunction = <Path = undefined, Query = undefined, Body = undefined>({
  errorStyle = 'detailed',
  cors = false,
  headers: always = { 'cache-control': 'no-store' },
  handler,
  ...schemas
}: HttpFunctionProps<Path, Query, Body>) => {
  const toResult = (
    { status, body, headers, multiValueHeaders }: HttpResponse,
    event: APIGatewayProxyEvent,
  ): APIGatewayProxyResult => ({
    statusCode: status,
    headers: {
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...corsHeaders(cors, headerOf(event, 'origin')),
      ...always,
      ...headers,
    },
    ...(multiValueHeaders !== undefined && { multiValueHeaders: { ...multiValueHeaders } }),
    body: body === undefined ? '' : JSON.stringify(body) + endFor(event),
  });

  return middy<APIGatewayProxyEvent, APIGatewayProxyResult>()
    .before(({ event, context }) => {
      logger.resetKeys();
      logger.appendKeys({
        function_request_id: context.awsRequestId,
        request_id: event.requestContext.requestId,
        route: `${event.httpMethod} ${event.resource}`,
        api_key_id: event.requestContext.identity.apiKeyId ?? undefined,
      });
    })
    .onError((request) => {
      const error = isOutage(request.error)
        ? new ServiceUnavailableError({
            message: 'A required service does not answer',
            cause: request.error,
          })
        : request.error;
      const { requestId } = request.event.requestContext;
      if (error instanceof ServiceError) {
        const answer = answerFor(error, errorStyle, requestId);
        const refusal = { code: error.code, status: answer.status };
        if (answer.status >= 500) logger.error('Request refused', { ...refusal, error });
        else logger.info('Request refused', { ...refusal, reason: error.message });
        request.response = toResult(answer, request.event);
        return;
      }
      logger.error('Request failed', { error });
      const body = { status: 500, message: 'INTERNAL_ERROR', request_id: requestId };
      request.response = toResult({ status: 500, body }, request.event);
    })
    .handler((event, context) =>
      withDeadline(context.getRemainingTimeInMillis() - answerMilliseconds, async () => {
        return toResult(await handler(readRequest(event, schemas)), event);
      }),
    );
};
