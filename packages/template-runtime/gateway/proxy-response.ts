import * as z from 'zod';
import type { Answer } from './gateway-responses.ts';

const headerValue = z.union([z.string(), z.number(), z.boolean()]);
const schema = z.object({
  statusCode: z.union([
    z.int().min(100).max(599),
    z
      .string()
      .regex(/^[1-5]\d\d$/)
      .transform(Number),
  ]),
  headers: z.record(z.string(), headerValue).nullish(),
  multiValueHeaders: z.record(z.string(), z.array(headerValue)).nullish(),
  body: z.string().nullish(),
  isBase64Encoded: z.boolean().nullish(),
});

/**
 * Headers that API Gateway sets itself. If a function returns one of them, API Gateway renames it to
 * `x-amzn-Remapped-…`.
 */
const remapped = new Set([
  'authorization',
  'connection',
  'content-length',
  'content-md5',
  'date',
  'host',
  'max-forwards',
  'proxy-authenticate',
  'server',
  'te',
  'trailer',
  'user-agent',
  'via',
  'warn',
  'www-authenticate',
  'x-amzn-requestid',
  'x-forwarded-for',
]);
const dropped = new Set(['expect', 'transfer-encoding', 'upgrade']);

/** Turns a function's result into a response. Returns `undefined` if API Gateway would call the result malformed. */
export const proxyAnswer = (payload: unknown): Answer | undefined => {
  const parsed = schema.safeParse(payload);
  if (!parsed.success) return undefined;
  const { statusCode, headers, multiValueHeaders, body } = parsed.data;
  return {
    status: statusCode,
    headers: merged(headers ?? {}, multiValueHeaders ?? {}),
    // `isBase64Encoded` has no effect: API Gateway decodes bodies only for an API with binary media types.
    body: body ?? '',
  };
};

type HeaderValue = z.infer<typeof headerValue>;

const merged = (
  single: Readonly<Record<string, HeaderValue>>,
  multiple: Readonly<Record<string, readonly HeaderValue[]>>,
): Array<readonly [string, string]> => {
  const pairs: Array<readonly [string, string]> = [];
  const fromMultiple = new Set<string>();
  for (const [name, values] of Object.entries(multiple)) {
    fromMultiple.add(name.toLowerCase());
    for (const value of values) pairs.push([name, String(value)]);
  }
  for (const [name, value] of Object.entries(single)) {
    const isRepeated =
      fromMultiple.has(name.toLowerCase()) &&
      pairs.some(([other, text]) => other.toLowerCase() === name.toLowerCase() && text === String(value));
    if (!isRepeated) pairs.push([name, String(value)]);
  }
  return pairs
    .filter(([name]) => !dropped.has(name.toLowerCase()))
    .map(([name, value]) => [remapped.has(name.toLowerCase()) ? `x-amzn-Remapped-${name}` : name, value]);
};
