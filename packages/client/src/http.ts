import createFetchClient, { type Client } from 'openapi-fetch';
import type { CallOptions } from './calls.ts';
import { MarqueeError, NoAnswerError } from './errors.ts';
import { routes } from './generated/routes.ts';
import type { paths } from './generated/schema.ts';
import { type RetryOptions, send, startLimit } from './retry.ts';

/** A value, or a function that is called before each request, because access tokens expire. */
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
  /** A viewer's or user's token of the identity provider. */
  readonly accessToken?: Credential | undefined;
  /** The OIDC client whose rules apply to viewers without a token. */
  readonly clientId?: string | undefined;
  /**
   * For browsers: `include` where cookies open the streams. Only `getStream` uses it: other calls need no cookies, and
   * accept none from another origin. @default 'same-origin'
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
  const [api = '', credential = '', idempotent] = described.split(' ');
  return { api, credential, isIdempotent: idempotent !== undefined };
};

/** POSTs that change nothing. */
const reads: readonly string[] = [
  '/user-data/read',
  '/user-data/read/batch',
  '/vendor/user-subs/get',
  '/user/reporter/application-user-sub',
] satisfies (keyof typeof routes)[];

const stream: string = '/api/v3/ott/events/{event_id}/stream' satisfies keyof typeof routes;

/** Stands for the API's address, which is known only after the path. */
const anywhere = 'https://marquee.invalid';

const resolved = async (credential: Credential | undefined): Promise<string | undefined> =>
  typeof credential === 'function' ? credential() : credential;

/** The longest time of a timer, 24 days. */
const longestMilliseconds = 2 ** 31 - 1;

/** @throws MarqueeError that names the option. */
export const millisecondsIn = (name: string, value: number): number => {
  if (value > 0 && value <= longestMilliseconds) return value;
  throw new MarqueeError(
    `${name} is not a number of milliseconds from 1 to ${longestMilliseconds}: ${value}`,
  );
};

/** Removes trailing slashes. A page may name an address on its own origin by a path. */
const addressIn = (name: string, url: string | undefined): readonly [string, string | undefined] => {
  if (url === undefined) return [name, undefined];
  const page = (globalThis as { readonly location?: { readonly href: string } }).location?.href;
  const parsed = URL.canParse(url, page) ? new URL(url, page) : undefined;
  const { protocol = '', username, password, search, hash } = parsed ?? {};
  if (!/^https?:$/.test(protocol) || username || password || search || hash) {
    // Errors are logged, and a log must not contain a password.
    throw new MarqueeError(`${name} is not an address of an API: ${url.replace(/\/\/.*@/, '//')}`);
  }
  return [name, url.replace(/\/+$/, '')];
};

/** A segment that is empty or only dots would address another call. */
const checkSegments = (segments: Readonly<Record<string, unknown>> = {}): void => {
  for (const [name, value] of Object.entries(segments)) {
    if (value === undefined || value === null || /^\.{0,2}$/.test(String(value))) {
      throw new MarqueeError(`${name} must not be empty, nor dots: ${JSON.stringify(value)}`);
    }
  }
};

/** @throws NoAnswerError when the response is not JSON, for example because a proxy made it. */
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
 * Every call of the document, typed. Each goes to its API's address with its credentials, and is retried where that is
 * safe.
 */
export type Http = Client<paths>;

export interface Caller {
  readonly http: Http;
  /** What a call of `http` needs, besides its own parameters, to follow these options. */
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
    // With br, which Node prefers and API Gateway does not know, API Gateway would compress nothing. A browser sends
    // its own header.
    add('accept-encoding', 'gzip');
    if (credential === 'apiKey') add('x-api-key', await resolved(options.apiKey));
    if (credential === 'accessToken') {
      const token = await resolved(options.accessToken);
      add('authorization', token === undefined ? undefined : `Bearer ${token}`);
    }
    if (pathOf.get(request)?.includes('/ott/')) add('x-client-id', options.clientId);
    // All tries of a call use this key, which is lost in a crash. To create nothing twice after a crash, pass your own
    // key.
    if (isIdempotent) add('idempotency-key', crypto.randomUUID());
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
          // If the response is lost, a retry would fail the condition because of the first try's own change.
          isRepeatable:
            (method !== 'POST' || route.isIdempotent || reads.includes(path)) &&
            !headers.has('if-match') &&
            !(method !== 'GET' && headers.has('if-none-match')),
          tryMilliseconds,
          limit,
        });
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
