import { randomBytes, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';

export interface AccessRequest {
  readonly method: string;
  /** Path and query. */
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
}

/** `enter`: the token was right, and is exchanged for the cookie. */
export type AccessVerdict = 'admitted' | 'enter' | 'refused';

export interface Access {
  /** The end of the address that the operator gets. It admits once. */
  readonly token: string;
  readonly cookie: string;
  judge(request: AccessRequest): AccessVerdict;
}

const cookieName = 'marquee_console';

/** Everything is below this path, including the cookie: other servers on this machine do not receive it. */
export const consolePath = '/console';

const isSame = (a: string, b: string): boolean =>
  a.length === b.length && timingSafeEqual(Buffer.from(a), Buffer.from(b));

const cookieIn = (header: string | undefined): string | undefined =>
  header
    ?.split(';')
    .map((pair) => pair.trim().split('='))
    .find(([name]) => name === cookieName)?.[1];

/**
 * Decides who may read the console: whoever has the address with the token, in one browser, which then gets a cookie.
 * Other pages cannot use that browser's cookie, nor another name of this machine (DNS rebinding).
 */
export const consoleAccess = ({ host }: { /** `127.0.0.1:4580` */ readonly host: string }): Access => {
  const token = randomBytes(24).toString('base64url');
  const session = randomBytes(24).toString('base64url');
  let isTokenUsed = false;
  return {
    token,
    cookie: `${cookieName}=${session}; Path=${consolePath}; HttpOnly; SameSite=Strict`,
    judge: ({ method, url, headers }) => {
      const { origin, cookie } = headers;
      const site = headers['sec-fetch-site'];
      if (method !== 'GET' || headers.host !== host) return 'refused';
      if (origin !== undefined && origin !== `http://${host}`) return 'refused';
      const { pathname, searchParams } = new URL(url, `http://${host}`);
      const given = searchParams.get('token');
      // A link followed from elsewhere, such as a terminal or a mail, brings the token itself.
      if (pathname === consolePath && given !== null && !isTokenUsed && isSame(given, token)) {
        isTokenUsed = true;
        return 'enter';
      }
      if (site !== undefined && site !== 'same-origin' && site !== 'none') return 'refused';
      const known = cookieIn(cookie);
      return known !== undefined && isSame(known, session) ? 'admitted' : 'refused';
    },
  };
};
