import type { Stream } from './event.ts';

/** How a stage protects its streams: not at all, by signed URLs, or by signed cookies. */
export type Signing = 'none' | 'url' | 'cookies';

/** What a signature opens, and where to look for other streams that it would open too. */
export interface SignedPath {
  /** As CloudFront compares it with a request, encoded: a URL that may end in `*`. */
  readonly resource: string;
  readonly host: string;
  /** Path and query up to a wildcard, in comparable form: see `decoded`. */
  readonly path: string;
  /** The same, undecoded. */
  readonly writtenPath: string;
  /** Whether it opens everything that begins with `path`, or only that path. */
  readonly isPrefix: boolean;
}

/**
 * Decodes each escape to its byte: a server has one file under `/live/%61/` and `/live/a/`, and serves it to viewers
 * whose signature admits to either.
 */
const decoded = (path: string): string =>
  path.replaceAll(/%([0-9a-f]{2})/gi, (_, byte: string) => String.fromCharCode(Number.parseInt(byte, 16)));

const writtenAddress = (url: string) => {
  const { host, pathname, search } = new URL(url);
  return { host, path: `${pathname}${search}` };
};

/** A stream's address in comparable form. */
export const streamAddress = ({ url }: Pick<Stream, 'url'>) => {
  const { host, path } = writtenAddress(url);
  return { host, path: decoded(path) };
};

/** The path up to its last slash, included. */
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

/** Whether a signature for one stream opens another. Schemes do not matter: an origin serves both alike. */
const opens = (signed: SignedPath, stream: Stream): boolean => {
  const { host, path } = streamAddress(stream);
  return host === signed.host && (signed.isPrefix ? path.startsWith(signed.path) : path === signed.path);
};

type Window = Pick<Stream, 'availableFrom' | 'availableUntil'>;

const areDisjoint = (a: Window, b: Window): boolean =>
  endsBefore(a.availableUntil, b.availableFrom) || endsBefore(b.availableUntil, a.availableFrom);

const endsBefore = (until: string | undefined, from: string | undefined): boolean =>
  until !== undefined && from !== undefined && until <= from;

/** Whether a signature for one stream would let its viewer play another during that one's window. */
export const overlaps = (signed: SignedPath, window: Window, other: Stream): boolean =>
  opens(signed, other) && !areDisjoint(window, other);

/** Dot segments, also encoded: a server may resolve what a signature compares letter by letter. */
const dotSegment = /(^|\/)(\.|%2e){1,2}(\/|$)/i;
/** What some servers treat as a slash. */
const hiddenSlash = /%2f|%5c|\\/i;
/** With a wildcard after it, it would be the beginning of an escape: `%6*` opens `%61`, which is `a`. */
const brokenEscape = /%(?![0-9a-f]{2})/i;

/** What is wrong with a stream's signature; nothing where the stage does not sign. */
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
 * The key under which a stream is found next to everything that shares a signature with it: the path of its cookies, up
 * to the wildcard, or its own address where no cookies can be signed. Of two overlapping streams, one's key begins with
 * the other's, because each is a beginning of its stream's own path.
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
