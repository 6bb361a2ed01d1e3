/**
 * What a path must not contain, because a browser, CloudFront and an origin could read it as different paths. The
 * function at the streams' distribution (docs/viewer-request.js) refuses requests by the same expressions, so a stream
 * whose address breaks one could never be played.
 */
const pathRules = [
  {
    // Servers for Java ignore what follows a semicolon.
    pattern: /\/(?:\.|%2e){1,2}(?:\/|;|%3b|$)|%2f|%5c|\\/i,
    mistake: 'must not contain dot segments or encoded slashes',
  },
  { pattern: /\/\//i, mistake: 'must not contain an empty folder (//)' },
  { pattern: /%25/i, mistake: 'must not contain an encoded percent sign (%25)' },
  {
    // A wildcard behind such a `%` could complete the escape: `%6*` would also match `%61`, which is `a`.
    pattern: /%(?![0-9a-f]{2})/i,
    mistake: 'must not contain a % that is not followed by two hexadecimal digits',
  },
  { pattern: /[^ -~\u0080-\uffff]|%[01][0-9a-f]|%7f/i, mistake: 'must not contain control characters' },
  { pattern: /\*/i, mistake: 'must not contain * (only signed_path may, at its end)' },
] as const;

/** Matches every path that breaks a rule. */
export const ambiguousPath = new RegExp(pathRules.map(({ pattern }) => pattern.source).join('|'), 'i');

/** The path of a URL as it is written, before it is normalized. `undefined` if the URL does not begin as usual. */
const writtenPathIn = (url: string): string | undefined => /^https?:\/\/[^/?#\\]+([^?#]*)/i.exec(url)?.[1];

/** The reasons why a URL cannot be the address of a signed stream. `field` names the URL. */
export const addressMistakes = (field: string, url: string): string[] => {
  const path = writtenPathIn(url);
  const { host, hostname, username, password } = new URL(url);
  const mistakes = [
    ...(path === undefined ? ['must begin with https:// and the name of the host'] : []),
    ...(username + password === '' ? [] : ['must not contain a user name or a password']),
    ...(host.includes('*') || hostname.endsWith('.')
      ? ['must contain the whole name of the host, without * and without a dot at its end']
      : []),
    ...(ambiguousPath.test(path ?? '')
      ? pathRules.filter(({ pattern }) => pattern.test(path ?? '')).map(({ mistake }) => mistake)
      : []),
  ];
  return mistakes.map((mistake) => `${field}: ${mistake}`);
};

/** Decodes each percent escape to its byte, because for a server `/live/%61/` and `/live/a/` are the same folder. */
export const decodedPath = (path: string): string =>
  path.replaceAll(/%([0-9a-f]{2})/gi, (_, byte: string) => String.fromCharCode(Number.parseInt(byte, 16)));

/** A URL as a request has it: without the fragment, which stays in the browser. */
export const requestedUrl = (url: string): string => {
  const parsed = new URL(url);
  parsed.hash = '';
  return parsed.href;
};

/** Host, and path with query, as they are written in a request. */
export const writtenAddress = (url: string) => {
  const { host, pathname, search } = new URL(url);
  return { host, path: `${pathname}${search}` };
};

/** Host, and path with query, by which addresses are compared. */
export const streamAddress = ({ url }: { readonly url: string }) => {
  const { host, path } = writtenAddress(url);
  return { host, path: decodedPath(path) };
};

export const folderOf = (path: string): string => path.slice(0, path.lastIndexOf('/') + 1);
