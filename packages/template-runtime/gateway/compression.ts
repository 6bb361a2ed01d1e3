import { deflateSync, gzipSync } from 'node:zlib';
import type { Answer } from './gateway-responses.ts';

/** "Content codings supported by API Gateway". `identity` leaves the body as it is. */
const codings: ReadonlyMap<string, ((body: Buffer) => Buffer) | undefined> = new Map([
  ['gzip', (body: Buffer) => gzipSync(body)],
  ['deflate', (body: Buffer) => deflateSync(body)],
  ['identity', undefined],
]);

/**
 * The coding with the highest weight, or the first of several with that weight. API Gateway does not compress if
 * `Accept-Encoding` is missing, or if the preferred coding is `*` or one that API Gateway does not support.
 */
const preferred = (acceptEncoding: string): string | undefined => {
  const weighted = acceptEncoding.split(',').map((part) => {
    const [coding = '', ...parameters] = part.split(';').map((text) => text.trim().toLowerCase());
    const weight = parameters.find((parameter) => parameter.startsWith('q='));
    return { coding, weight: weight === undefined ? 1 : Number(weight.slice(2)) };
  });
  const highest = Math.max(...weighted.map(({ weight }) => weight));
  return highest > 0 ? weighted.find(({ weight }) => weight === highest)?.coding : undefined;
};

export interface EncodedAnswer extends Omit<Answer, 'body'> {
  readonly body: Buffer;
}

/**
 * Compresses as API Gateway does for an API with a `minimumCompressionSize` ("Receive an API response with a compressed
 * payload"): for every status and content type, and without adding a `Vary` header.
 */
export const compress = (
  { status, headers, body: text }: Answer,
  {
    minimumBytes,
    acceptEncoding = '',
  }: { readonly minimumBytes: number | undefined; readonly acceptEncoding: string | undefined },
): EncodedAnswer => {
  const body = Buffer.from(text);
  const coding = preferred(acceptEncoding) ?? '';
  const encode = codings.get(coding);
  const isEncodedAlready = headers.some(([name]) => name.toLowerCase() === 'content-encoding');
  if (minimumBytes === undefined || body.length < minimumBytes || encode === undefined || isEncodedAlready) {
    return { status, headers, body };
  }
  return { status, headers: [...headers, ['Content-Encoding', coding]], body: encode(body) };
};
