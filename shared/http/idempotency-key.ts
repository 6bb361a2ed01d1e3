import { BadRequestError } from '../errors.ts';
import type { HttpRequest } from './request.ts';

/** The header's value. The draft defines it as a quoted string; most clients send it without quotes. */
const parseKey = (header: string): string => {
  const key = /^"(.*)"$/.exec(header)?.[1] ?? header;
  if (/^[\x20-\x7e]{1,255}$/.test(key)) return key;
  throw new BadRequestError({
    issues: [{ path: 'Idempotency-Key', message: 'From 1 to 255 printable ASCII characters' }],
  });
};

/**
 * The caller's `Idempotency-Key`, if it sent one.
 *
 * @throws BadRequestError
 */
export const idempotencyKeyOf = (
  header: HttpRequest<undefined, undefined, undefined>['header'],
): string | undefined => {
  const written = header('idempotency-key');
  return written === undefined ? undefined : parseKey(written);
};
