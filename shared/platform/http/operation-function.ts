import type { APIGatewayProxyEvent, APIGatewayProxyResult, Context } from 'aws-lambda';
import { type Cors, type HttpResponse, httpFunction } from './http-function.ts';
import type { Operation } from './operation.ts';
import type { HttpRequest } from './request.ts';

export interface OperationSettings {
  /** @default the operation's `cors` */
  readonly cors?: Cors | undefined;
}

/**
 * The function that serves an operation. It never sends a successful response whose body does not match the operation's
 * schema.
 */
export const operationFunction = <Path, Query, Body>(
  {
    path,
    query,
    body,
    asSent,
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
    path,
    query,
    body,
    asSent,
    bodyBytesAtMost,
    errorStyle,
    cors,
    headers: responseHeaders,
    handler: async (request) => {
      const response = await handler(request);
      return response.status === success.status || (success.created !== undefined && response.status === 201)
        ? { ...response, body: success.body?.parse(response.body) }
        : response;
    },
  });

type GatewayFunction = (event: APIGatewayProxyEvent, context: Context) => Promise<APIGatewayProxyResult>;

export const operationsFunction = (
  calls: readonly (readonly [Pick<Operation, 'method' | 'route'>, GatewayFunction])[],
): GatewayFunction => {
  const functions = new Map(calls.map(([{ method, route }, call]) => [`${method} ${route}`, call]));
  return async (event, context) => {
    const method = event.httpMethod === 'HEAD' ? 'GET' : event.httpMethod;
    const call = functions.get(`${method} ${event.resource}`);
    if (call === undefined)
      throw new Error(`Not an operation of this function: ${event.httpMethod} ${event.resource}`);
    return call(event, context);
  };
};
