import { idempotencyKeyOf } from '../../http/idempotency-key.ts';
import type { HttpRequest } from '../../http/request.ts';
import type { Idempotency } from '../submit/idempotency.ts';

type Parameters = Readonly<Record<string, string>>;

/**
 * A call's `Idempotency-Key`, which holds for its method and path. The path is made of the parsed parameters, so that
 * an address is the same in any case.
 *
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
    body,
  };
};
