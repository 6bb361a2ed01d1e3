import createFetchClient, { type Client } from 'openapi-fetch';
import { MarqueeError } from './errors.ts';
import { routes } from './generated/routes.ts';
import type { paths } from './generated/schema.ts';
import { type RetryOptions, send } from './retry.ts';

/** Given as it is, or asked for before each call: access tokens expire. */
type Credential = string | (() => string | Promise<string>);

export interface ClientOptions extends RetryOptions {
  /** The base API: NFTs and OTT events. */
  readonly baseUrl?: string;
  /** The business-to-business API. */
  readonly apiUrlB2b?: string;
  /** The profile API. */
  readonly apiUrlProfile?: string;
  /** The key of your application. Never in a browser. */
  readonly apiKey?: Credential;
  /** The identity provider's token of a viewer or user. */
  readonly accessToken?: Credential;
  /** Whose rules count for viewers without a token. */
  readonly clientId?: string;
  /** Of browsers: `include` where streams are opened by cookies. @default 'same-origin' */
  readonly credentials?: 'omit' | 'same-origin' | 'include';
  /** @default the global one */
  readonly fetch?: typeof globalThis.fetch;
}

interface Route {
  readonly api: string;
  readonly credential: string;
  readonly isIdempotent: boolean;
}

const routeAt = (path: string, method: string): Route => {
  const described = (routes as Readonly<Record<string, Readonly<Record<string, string>>>>)[path]?.[method];
  if (described === undefined) throw new MarqueeError(`There is no call ${method} ${path}`);
  const [api = '', credential = '', idempotent] = described.split(' ');
  return { api, credential, isIdempotent: idempotent !== undefined };
};

/** POSTs that only read. */
const reads: readonly string[] = [
  '/user-data/read',
  '/vendor/user-subs/get',
  '/user/reporter/application-user-sub',
] satisfies (keyof typeof routes)[];

/** Stands for an address that is known only by the path that is called. */
const anywhere = 'https://marquee.invalid';

const resolved = async (credential: Credential | undefined): Promise<string | undefined> =>
  typeof credential === 'function' ? credential() : credential;

/** Every call of the document, typed, each at its API's address, with its credentials, and repeated where that helps. */
export type Http = Client<paths>;

/** What a call needs before it goes out. */
export const createHttp = (options: ClientOptions): Http => {
  const { tryMilliseconds = 15_000, deadlineMilliseconds = 60_000, credentials = 'same-origin' } = options;
  const addresses: Readonly<Record<string, readonly [name: string, url: string | undefined]>> = {
    base: ['baseUrl', options.baseUrl],
    b2b: ['apiUrlB2b', options.apiUrlB2b],
    profile: ['apiUrlProfile', options.apiUrlProfile],
  };
  const pathOf = new WeakMap<Request, string>();

  const urlOf = (request: Request, { api }: Route): string => {
    const [name, url] = addresses[api] ?? [api, undefined];
    if (url === undefined) throw new MarqueeError(`This call needs the option ${name}`);
    return `${url.replace(/\/+$/, '')}${request.url.slice(anywhere.length)}`;
  };

  const headersOf = async (request: Request, { credential, isIdempotent }: Route): Promise<Headers> => {
    const headers = new Headers(request.headers);
    const add = (name: string, value: string | undefined): void => {
      if (value !== undefined && !headers.has(name)) headers.set(name, value);
    };
    if (credential === 'apiKey') add('x-api-key', await resolved(options.apiKey));
    if (credential === 'accessToken') {
      const token = await resolved(options.accessToken);
      add('authorization', token === undefined ? undefined : `Bearer ${token}`);
    }
    if (pathOf.get(request)?.includes('/ott/')) add('x-client-id', options.clientId);
    // One for all tries of a call. It lives as long as the call: pass your own, and a crash makes nothing twice.
    if (isIdempotent) add('idempotency-key', crypto.randomUUID());
    return headers;
  };

  const http = createFetchClient<paths>({
    baseUrl: anywhere,
    fetch: async (request) => {
      const path = pathOf.get(request) ?? '';
      const { method, signal } = request;
      const route = routeAt(path, method);
      const text = await request.text();
      return send({
        fetch: options.fetch ?? globalThis.fetch,
        url: urlOf(request, route),
        method,
        headers: await headersOf(request, route),
        body: text === '' ? undefined : text,
        signal,
        credentials,
        // After a lost answer `If-Match` refuses what it has let through itself.
        isRepeatable:
          (method !== 'POST' || route.isIdempotent || reads.includes(path)) &&
          !request.headers.has('if-match'),
        tryMilliseconds,
        deadlineMilliseconds,
      });
    },
  });
  http.use({
    onRequest: ({ request, schemaPath }) => {
      pathOf.set(request, schemaPath);
    },
  });
  return http;
};
