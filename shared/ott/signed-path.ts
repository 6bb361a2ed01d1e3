import type { Stream } from './event.ts';

export type Signing = 'none' | 'url' | 'cookies';

export interface SignedPath {
  /** The signed resource as CloudFront compares it with requests: an encoded URL that may end in `*`. */
  readonly resource: string;
  readonly host: string;
  /** Path and query of the resource up to the wildcard, decoded by `decoded`. */
  readonly path: string;
  /** `path` before it was decoded. */
  readonly writtenPath: string;
  /** Whether the signature covers everything that begins with `path`, or only `path` itself. */
  readonly isPrefix: boolean;
}

/** Decodes each percent escape to its byte, because for a server `/live/%61/` and `/live/a/` are the same folder. */
const decoded = (path: string): string =>
  path.replaceAll(/%([0-9a-f]{2})/gi, (_, byte: string) => String.fromCharCode(Number.parseInt(byte, 16)));

const writtenAddress = (url: string) => {
  const { host, pathname, search } = new URL(url);
  return { host, path: `${pathname}${search}` };
};

export const streamAddress = ({ url }: Pick<Stream, 'url'>) => {
  const { host, path } = writtenAddress(url);
  return { host, path: decoded(path) };
};

export const folderOf = (path: string): string => path.slice(0, path.lastIndexOf('/') + 1);

export const signedPathOf = (
  { type, url, signedPath }: Stream,
  { signing }: { readonly signing: Exclude<Signing, 'none'> },
): SignedPath => {
  const { origin, pathname } = new URL(url);
  const resource =
    signing === 'url' || (signedPath === undefined && type === 'file')
      ? new URL(url).href
      : new URL(signedPath ?? `${origin}${folderOf(pathname)}*`).href;
  const { host, path } = writtenAddress(resource);
  const isPrefix = signing === 'cookies' && path.endsWith('*');
  const writtenPath = isPrefix ? path.slice(0, -1) : path;
  return { resource, host, path: decoded(writtenPath), writtenPath, isPrefix };
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

/**
 * Dot segments such as `../`, plain or percent-encoded. CloudFront compares a signed path character by character, but a
 * server might resolve the dot segments to another folder.
 */
const dotSegment = /(^|\/)(\.|%2e){1,2}(\/|$)/i;
/** Characters that some servers treat as a slash. */
const hiddenSlash = /%2f|%5c|\\/i;
/**
 * Matches a `%` that is not followed by two hexadecimal digits. Such a `%` is refused, because a wildcard behind it
 * could complete the escape: `%6*` would also match `%61`, which is `a`.
 */
const brokenEscape = /%(?![0-9a-f]{2})/i;

/** Reasons why a stream cannot be signed. Empty if the stage signs nothing. */
export const signedPathMistakes = (stream: Stream, { signing }: { readonly signing: Signing }): string[] => {
  if (signing === 'none') return [];
  const { type, url, signedPath } = stream;
  if (signing === 'url') {
    return type === 'file'
      ? []
      : [`stream.type: ${type} cannot be signed by URL, because a signed URL opens only the playlist`];
  }
  const field = signedPath === undefined ? 'stream.url' : 'stream.signed_path';
  const mistakes = [
    ...shapeMistakes('stream.url', url),
    ...(signedPath === undefined ? [] : shapeMistakes(field, signedPath)),
  ];
  const signed = signedPathOf(stream, { signing });
  if (new URL(signed.resource).origin !== new URL(url).origin)
    mistakes.push(`${field}: is on another host than stream.url`);
  if (/[?*]/.test(signed.writtenPath))
    mistakes.push(`${field}: must not contain ?, and may contain * only at its end`);
  if (signed.isPrefix && folderOf(signed.path) === '/') {
    mistakes.push(`${field}: would open the root folder, and so everything on the host`);
  }
  if (mistakes.length === 0 && !opens(signed, stream)) mistakes.push(`${field}: does not cover stream.url`);
  return mistakes;
};

/**
 * Reasons why browsers would not keep a stream's cookies apart from those of others, or not send them at all. A stream
 * that is stored already is signed nevertheless, because it may be the only one in its folder.
 */
export const cookiePathMistakes = (stream: Stream, { signing }: { readonly signing: Signing }): string[] => {
  if (signing !== 'cookies') return [];
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

const shapeMistakes = (field: string, url: string): string[] => {
  const [path = ''] = url.replace(/^[a-z]+:\/\/[^/?#]*/i, '').split(/[?#]/);
  return [
    ...(dotSegment.test(path) || hiddenSlash.test(path)
      ? [`${field}: must not contain dot segments or encoded slashes`]
      : []),
    ...(brokenEscape.test(path)
      ? [`${field}: must not contain a % that is not followed by two hexadecimal digits`]
      : []),
  ];
};
