import { BadRequestError } from '../errors.ts';
import type { HttpRequest } from './request.ts';

/** The draft standard of `Idempotency-Key` requires quotes around the value, but most clients send none. */
const parseKey = (header: string): string => {
  const key = /^"(.*)"$/.exec(header)?.[1] ?? header;
  if (/^[\x20-\x7e]{1,255}$/.test(key)) return key;
  throw new BadRequestError({
    issues: [{ path: 'Idempotency-Key', message: 'From 1 to 255 printable ASCII characters' }],
  });
};

/** @throws BadRequestError */
export const idempotencyKeyOf = (
  header: HttpRequest<undefined, undefined, undefined>['header'],
): string | undefined => {
  const written = header('idempotency-key');
  return written === undefined ? undefined : parseKey(written);
};
