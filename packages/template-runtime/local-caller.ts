import type { IncomingHttpHeaders } from 'node:http';

/** What a page that is not of this machine may do with a server, in a browser on this machine. */
export interface LocalCallers {
  /** Origins whose pages may call the server as pages of this machine may. @default none */
  readonly pageOrigins?: readonly string[];
  /**
   * What pages of all other sites may do: nothing; lead their visitor here by a link; or also show files from here, such
   * as pictures, which they cannot read.
   *
   * @default 'nothing'
   */
  readonly otherSites?: 'nothing' | 'link' | 'show';
  /** Whether extensions of the browser may call the server, such as wallets. @default false */
  readonly extensions?: boolean;
  /**
   * The only host and port by which the server may be called, such as `127.0.0.1:4580`. Pages of other ports are then
   * pages of other sites.
   *
   * @default any port of 127.0.0.1 or localhost
   */
  readonly ownHost?: string;
}

const localHost = /^(?:127\.0\.0\.1|localhost|\[::1\])(?::\d+)?$/i;

/** Chromium's, Firefox's and Safari's. No website can have such an origin. */
const extensionOrigin = /^(?:chrome|moz|safari-web)-extension:\/\//;

/** Whether pages of this origin may call servers of this machine. */
export const isLocalOrigin = (origin: string, pageOrigins: readonly string[] = []): boolean =>
  pageOrigins.includes(origin) || (/^https?:\/\//.test(origin) && localHost.test(new URL(origin).host));

/**
 * Why a server that listens only on this machine must refuse a request. Any website that is open in a browser here can
 * send requests to 127.0.0.1: by a form or a script, or, after DNS rebinding, under a host name of its own. Programs that
 * are no browsers send neither `Origin` nor `Sec-Fetch-Site`.
 */
export const whyRefused = (
  { method, headers }: { readonly method?: string | undefined; readonly headers: IncomingHttpHeaders },
  { pageOrigins = [], otherSites = 'nothing', extensions = false, ownHost }: LocalCallers = {},
): string | undefined => {
  const { host = '', origin } = headers;
  const isOwn = ownHost === undefined ? localHost.test(host) : host === ownHost;
  if (!isOwn) return `the host must be ${ownHost ?? '127.0.0.1 or localhost'}, and not ${host}`;
  if (origin !== undefined) {
    if (extensions && extensionOrigin.test(origin)) return undefined;
    const isAllowed =
      ownHost === undefined
        ? URL.canParse(origin) && isLocalOrigin(origin, pageOrigins)
        : origin === `http://${ownHost}`;
    return isAllowed ? undefined : `pages of ${origin} may not call this server`;
  }
  const site = headers['sec-fetch-site'];
  if (site !== 'cross-site' && !(ownHost !== undefined && site === 'same-site')) return undefined;
  const isRead = method === 'GET' || method === 'HEAD';
  const isLink = headers['sec-fetch-mode'] === 'navigate' && headers['sec-fetch-dest'] === 'document';
  if (isRead && (otherSites === 'show' || (otherSites === 'link' && isLink))) return undefined;
  return 'pages of other sites may not call this server';
};
