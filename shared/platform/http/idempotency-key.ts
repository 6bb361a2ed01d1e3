import * as z from 'zod';
import { BadRequestError } from '../errors.ts';
import type { HttpResponse } from './http-function.ts';
import type { HttpRequest } from './request.ts';

const lengthAtMost = 255;
/** The documentation of the header `Idempotency-Key`. */
export const idempotencyKeySchema = z.string().min(1).max(lengthAtMost);

/** The draft standard of `Idempotency-Key` requires quotes around the value, but most clients send none. */
const parseKey = (header: string): string => {
  const key = /^"(.*)"$/.exec(header)?.[1] ?? header;
  if (idempotencyKeySchema.safeParse(key).success && /^[\x20-\x7e]*$/.test(key)) return key;
  throw new BadRequestError({
    issues: [{ path: 'Idempotency-Key', message: `From 1 to ${lengthAtMost} printable ASCII characters` }],
  });
};

/** @throws BadRequestError */
export const idempotencyKeyOf = (
  header: HttpRequest<undefined, undefined, undefined>['header'],
): string | undefined => {
  const written = header('idempotency-key');
  return written === undefined ? undefined : parseKey(written);
};

/** The documentation of the header that `answerRepeatable` sets. */
export const repeatedHeaders = {
  'Idempotent-Replayed':
    '`true` if the response is the result of an earlier request with the same `Idempotency-Key`, in its current state. Otherwise absent',
};

/**
 * Answers a request that can have an `Idempotency-Key`. If the answer is the result of an earlier request with the key,
 * the header `Idempotent-Replayed` says so.
 */
export const answerRepeatable = async (
  answer: (onRepeated: () => void) => Promise<HttpResponse>,
): Promise<HttpResponse> => {
  let isRepeated = false;
  const response = await answer(() => {
    isRepeated = true;
  });
  if (!isRepeated) return response;
  return { ...response, headers: { ...response.headers, 'idempotent-replayed': 'true' } };
};
