import type { Stream } from '../events/event.ts';
import {
  addressMistakes,
  decodedPath,
  folderOf,
  requestedUrl,
  streamAddress,
  writtenAddress,
} from './stream-address.ts';

export type Signing = 'none' | 'url' | 'cookies';

export interface SignedPath {
  /** The signed resource as CloudFront compares it with requests: an encoded URL that may end in `*`. */
  readonly resource: string;
  readonly host: string;
  /** Path and query of the resource up to the wildcard, decoded by `decodedPath`. */
  readonly path: string;
  /** `path` before it was decoded. */
  readonly writtenPath: string;
  /** Whether the signature covers everything that begins with `path`, or only `path` itself. */
  readonly isPrefix: boolean;
}

export const signedPathOf = (
  { type, url, signedPath }: Stream,
  { signing }: { readonly signing: Exclude<Signing, 'none'> },
): SignedPath => {
  const { origin, pathname } = new URL(url);
  const resource =
    signing === 'url' || (signedPath === undefined && type === 'file')
      ? requestedUrl(url)
      : requestedUrl(signedPath ?? `${origin}${folderOf(pathname)}*`);
  const { host, path } = writtenAddress(resource);
  const isPrefix = signing === 'cookies' && path.endsWith('*');
  const writtenPath = isPrefix ? path.slice(0, -1) : path;
  return { resource, host, path: decodedPath(writtenPath), writtenPath, isPrefix };
};

/**
 * Whether a signature also covers this stream. `http` and `https` are treated alike, because both serve the same files.
 */
const opens = (signed: SignedPath, stream: Stream): boolean => {
  const { host, path } = streamAddress(stream);
  return host === signed.host && (signed.isPrefix ? path.startsWith(signed.path) : path === signed.path);
};

type Window = Pick<Stream, 'availableFrom' | 'availableUntil'>;

const areDisjoint = (a: Window, b: Window): boolean =>
  endsBefore(a.availableUntil, b.availableFrom) || endsBefore(b.availableUntil, a.availableFrom);

const endsBefore = (until: string | undefined, from: string | undefined): boolean =>
  until !== undefined && from !== undefined && until <= from;

/**
 * Whether a signature for one stream, while it is valid (`window`), would also let a viewer play the stream `other`.
 */
export const overlaps = (signed: SignedPath, window: Window, other: Stream): boolean =>
  opens(signed, other) && !areDisjoint(window, other);

/** Reasons why a stream cannot be signed. Empty if the stage signs nothing. */
export const signedPathMistakes = (stream: Stream, { signing }: { readonly signing: Signing }): string[] => {
  if (signing === 'none') return [];
  const { type, url, signedPath } = stream;
  if (signing === 'url') {
    return type === 'file'
      ? addressMistakes('stream.url', url)
      : [`stream.type: ${type} cannot be signed by URL, because a signed URL opens only the playlist`];
  }
  const field = signedPath === undefined ? 'stream.url' : 'stream.signed_path';
  const mistakes = [
    ...addressMistakes('stream.url', url),
    ...(signedPath === undefined ? [] : addressMistakes(field, signedPath.replace(/\*$/, ''))),
  ];
  if (mistakes.length > 0) return mistakes;
  const signed = signedPathOf(stream, { signing });
  if (new URL(signed.resource).origin !== new URL(url).origin)
    mistakes.push(`${field}: is on another host than stream.url`);
  if (signed.writtenPath.includes('?')) mistakes.push(`${field}: must not contain ?`);
  if (signed.isPrefix && folderOf(signed.path) === '/') {
    mistakes.push(`${field}: would open the root folder, and so everything on the host`);
  }
  if (mistakes.length === 0 && !opens(signed, stream)) mistakes.push(`${field}: does not cover stream.url`);
  return mistakes;
};

/**
 * Reasons why browsers would not keep a stream's cookies apart from those of others, or not send them at all. A stream
 * that is stored already is signed nevertheless, because it may be the only one in its folder. Empty if the stream cannot
 * be signed anyway.
 */
export const cookiePathMistakes = (stream: Stream, { signing }: { readonly signing: Signing }): string[] => {
  if (signing !== 'cookies' || signedPathMistakes(stream, { signing }).length > 0) return [];
  const field = stream.signedPath === undefined ? 'stream.url' : 'stream.signed_path';
  const { isPrefix, writtenPath } = signedPathOf(stream, { signing });
  return [
    ...(isPrefix && !writtenPath.endsWith('/')
      ? [
          `${field}: must end in /*, because cookies of another path in the same folder would replace those of this one`,
        ]
      : []),
    ...(writtenPath.includes(';') ? [`${field}: must not contain ;, which ends the path of a cookie`] : []),
  ];
};

/**
 * The key by which overlapping streams are found: the path that the stream's signed cookies cover, up to the wildcard.
 * If no cookies can be signed for the stream, the key is the stream's own path. If two streams overlap, the key of one
 * is a prefix of the other's key.
 */
export const signedPlace = (stream: Stream): { readonly host: string; readonly path: string } => {
  const isSignable = signedPathMistakes(stream, { signing: 'cookies' }).length === 0;
  const { host, path } = isSignable ? signedPathOf(stream, { signing: 'cookies' }) : streamAddress(stream);
  return { host, path };
};
