import createFetchClient, { type Client } from 'openapi-fetch';
import type { CallOptions } from './calls.ts';
import { MarqueeError, NoAnswerError, rememberKey } from './errors.ts';
import { routes } from './generated/routes.ts';
import type { paths } from './generated/schema.ts';
import { type RetryOptions, send, startLimit } from './retry.ts';

/** The credential itself, or a function that is called before each request, because access tokens expire. */
type Credential = string | (() => string | Promise<string>);

export interface ClientOptions extends RetryOptions {
  /** Address of the base API (NFTs and OTT events). */
  readonly baseUrl?: string | undefined;
  /** Address of the business-to-business API. */
  readonly apiUrlB2b?: string | undefined;
  /** Address of the profile API. */
  readonly apiUrlProfile?: string | undefined;
  /** The API key of your application. Never use it in a browser. */
  readonly apiKey?: Credential | undefined;
  /** A viewer's or user's access token, issued by the identity provider. */
  readonly accessToken?: Credential | undefined;
  /** The OIDC client whose rules apply to viewers without a token. */
  readonly clientId?: string | undefined;
  /**
   * For browsers: set `include` if the stage signs streams by cookies. Only `getStream` uses `include`, because other
   * calls need no cookies and accept none from another origin. @default 'same-origin'
   */
  readonly credentials?: 'omit' | 'same-origin' | 'include' | undefined;
  /** @default the global `fetch` */
  readonly fetch?: typeof globalThis.fetch | undefined;
}

interface Route {
  readonly api: string;
  readonly credential: string;
  readonly isIdempotent: boolean;
}

const routeAt = (path: string, method: string): Route => {
  const described = (routes as Readonly<Record<string, Readonly<Record<string, string>>>>)[path]?.[method];
  if (described === undefined) throw new MarqueeError(`There is no call ${method} ${path}`);
  const [api = '', credential = '', once] = described.split(' ');
  return { api, credential, isIdempotent: once !== undefined };
};

const streamEnd = '/api/v3/ott/events/{event_id}/stream/end' satisfies keyof typeof routes;

/** POST calls that are safe to repeat: they only read data, or find what an earlier one has done. */
const repeatable: readonly string[] = [
  streamEnd,
  '/user/tokens/{contract_address}/claim',
  '/user-data/read',
  '/user-data/read/batch',
  '/vendor/user-subs/get',
  '/user/reporter/application-user-sub',
] satisfies (keyof typeof routes)[];

/** A repeated DELETE of this path gets 404, or deletes an event that somebody else has created meanwhile. */
const catalogueEvent: string = '/api/v3/ott/catalogue/{event_id}' satisfies keyof typeof routes;

const stream: string = '/api/v3/ott/events/{event_id}/stream' satisfies keyof typeof routes;

/** A placeholder for the API's address. Which API a call goes to is known only from the call's path. */
const anywhere = 'https://marquee.invalid';

const resolved = async (credential: Credential | undefined): Promise<string | undefined> =>
  typeof credential === 'function' ? credential() : credential;

/** The longest delay of a timer, about 24 days. */
const longestMilliseconds = 2 ** 31 - 1;

/** @throws MarqueeError with the option's name, if the value is out of range. */
export const millisecondsIn = (name: string, value: number): number => {
  if (value > 0 && value <= longestMilliseconds) return value;
  throw new MarqueeError(
    `${name} is not a number of milliseconds from 1 to ${longestMilliseconds}: ${value}`,
  );
};

const parsed = (url: string, base: string | undefined): URL | undefined => {
  try {
    return new URL(url, base);
  } catch {
    return undefined;
  }
};

/** A random UUID. Browsers have `crypto.randomUUID` since 2021, and only on pages over HTTPS. */
const randomId = (): string =>
  '10000000-1000-4000-8000-100000000000'.replace(/[018]/g, (digit) => {
    const [random = 0] = crypto.getRandomValues(new Uint8Array(1));
    return (+digit ^ (random & (15 >> (+digit / 4)))).toString(16);
  });

/**
 * Removes trailing slashes. On a web page, the address can also be only a path, which is resolved against the page's
 * own origin.
 */
const addressIn = (name: string, url: string | undefined): readonly [string, string | undefined] => {
  if (url === undefined) return [name, undefined];
  const page = (globalThis as { readonly location?: { readonly href: string } }).location?.href;
  const { protocol = '', username, password, search, hash } = parsed(url, page) ?? {};
  if (!/^https?:$/.test(protocol) || username || password || search || hash) {
    // Errors are logged, and a log must not contain a password.
    throw new MarqueeError(`${name} is not an address of an API: ${url.replace(/\/\/.*@/, '//')}`);
  }
  return [name, url.replace(/\/+$/, '')];
};

/** An empty path parameter, or one that consists only of dots, would turn the URL into that of another call. */
const checkSegments = (segments: Readonly<Record<string, unknown>> = {}): void => {
  for (const [name, value] of Object.entries(segments)) {
    if (value === undefined || value === null || /^\.{0,2}$/.test(String(value))) {
      throw new MarqueeError(`${name} must not be empty, "." or ".."; it is ${JSON.stringify(value)}`);
    }
  }
};

/** @throws NoAnswerError when the response is not JSON, for example because it comes from a proxy. */
const checkReadable = async (response: Response, what: string): Promise<void> => {
  if (!response.ok || response.status === 204) return;
  const text = await response.clone().text();
  try {
    JSON.parse(text);
  } catch (cause) {
    const type = response.headers.get('content-type') ?? 'no type';
    throw new NoAnswerError(
      `The answer to ${what} is not JSON but ${type} (${response.status}): ${text.slice(0, 100)}`,
      { cause },
    );
  }
};

/**
 * Every call of the OpenAPI document, with types. Each call goes to the address of its API, with that API's
 * credentials. A call is retried if that is safe.
 */
export type Http = Client<paths>;

export interface Caller {
  readonly http: Http;
  /** Returns the settings that make a call of `http` obey these options. */
  readonly following: (options: CallOptions) => {
    readonly signal?: AbortSignal;
    readonly fetch: (request: Request) => Promise<Response>;
  };
}

export const createCaller = (options: ClientOptions): Caller => {
  const { credentials = 'same-origin' } = options;
  const tryMilliseconds = millisecondsIn('tryMilliseconds', options.tryMilliseconds ?? 15_000);
  const deadlineMilliseconds = millisecondsIn('deadlineMilliseconds', options.deadlineMilliseconds ?? 60_000);
  const addresses: Readonly<Record<string, readonly [name: string, url: string | undefined]>> = {
    base: addressIn('baseUrl', options.baseUrl),
    b2b: addressIn('apiUrlB2b', options.apiUrlB2b),
    profile: addressIn('apiUrlProfile', options.apiUrlProfile),
  };
  const pathOf = new WeakMap<Request, string>();
  const heard = new Set<string>();

  const urlOf = (request: Request, { api }: Route): string => {
    const [name, url] = addresses[api] ?? [api, undefined];
    if (url === undefined) throw new MarqueeError(`This call needs the option ${name}`);
    return `${url}${request.url.slice(anywhere.length)}`;
  };

  const headersOf = async (request: Request, { credential, isIdempotent }: Route): Promise<Headers> => {
    const headers = new Headers(request.headers);
    const add = (name: string, value: string | undefined): void => {
      if (value !== undefined && !headers.has(name)) headers.set(name, value);
    };
    // By default, Node.js prefers the compression br. API Gateway does not support br, and would then compress nothing.
    // A browser replaces this header with its own.
    add('accept-encoding', 'gzip');
    if (credential === 'key') add('x-api-key', await resolved(options.apiKey));
    if (credential === 'token') {
      const token = await resolved(options.accessToken);
      add('authorization', token === undefined ? undefined : `Bearer ${token}`);
    }
    if (pathOf.get(request)?.includes('/ott/')) add('x-client-id', options.clientId);
    // All tries of the call use this random key. The key is lost in a crash, so a caller who repeats calls after a
    // crash must pass a key of their own.
    if (isIdempotent) add('idempotency-key', randomId());
    return headers;
  };

  const fetchWithin =
    (milliseconds: number) =>
    async (request: Request): Promise<Response> => {
      const path = pathOf.get(request) ?? '';
      const { method } = request;
      const route = routeAt(path, method);
      const url = urlOf(request, route);
      const limit = startLimit(milliseconds, request.signal);
      try {
        const text = await request.text();
        const headers = await limit.hold(headersOf(request, route)).catch((error: unknown) => {
          throw limit.isOver() ? new NoAnswerError('No credential in time') : error;
        });
        const response = await send({
          fetch: options.fetch ?? globalThis.fetch,
          url,
          method,
          headers,
          body: text === '' ? undefined : text,
          credentials: credentials === 'include' && path !== stream ? 'same-origin' : credentials,
          // A conditional write is not retried. If only the response was lost, the first try has already changed the
          // data, and the retry would fail on its condition.
          isRepeatable:
            (method !== 'POST' || route.isIdempotent || repeatable.includes(path)) &&
            !(method === 'DELETE' && path === catalogueEvent) &&
            !headers.has('if-match') &&
            !(method !== 'GET' && headers.has('if-none-match')),
          outlivesPage: path === streamEnd,
          call: `${method} ${path}`,
          heard,
          tryMilliseconds,
          limit,
        });
        if (route.credential === 'key') rememberKey(response, route.api, headers.get('x-api-key'));
        await checkReadable(response, `${method} ${url}`);
        return response;
      } finally {
        limit.release();
      }
    };

  const http = createFetchClient<paths>({ baseUrl: anywhere, fetch: fetchWithin(deadlineMilliseconds) });
  http.use({
    onRequest: ({ request, schemaPath, params }) => {
      checkSegments(params.path);
      pathOf.set(request, schemaPath);
    },
  });
  return {
    http,
    following: ({ signal, timeout = deadlineMilliseconds }) => ({
      ...(signal === undefined ? {} : { signal }),
      fetch: fetchWithin(millisecondsIn('timeout', timeout)),
    }),
  };
};
