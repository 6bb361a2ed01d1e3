import createFetchClient, { type Client } from 'openapi-fetch';
import type { CallOptions } from './calls.ts';
import { MarqueeError, NoAnswerError } from './errors.ts';
import { routes } from './generated/routes.ts';
import type { paths } from './generated/schema.ts';
import { type RetryOptions, send, startLimit } from './retry.ts';

/** Given as it is, or asked for before each call: access tokens expire. */
type Credential = string | (() => string | Promise<string>);

export interface ClientOptions extends RetryOptions {
  /** The base API: NFTs and OTT events. */
  readonly baseUrl?: string | undefined;
  /** The business-to-business API. */
  readonly apiUrlB2b?: string | undefined;
  /** The profile API. */
  readonly apiUrlProfile?: string | undefined;
  /** The key of your application. Never in a browser. */
  readonly apiKey?: Credential | undefined;
  /** The identity provider's token of a viewer or user. */
  readonly accessToken?: Credential | undefined;
  /** Whose rules count for viewers without a token. */
  readonly clientId?: string | undefined;
  /**
   * Of browsers: `include` where streams are opened by cookies. It is for `getStream` alone; no other call has any use for
   * cookies, or takes them from another origin. @default 'same-origin'
   */
  readonly credentials?: 'omit' | 'same-origin' | 'include' | undefined;
  /** @default the global one */
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

/** POSTs that only read. */
const reads: readonly string[] = [
  '/user-data/read',
  '/user-data/read/batch',
  '/vendor/user-subs/get',
  '/user/reporter/application-user-sub',
] satisfies (keyof typeof routes)[];

const stream: string = '/api/v3/ott/events/{event_id}/stream' satisfies keyof typeof routes;

/** Stands for an address that is known only by the path that is called. */
const anywhere = 'https://marquee.invalid';

const resolved = async (credential: Credential | undefined): Promise<string | undefined> =>
  typeof credential === 'function' ? credential() : credential;

/** What timers can wait: 24 days. */
const longestMilliseconds = 2 ** 31 - 1;

/** @throws MarqueeError that names the option. */
export const millisecondsIn = (name: string, value: number): number => {
  if (value > 0 && value <= longestMilliseconds) return value;
  throw new MarqueeError(
    `${name} is not a number of milliseconds from 1 to ${longestMilliseconds}: ${value}`,
  );
};

/** Without its slashes at the end. A page may name an address of its own origin by its path. */
const addressIn = (name: string, url: string | undefined): readonly [string, string | undefined] => {
  if (url === undefined) return [name, undefined];
  const page = (globalThis as { readonly location?: { readonly href: string } }).location?.href;
  const parsed = URL.canParse(url, page) ? new URL(url, page) : undefined;
  const { protocol = '', username, password, search, hash } = parsed ?? {};
  if (!/^https?:$/.test(protocol) || username || password || search || hash) {
    // An error is logged, and a password is for no log.
    throw new MarqueeError(`${name} is not an address of an API: ${url.replace(/\/\/.*@/, '//')}`);
  }
  return [name, url.replace(/\/+$/, '')];
};

/** A segment that is empty or only dots would make another call of it. */
const checkSegments = (segments: Readonly<Record<string, unknown>> = {}): void => {
  for (const [name, value] of Object.entries(segments)) {
    if (value === undefined || value === null || /^\.{0,2}$/.test(String(value))) {
      throw new MarqueeError(`${name} must not be empty, nor dots: ${JSON.stringify(value)}`);
    }
  }
};

/** @throws NoAnswerError when it is not the service's: something in between may answer anything. */
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

/** Every call of the document, typed, each at its API's address, with its credentials, and repeated where that helps. */
export type Http = Client<paths>;

export interface Caller {
  readonly http: Http;
  /** What a call of `http` has besides its own to follow these options. */
  readonly following: (options: CallOptions) => {
    readonly signal?: AbortSignal;
    readonly fetch: (request: Request) => Promise<Response>;
  };
}

/** What a call needs before it goes out. */
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
    // Node prefers br, and then API Gateway, which does not know it, compresses nothing. A browser sends its own.
    add('accept-encoding', 'gzip');
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
          // After a lost answer a condition refuses what it has let through itself.
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
