import { deflateSync, gzipSync } from 'node:zlib';
import type { Answer } from './gateway-responses.ts';

/** What API Gateway knows ("Content codings supported by API Gateway"); `identity` leaves a body as it is. */
const codings: ReadonlyMap<string, ((body: Buffer) => Buffer) | undefined> = new Map([
  ['gzip', (body: Buffer) => gzipSync(body)],
  ['deflate', (body: Buffer) => deflateSync(body)],
  ['identity', undefined],
]);

/**
 * The coding that a request prefers: the first of those with the highest weight. Without a header, or with `*`, API
 * Gateway compresses nothing, and it looks no further when it does not know the preferred one.
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
 * An answer as API Gateway sends it once an API has a `minimumCompressionSize` ("Receive an API response with a
 * compressed payload"). Neither status nor type of the content counts, and it adds no `Vary`.
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
