import { b2bCalls } from './b2b-calls.ts';
import {
  answered,
  type CallOptions,
  keyOf,
  pageOf,
  type Query,
  signalOf,
  type WriteOptions,
} from './calls.ts';
import { ConfirmationFailedError, MarqueeError } from './errors.ts';
import type { components } from './generated/schema.ts';
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
export type NewNfts = Schemas['NewNfts'];

export type ListQuery = Query<'/api/v1/nft/contracts/'>;
export type EventQuery = Query<'/api/v3/ott/events/'>;

export interface WaitOptions extends CallOptions {
  /** @default 300_000 */
  readonly timeoutMilliseconds?: number;
}

/** A user's data as it was read; `etag` is for `ifMatch`. */
export interface UserDataVersion {
  readonly userData: UserData;
  readonly etag: string;
}

/** A contract, or a token by its contract and id. */
export type Confirmable = { readonly address: string } | { readonly contract: string; readonly id: string };

const firstPauseMilliseconds = 500;
const longestPauseMilliseconds = 10_000;

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
    /** Up to 95 tokens with one transaction, all of them or none. */
    mintBatch: async (
      address: string,
      tokens: NewNfts['tokens'],
      options: WriteOptions = {},
    ): Promise<Nft[]> => {
      const made = await answered(
        http.POST('/api/v1/nft/contracts/{contract_address}/mint/batch', {
          body: { tokens },
          params: { path: { contract_address: address }, ...keyOf(options) },
          ...signalOf(options),
        }),
      );
      return made.tokens;
    },
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
  /** The data, and the entity tag by which `putUserData` changes this very version of it. */
  getUserDataVersion: async (options: CallOptions = {}): Promise<UserDataVersion> => {
    const answer = await http.GET('/user/data', signalOf(options));
    return {
      userData: await answered(Promise.resolve(answer)),
      etag: answer.response.headers.get('etag') ?? '',
    };
  },
  /** @throws ConflictError when it is no longer the version that `ifMatch` names. */
  putUserData: (
    change: UserDataChange,
    { ifMatch, ...options }: CallOptions & { readonly ifMatch?: string } = {},
  ): Promise<UserData> =>
    answered(
      http.PUT('/user/data', {
        body: change,
        ...(ifMatch === undefined ? {} : { params: { header: { 'If-Match': ifMatch } } }),
        ...signalOf(options),
      }),
    ),
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
