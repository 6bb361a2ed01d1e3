import { idempotencyKeyOf } from '../../http/idempotency-key.ts';
import type { HttpRequest } from '../../http/request.ts';
import type { Idempotency } from '../submit/idempotency.ts';

type Parameters = Readonly<Record<string, string>>;

/**
 * Reads the `Idempotency-Key` of a request. A key is unique only within its method and path. The path is built from the
 * parsed parameters, so that the upper or lower case of an address does not matter.
 * @throws BadRequestError
 */
export const idempotencyOf = ({
  method,
  resource,
  path,
  body,
  header,
}: Pick<
  HttpRequest<object | undefined, unknown, unknown>,
  'method' | 'resource' | 'path' | 'body' | 'header'
>): Idempotency => {
  const parameters: Parameters = { ...path };
  return {
    scope: `${method} ${resource.replace(/\{(\w+)\}/g, (placeholder, name) => parameters[name] ?? placeholder)}`,
    key: idempotencyKeyOf(header),
    // A request without a body counts as one with an empty body.
    body: body ?? {},
  };
};
