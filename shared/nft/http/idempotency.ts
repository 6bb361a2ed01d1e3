import { BadRequestError } from '../../errors.ts';
import type { HttpRequest } from '../../http/request.ts';
import type { Idempotency } from '../submit/idempotency.ts';

/** The header's value; the draft has it as a quoted string, and most clients send it bare. */
const parseKey = (header: string): string => {
  const key = /^"(.*)"$/.exec(header)?.[1] ?? header;
  if (/^[\x20-\x7e]{1,255}$/.test(key)) return key;
  throw new BadRequestError({
    issues: [{ path: 'Idempotency-Key', message: 'From 1 to 255 printable ASCII characters' }],
  });
};

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
  const written = header('idempotency-key');
  return {
    scope: `${method} ${resource.replace(/\{(\w+)\}/g, (placeholder, name) => parameters[name] ?? placeholder)}`,
    key: written === undefined ? undefined : parseKey(written),
    body,
  };
};
