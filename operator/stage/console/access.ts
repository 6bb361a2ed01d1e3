import { randomBytes, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { whyRefused } from 'template-runtime/local-caller.ts';

export interface AccessRequest {
  readonly method: string;
  /** The path and the query. */
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
}

/** `enter`: the request has the right token, so the browser gets the cookie. `admitted`: the request has the cookie. */
export type AccessVerdict = 'admitted' | 'enter' | 'refused';

export interface Access {
  /** The secret in the address that is printed for the operator. It works once, so it admits one browser. */
  readonly token: string;
  readonly cookie: string;
  judge(request: AccessRequest): AccessVerdict;
}

/**
 * The path of the whole console. The cookie is limited to this path, so browsers do not send it to other servers on
 * this machine.
 */
export const consolePath = '/console';

const isSame = (a: string, b: string): boolean =>
  a.length === b.length && timingSafeEqual(Buffer.from(a), Buffer.from(b));

const cookieIn = (header: string | undefined, wanted: string): string | undefined =>
  header
    ?.split(';')
    .map((pair) => pair.trim().split('='))
    .find(([name]) => name === wanted)?.[1];

/**
 * Only the first browser that sends the token may read the console. That browser gets a cookie for its later requests.
 * Requests from other sites are refused even with the cookie. So are requests to another host name of this machine,
 * which prevents DNS rebinding.
 */
export const consoleAccess = ({ host }: { /** `127.0.0.1:4580` */ readonly host: string }): Access => {
  const token = randomBytes(24).toString('base64url');
  const session = randomBytes(24).toString('base64url');
  // A browser sends the cookies of a host to all its ports.
  const cookieName = `marquee_console_${host.split(':')[1]}`;
  let isTokenUsed = false;
  return {
    token,
    cookie: `${cookieName}=${session}; Path=${consolePath}; HttpOnly; SameSite=Strict`,
    judge: (request) => {
      const { method, url, headers } = request;
      // A click on the address in an email is a link of another site.
      if (method !== 'GET' || whyRefused(request, { ownHost: host, otherSites: 'link' })) return 'refused';
      // The address is not parsed as a URL, because not every address is one: `//` is not.
      const [pathname, query = ''] = url.split('?', 2);
      const given = new URLSearchParams(query).get('token');
      if (pathname === consolePath && given !== null && !isTokenUsed && isSame(given, token)) {
        isTokenUsed = true;
        return 'enter';
      }
      if (whyRefused(request, { ownHost: host })) return 'refused';
      const known = cookieIn(headers.cookie, cookieName);
      return known !== undefined && isSame(known, session) ? 'admitted' : 'refused';
    },
  };
};
