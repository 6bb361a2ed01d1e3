import type { HttpResponse } from '../../platform/http/http-function.ts';
import { answerRepeatable, idempotencyKeyOf } from '../../platform/http/idempotency-key.ts';
import type { HttpRequest } from '../../platform/http/request.ts';
import type { Idempotency } from '../submit/idempotency.ts';

type Parameters = Readonly<Record<string, string>>;

type RepeatableRequest = Pick<
  HttpRequest<object | undefined, unknown, unknown>,
  'method' | 'resource' | 'path' | 'body' | 'header'
>;

/**
 * Reads the `Idempotency-Key` of a request. A key is unique only within its method and path. The path is built from the
 * parsed parameters, so that the upper or lower case of an address does not matter.
 * @throws BadRequestError
 */
const idempotencyOf = ({ method, resource, path, body, header }: RepeatableRequest): Idempotency => {
  const parameters: Parameters = { ...path };
  return {
    scope: `${method} ${resource.replace(/\{(\w+)\}/g, (placeholder, name) => parameters[name] ?? placeholder)}`,
    key: idempotencyKeyOf(header),
    // A request without a body counts as one with an empty body.
    body: body ?? {},
  };
};

/**
 * Answers a request that can have an `Idempotency-Key`.
 * @throws BadRequestError
 */
export const answerWithKey = async (
  request: RepeatableRequest,
  answer: (idempotency: Idempotency) => Promise<HttpResponse>,
): Promise<HttpResponse> =>
  answerRepeatable((onRepeated) => answer({ ...idempotencyOf(request), onRepeated }));
