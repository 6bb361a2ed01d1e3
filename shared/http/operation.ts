import type { APIGatewayProxyEvent, APIGatewayProxyResult, Context } from 'aws-lambda';
import type * as z from 'zod';
import type { ErrorCode } from '../errors.ts';
import type { ErrorStyle } from './errors.ts';
import { type Cors, type HttpResponse, httpFunction } from './http-function.ts';
import type { HttpRequest, RequestSchemas } from './request.ts';

/** How a caller authenticates. */
export type Security = 'none' | 'api-key' | 'access-token' | 'optional-access-token';

/**
 * One call of the service: its input, answers and errors. The function validates with it and the OpenAPI document is
 * generated from it, so the two cannot differ.
 */
export interface Operation<Path = unknown, Query = unknown, Body = unknown>
  extends RequestSchemas<Path, Query, Body> {
  readonly operationId: string;
  readonly api: 'base' | 'b2b' | 'profile';
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** As the API declares it, without a trailing slash. */
  readonly route: string;
  /** The form that the documentation shows, where it has a trailing slash. @default `route` */
  readonly documentedRoute?: string;
  readonly tag: string;
  readonly summary: string;
  readonly description: string;
  readonly security: Security;
  readonly requestHeaders?: Readonly<
    Record<string, { readonly schema: z.ZodType; readonly description: string }>
  >;
  readonly success: {
    readonly status: 200 | 201 | 202 | 204;
    readonly description: string;
    /** @default the answer has no body */
    readonly body?: z.ZodType;
    readonly headers?: Readonly<Record<string, string>>;
  };
  /** Its errors besides 500. */
  readonly errors: readonly ErrorCode[];
  /** @default 'detailed' */
  readonly errorStyle?: ErrorStyle;
  /** Whether a browser of any origin may call it. @default false */
  readonly cors?: boolean;
  /** Headers of every answer, including errors. @default `cache-control: no-store` */
  readonly responseHeaders?: Readonly<Record<string, string>>;
}

/** Keeps the schemas' types. */
export const operation = <Path = undefined, Query = undefined, Body = undefined>(
  definition: Operation<Path, Query, Body>,
): Operation<Path, Query, Body> => definition;

/** What a stage may set differently from the operation. */
export interface OperationSettings {
  /** @default the operation's */
  readonly cors?: Cors | undefined;
}

/** The function of an operation. A body that does not match the operation's schema is never sent. */
export const operationFunction = <Path, Query, Body>(
  {
    path,
    query,
    body,
    bodyBytesAtMost,
    success,
    errorStyle,
    responseHeaders,
    ...operation
  }: Operation<Path, Query, Body>,
  handler: (request: HttpRequest<Path, Query, Body>) => Promise<HttpResponse>,
  { cors = operation.cors }: OperationSettings = {},
) =>
  httpFunction<Path, Query, Body>({
    ...(path === undefined ? {} : { path }),
    ...(query === undefined ? {} : { query }),
    ...(body === undefined ? {} : { body }),
    ...(bodyBytesAtMost === undefined ? {} : { bodyBytesAtMost }),
    ...(errorStyle === undefined ? {} : { errorStyle }),
    ...(cors === undefined ? {} : { cors }),
    ...(responseHeaders === undefined ? {} : { headers: responseHeaders }),
    isBodyReadLate: operation.security === 'access-token',
    handler: async (request) => {
      const response = await handler(request);
      return response.status === success.status
        ? { ...response, body: success.body?.parse(response.body) }
        : response;
    },
  });

type GatewayFunction = (event: APIGatewayProxyEvent, context: Context) => Promise<APIGatewayProxyResult>;

/** One function for several operations that need the same permissions. */
export const operationsFunction = (
  calls: readonly (readonly [Pick<Operation, 'method' | 'route'>, GatewayFunction])[],
): GatewayFunction => {
  const functions = new Map(calls.map(([{ method, route }, call]) => [`${method} ${route}`, call]));
  return async (event, context) => {
    const call = functions.get(`${event.httpMethod} ${event.resource}`);
    if (call === undefined)
      throw new Error(`Not a call of this function: ${event.httpMethod} ${event.resource}`);
    return call(event, context);
  };
};
