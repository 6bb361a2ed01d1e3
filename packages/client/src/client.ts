import { apiErrorOf, ConfirmationFailedError, MarqueeError } from './errors.ts';
import type { components, paths } from './generated/schema.ts';
import { type ClientOptions, createHttp, type Http } from './http.ts';
import { itemsOf } from './pages.ts';

type Schemas = components['schemas'];
export type Contract = Schemas['Contract'];
export type NewContract = Schemas['NewContract'];
export type Nft = Schemas['Nft'];
export type NewNft = Schemas['NewNft'];
export type Event = Schemas['Event'];
export type Stream = Schemas['Stream'];
export type UserData = Schemas['UserData'];
export type UserDataChange = Schemas['UserDataChange'];
export type ApplicationUser = Schemas['ApplicationUser'];

type Query<Path extends keyof paths> = paths[Path] extends { get: { parameters: { query?: infer Given } } }
  ? Omit<NonNullable<Given>, 'cursor'>
  : never;
export type ListQuery = Query<'/api/v1/nft/contracts/'>;
export type EventQuery = Query<'/api/v3/ott/events/'>;

export interface CallOptions {
  /** Gives the call up. */
  readonly signal?: AbortSignal;
}

export interface WriteOptions extends CallOptions {
  /**
   * What this write is known by, such as an order's id: the same key makes the same thing once, also after a crash of
   * yours. @default one that is kept for this call only
   */
  readonly idempotencyKey?: string;
}

export interface WaitOptions extends CallOptions {
  /** @default 300_000 */
  readonly timeoutMilliseconds?: number;
}

/** A contract, or a token by its contract and id. */
export type Confirmable = { readonly address: string } | { readonly contract: string; readonly id: string };

const firstPauseMilliseconds = 500;
const longestPauseMilliseconds = 10_000;

interface Answer<Data> {
  readonly data?: Data;
  readonly error?: unknown;
  readonly response: Response;
}

const answered = async <Data>(call: Promise<Answer<Data>>): Promise<Data> => {
  const { data, error, response } = await call;
  if (response.ok && data !== undefined) return data;
  throw apiErrorOf(response, error);
};

const pageOf = async <Item>(call: Promise<Answer<Item[]>>) => {
  const answer = await call;
  return { items: await answered(Promise.resolve(answer)), headers: answer.response.headers };
};

const signalOf = ({ signal }: CallOptions) => (signal === undefined ? {} : { signal });

const keyOf = ({ idempotencyKey }: WriteOptions) =>
  idempotencyKey === undefined ? {} : { header: { 'Idempotency-Key': idempotencyKey } };

/** Calls of the NFT API: a server's, with an API key. */
const nftCalls = (http: Http) => {
  const getContract = (address: string, options: CallOptions = {}): Promise<Contract> =>
    answered(
      http.GET('/api/v1/nft/contracts/{contract_address}', {
        params: { path: { contract_address: address } },
        ...signalOf(options),
      }),
    );
  const getToken = (address: string, id: string, options: CallOptions = {}): Promise<Nft> =>
    answered(
      http.GET('/api/v1/nft/contracts/{contract_address}/tokens/{id}', {
        params: { path: { contract_address: address, id } },
        ...signalOf(options),
      }),
    );
  return {
    getContract,
    getToken,
    createContract: (body: NewContract, options: WriteOptions = {}): Promise<Contract> =>
      answered(http.POST('/api/v1/nft/contracts/', { body, params: keyOf(options), ...signalOf(options) })),
    mintToken: (address: string, body: NewNft, options: WriteOptions = {}): Promise<Nft> =>
      answered(
        http.POST('/api/v1/nft/contracts/{contract_address}/mint', {
          body,
          params: { path: { contract_address: address }, ...keyOf(options) },
          ...signalOf(options),
        }),
      ),
    /** Newest first. */
    listContracts: (query: ListQuery = {}, options: CallOptions = {}) =>
      itemsOf((cursor) =>
        pageOf(
          http.GET('/api/v1/nft/contracts/', {
            params: { query: { ...query, ...(cursor && { cursor }) } },
            ...signalOf(options),
          }),
        ),
      ),
    /** Newest first. */
    listTokens: (address: string, query: ListQuery = {}, options: CallOptions = {}) =>
      itemsOf((cursor) =>
        pageOf(
          http.GET('/api/v1/nft/contracts/{contract_address}/tokens/', {
            params: { path: { contract_address: address }, query: { ...query, ...(cursor && { cursor }) } },
            ...signalOf(options),
          }),
        ),
      ),
    /**
     * Looks until a contract or token is on the chain for good, and answers it as it is then.
     *
     * @throws ConfirmationFailedError when it has failed; MarqueeError when the time is over.
     */
    waitUntilConfirmed: async <What extends Confirmable>(
      what: What,
      { timeoutMilliseconds = 300_000, ...options }: WaitOptions = {},
    ): Promise<What extends { readonly address: string } ? Contract : Nft> => {
      const deadline = performance.now() + timeoutMilliseconds;
      let pause = firstPauseMilliseconds;
      for (;;) {
        const seen = await ('address' in what
          ? getContract(what.address, options)
          : getToken(what.contract, what.id, options));
        if (seen.is_confirmed) return seen as What extends { readonly address: string } ? Contract : Nft;
        if (seen.status === 'failed') throw new ConfirmationFailedError(seen.failure_reason);
        if (performance.now() + pause > deadline) {
          throw new MarqueeError(`Not confirmed within ${timeoutMilliseconds} ms`);
        }
        await new Promise((resolve) => setTimeout(resolve, pause));
        options.signal?.throwIfAborted();
        pause = Math.min(longestPauseMilliseconds, pause * 1.5);
      }
    },
  };
};

/** Calls of the business-to-business API: a server's, with an API key. */
const b2bCalls = (http: Http) => ({
  /** Never older than the change that a notification told of. */
  readUserData: (applicationUserSub: string, options: CallOptions = {}): Promise<ApplicationUser> =>
    answered(
      http.POST('/user-data/read', {
        body: { application_user_sub: applicationUserSub },
        ...signalOf(options),
      }),
    ),
  /** What the application calls each of up to 100 users; null for one who is unknown or none of its own. */
  exchangeUserSubs: async (userSubs: readonly string[], options: CallOptions = {}) =>
    (
      await answered(
        http.POST('/vendor/user-subs/get', { body: { user_subs: [...userSubs] }, ...signalOf(options) }),
      )
    ).user_subs,
});

/** Calls of viewers and users, with an access token where one is needed; they run in a browser too. */
const viewerCalls = (http: Http) => ({
  /** Newest start first. */
  listEvents: (query: EventQuery = {}, options: CallOptions = {}) =>
    itemsOf((cursor) =>
      pageOf(
        http.GET('/api/v3/ott/events/', {
          params: { query: { ...query, ...(cursor && { cursor }) } },
          ...signalOf(options),
        }),
      ),
    ),
  getEvent: (id: string, options: CallOptions = {}): Promise<Event> =>
    answered(
      http.GET('/api/v3/ott/events/{event_id}', { params: { path: { event_id: id } }, ...signalOf(options) }),
    ),
  /** @throws ForbiddenError whose `code` says what helps. */
  getStream: (id: string, options: CallOptions = {}): Promise<Stream> =>
    answered(
      http.GET('/api/v3/ott/events/{event_id}/stream', {
        params: { path: { event_id: id } },
        ...signalOf(options),
      }),
    ),
  getUserData: (options: CallOptions = {}): Promise<UserData> =>
    answered(http.GET('/user/data', signalOf(options))),
  putUserData: (change: UserDataChange, options: CallOptions = {}): Promise<UserData> =>
    answered(http.PUT('/user/data', { body: change, ...signalOf(options) })),
  /** What the application of the access token's client calls its user. */
  getApplicationUserSub: async (options: CallOptions = {}): Promise<string> =>
    (await answered(http.GET('/user/reporter/application-user-sub', signalOf(options)))).application_user_sub,
});

/**
 * A client of one stage. Each call answers what the service answered, or throws an `ApiError` when it refused and a
 * `NoAnswerError` when no answer came; 429, 503, broken connections and the like are waited out until the deadline.
 * `http` has every call of the document, also those without a method here, as `openapi-fetch` has them.
 */
export const createClient = (options: ClientOptions) => {
  const http = createHttp(options);
  return { http, ...nftCalls(http), ...b2bCalls(http), ...viewerCalls(http) };
};

export type MarqueeClient = ReturnType<typeof createClient>;
