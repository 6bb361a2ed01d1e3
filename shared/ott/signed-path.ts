import type { Stream } from './event.ts';

export type Signing = 'none' | 'url' | 'cookies';

export interface SignedPath {
  /** The resource in the form that CloudFront compares with requests, encoded: a URL that may end in `*`. */
  readonly resource: string;
  readonly host: string;
  /** Path and query up to a wildcard, decoded (see `decoded`). */
  readonly path: string;
  /** `path` without the decoding. */
  readonly writtenPath: string;
  /** Whether the signature opens everything that begins with `path`, or only `path` itself. */
  readonly isPrefix: boolean;
}

/** Decodes each escape to its byte: a server has one file at `/live/%61/` and `/live/a/`. */
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

/** Whether a signature for one stream opens another. Schemes do not matter: both serve the same files. */
const opens = (signed: SignedPath, stream: Stream): boolean => {
  const { host, path } = streamAddress(stream);
  return host === signed.host && (signed.isPrefix ? path.startsWith(signed.path) : path === signed.path);
};

type Window = Pick<Stream, 'availableFrom' | 'availableUntil'>;

const areDisjoint = (a: Window, b: Window): boolean =>
  endsBefore(a.availableUntil, b.availableFrom) || endsBefore(b.availableUntil, a.availableFrom);

const endsBefore = (until: string | undefined, from: string | undefined): boolean =>
  until !== undefined && from !== undefined && until <= from;

/** Whether a signature for one stream would let a viewer play another stream during the other stream's window. */
export const overlaps = (signed: SignedPath, window: Window, other: Stream): boolean =>
  opens(signed, other) && !areDisjoint(window, other);

/** Dot segments, also when encoded: a server may resolve them, while a signature compares characters. */
const dotSegment = /(^|\/)(\.|%2e){1,2}(\/|$)/i;
/** Characters that some servers treat as a slash. */
const hiddenSlash = /%2f|%5c|\\/i;
/** Before a wildcard, `%6` would be the beginning of an escape: `%6*` opens `%61`, which is `a`. */
const brokenEscape = /%(?![0-9a-f]{2})/i;

/** Reasons why a stream cannot be signed. Empty if the stage signs nothing. */
export const signedPathMistakes = (stream: Stream, { signing }: { readonly signing: Signing }): string[] => {
  if (signing === 'none') return [];
  const { type, url, signedPath } = stream;
  if (signing === 'url') {
    return type === 'file'
      ? []
      : [`stream.type: ${type} cannot be signed by URL, which would open its playlist alone`];
  }
  const field = signedPath === undefined ? 'stream.url' : 'stream.signed_path';
  const mistakes = [
    ...shapeMistakes('stream.url', url),
    ...(signedPath === undefined ? [] : shapeMistakes(field, signedPath)),
  ];
  const signed = signedPathOf(stream, { signing });
  if (new URL(signed.resource).origin !== new URL(url).origin)
    mistakes.push(`${field}: is on another host than stream.url`);
  if (/[?*]/.test(signed.writtenPath)) mistakes.push(`${field}: may hold no ?, and no * but at its end`);
  if (signed.isPrefix && folderOf(signed.path) === '/') {
    mistakes.push(`${field}: would open the root folder, which is everything on its host`);
  }
  if (mistakes.length === 0 && !opens(signed, stream)) mistakes.push(`${field}: does not cover stream.url`);
  return mistakes;
};

/**
 * The key that finds overlapping signatures: the path of the stream's cookies up to the wildcard, or its own address if
 * no cookies can be signed. Of two overlapping streams, one key is the beginning of the other.
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
      ? [`${field}: may hold no dot segments and no encoded slashes`]
      : []),
    ...(brokenEscape.test(path) ? [`${field}: may hold no % that is not followed by two hexadecimals`] : []),
  ];
};
