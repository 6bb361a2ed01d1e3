import { b2bCalls } from './b2b-calls.ts';
import {
  answered,
  answeredAs,
  type Call,
  type CallOptions,
  done,
  keyOf,
  pageOf,
  type Query,
} from './calls.ts';
import { catalogueCalls } from './catalogue-calls.ts';
import { ConfirmationFailedError, MarqueeError } from './errors.ts';
import type { components } from './generated/schema.ts';
import { type Caller, type ClientOptions, createCaller, millisecondsIn } from './http.ts';
import { itemsOf } from './pages.ts';
import { renewed } from './play-stream.ts';
import { pause, startLimit } from './retry.ts';

type Schemas = components['schemas'];
export type Contract = Schemas['Contract'];
export type ContractRequest = Schemas['ContractRequest'];
export type Nft = Schemas['Nft'];
export type NftRequest = Schemas['NftRequest'];
export type Event = Schemas['Event'];
export type Stream = Schemas['Stream'];
export type UserData = Schemas['UserData'];
export type UserDataChange = Schemas['UserDataChange'];
export type NftsRequest = Schemas['NftsRequest'];
export type ContractMetadataRequest = Schemas['ContractMetadataRequest'];
export type MetadataBatchRequest = Schemas['MetadataBatchRequest'];
export type RoyaltyUpdate = Schemas['RoyaltyUpdate'];
export type VoidToken = Schemas['VoidToken'];
export type Wallet = Schemas['Wallet'];
export type WalletChallengeRequest = Schemas['WalletChallengeRequest'];
export type WalletChallenge = Schemas['WalletChallenge'];
export type WalletProof = Schemas['WalletProof'];
export type UserToken = Schemas['UserToken'];
export type ClaimRequest = Schemas['ClaimRequest'];

export type ListQuery = Query<'/api/v1/nft/contracts/'>;
/** The page's session, if the application limits how many streams a viewer plays at the same time. */
export interface StreamSession {
  /** A UUID that the page generates and keeps for its tab. */
  readonly session?: string;
  /** The `continuation` of the page's last response. @default the page has none yet */
  readonly continuation?: string | undefined;
  /** The viewer's other session that this one takes over. */
  readonly takeOver?: string;
}
export type UserTokensQuery = Query<'/user/tokens'>;
export type EventQuery = Query<'/api/v3/ott/events/'>;

/** A version of the user's data. Pass `etag` to `putUserData` as `ifMatch`. */
export interface UserDataVersion {
  readonly userData: UserData;
  readonly etag: string;
}

export type Confirmable = { readonly address: string } | { readonly contract: string; readonly id: string };

const firstPauseMilliseconds = 500;
const longestPauseMilliseconds = 10_000;

/** Calls of the NFT API, for servers with an API key. */
const nftCalls = ({ http, following }: Caller) => {
  const getContract = (address: string, options: CallOptions = {}): Call<Contract> =>
    answered(() =>
      http.GET('/api/v1/nft/contracts/{contract_address}', {
        params: { path: { contract_address: address } },
        ...following(options),
      }),
    );
  const getToken = (address: string, id: string, options: CallOptions = {}): Call<Nft> =>
    answered(() =>
      http.GET('/api/v1/nft/contracts/{contract_address}/tokens/{id}', {
        params: { path: { contract_address: address, id } },
        ...following(options),
      }),
    );
  return {
    getContract,
    getToken,
    createContract: (body: ContractRequest, options: CallOptions = {}): Call<Contract> =>
      answered(() =>
        http.POST('/api/v1/nft/contracts/', { body, params: keyOf(options), ...following(options) }),
      ),
    mintToken: (address: string, body: NftRequest, options: CallOptions = {}): Call<Nft> =>
      answered(() =>
        http.POST('/api/v1/nft/contracts/{contract_address}/mint', {
          body,
          params: { path: { contract_address: address }, ...keyOf(options) },
          ...following(options),
        }),
      ),
    /** Mints up to 95 tokens in one transaction, either all of them or none. */
    mintBatch: (address: string, tokens: NftsRequest['tokens'], options: CallOptions = {}): Call<Nft[]> =>
      answeredAs(
        () =>
          http.POST('/api/v1/nft/contracts/{contract_address}/mint/batch', {
            body: { tokens },
            params: { path: { contract_address: address }, ...keyOf(options) },
            ...following(options),
          }),
        ({ data }) => data.tokens,
      ),
    /** Replaces the metadata at the contract's `contractURI`. Fields that are left out become empty. */
    updateContractMetadata: (
      address: string,
      body: ContractMetadataRequest,
      options: CallOptions = {},
    ): Call<Contract> =>
      answered(() =>
        http.PUT('/api/v1/nft/contracts/{contract_address}/metadata', {
          body,
          params: { path: { contract_address: address }, ...keyOf(options) },
          ...following(options),
        }),
      ),
    /** Replaces a token's metadata. Fields that are left out become empty. */
    updateTokenMetadata: (
      address: string,
      id: string,
      body: NftRequest['metadata'],
      options: CallOptions = {},
    ): Call<Nft> =>
      answered(() =>
        http.PUT('/api/v1/nft/contracts/{contract_address}/tokens/{id}/metadata', {
          body,
          params: { path: { contract_address: address, id }, ...keyOf(options) },
          ...following(options),
        }),
      ),
    /** Replaces the metadata of consecutive tokens in one transaction. */
    updateMetadataBatch: (
      address: string,
      body: MetadataBatchRequest,
      options: CallOptions = {},
    ): Call<Nft[]> =>
      answeredAs(
        () =>
          http.PUT('/api/v1/nft/contracts/{contract_address}/metadata/batch', {
            body,
            params: { path: { contract_address: address }, ...keyOf(options) },
            ...following(options),
          }),
        ({ data }) => data.tokens,
      ),
    /**
     * Gives a reserved token to another user, by your `application_user_sub`, or mints it to an address. Only while the
     * token is reserved.
     */
    setTokenDestination: (
      address: string,
      id: string,
      destination: string,
      options: CallOptions = {},
    ): Call<Nft> =>
      answered(() =>
        http.PUT('/api/v1/nft/contracts/{contract_address}/tokens/{id}/destination', {
          body: { destination },
          params: { path: { contract_address: address, id }, ...keyOf(options) },
          ...following(options),
        }),
      ),
    /** Marks the token as void, so that it gives access to no event, whoever holds it. */
    voidToken: (address: string, id: string, options: CallOptions = {}): Call<VoidToken> =>
      answered(() =>
        http.PUT('/api/v1/nft/contracts/{contract_address}/tokens/{id}/void', {
          params: { path: { contract_address: address, id } },
          ...following(options),
        }),
      ),
    /** Unmarks a void token, so that it gives access to events again. */
    unvoidToken: (address: string, id: string, options: CallOptions = {}): Call<void> =>
      done(() =>
        http.DELETE('/api/v1/nft/contracts/{contract_address}/tokens/{id}/void', {
          params: { path: { contract_address: address, id } },
          ...following(options),
        }),
      ),
    /** Sets the royalty of each sale; `receiver: null` removes the royalty. */
    setRoyalty: (address: string, body: RoyaltyUpdate, options: CallOptions = {}): Call<Contract> =>
      answered(() =>
        http.PUT('/api/v1/nft/contracts/{contract_address}/royalty', {
          body,
          params: { path: { contract_address: address }, ...keyOf(options) },
          ...following(options),
        }),
      ),
    /** Newest first. */
    listContracts: (query: ListQuery = {}, options: CallOptions = {}) =>
      itemsOf((cursor) =>
        pageOf(() =>
          http.GET('/api/v1/nft/contracts/', {
            params: { query: { ...query, ...(cursor && { cursor }) } },
            ...following(options),
          }),
        ),
      ),
    /** Newest first. */
    listTokens: (address: string, query: ListQuery = {}, options: CallOptions = {}) =>
      itemsOf((cursor) =>
        pageOf(() =>
          http.GET('/api/v1/nft/contracts/{contract_address}/tokens/', {
            params: { path: { contract_address: address }, query: { ...query, ...(cursor && { cursor }) } },
            ...following(options),
          }),
        ),
      ),
    /**
     * Waits until a contract or token is final on the chain, and returns it in that state.
     *
     * @throws ConfirmationFailedError when it has failed on the chain; MarqueeError when it is not final within
     * `timeout`.
     */
    waitUntilConfirmed: async <What extends Confirmable>(
      what: What,
      { timeout = 300_000, signal }: CallOptions = {},
    ): Promise<What extends { readonly address: string } ? Contract : Nft> => {
      const limit = startLimit(millisecondsIn('timeout', timeout), signal);
      const options = { signal: limit.signal };
      let wait = firstPauseMilliseconds;
      try {
        for (;;) {
          const seen = await ('address' in what
            ? getContract(what.address, options)
            : getToken(what.contract, what.id, options));
          if (seen.is_confirmed) return seen as What extends { readonly address: string } ? Contract : Nft;
          if (seen.status === 'failed') throw new ConfirmationFailedError(seen.failure_reason);
          await pause(wait, limit);
          limit.throwIfOver();
          wait = Math.min(longestPauseMilliseconds, wait * 1.5);
        }
      } catch (error) {
        throw limit.isOver() ? new MarqueeError(`Not confirmed within ${timeout} ms`) : error;
      } finally {
        limit.release();
      }
    },
  };
};

const streamOf = (
  { http, following }: Caller,
  {
    id,
    options: { session, continuation, takeOver, ...options },
  }: { readonly id: string; readonly options: CallOptions & StreamSession },
): Call<Stream> =>
  answered(() =>
    http.GET('/api/v3/ott/events/{event_id}/stream', {
      params: {
        path: { event_id: id },
        query: {
          ...(session !== undefined && { session }),
          ...(continuation !== undefined && { continuation }),
          ...(takeOver !== undefined && { take_over: takeOver }),
        },
      },
      ...following(options),
    }),
  );

/** Calls for viewers and users. Calls that need an access token send it. These calls also run in a browser. */
const viewerCalls = ({ http, following }: Caller) => ({
  /** Latest start first. */
  listEvents: (query: EventQuery = {}, options: CallOptions = {}) =>
    itemsOf((cursor) =>
      pageOf(() =>
        http.GET('/api/v3/ott/events/', {
          params: { query: { ...query, ...(cursor && { cursor }) } },
          ...following(options),
        }),
      ),
    ),
  getEvent: (id: string, options: CallOptions = {}): Call<Event> =>
    answered(() =>
      http.GET('/api/v3/ott/events/{event_id}', {
        params: { path: { event_id: id } },
        ...following(options),
      }),
    ),
  /**
   * If the application limits how many streams a viewer plays, `session` is required. Pass the `continuation` of the
   * last response to each further call for the session.
   *
   * @throws ForbiddenError whose `code` says what the viewer needs.
   */
  getStream: (id: string, options: CallOptions & StreamSession = {}): Call<Stream> =>
    streamOf({ http, following }, { id, options }),
  /**
   * Requests a stream, and requests it again whenever its cookies and its session must be renewed, for as long as you
   * go through the answers. Sends each `continuation` by itself.
   *
   * @throws ForbiddenError or NotFoundError when the viewer may no longer play.
   */
  playStream: (id: string, options: CallOptions & StreamSession = {}) =>
    renewed((each) => streamOf({ http, following }, { id, options: each }), options),
  /**
   * Ends the session, so that its place is free for another device. The call goes on if the page is closed.
   *
   * @throws ForbiddenError if the viewer has ended too many sessions early.
   */
  endStream: (id: string, { session, ...options }: CallOptions & { readonly session: string }): Call<void> =>
    done(() =>
      http.POST('/api/v3/ott/events/{event_id}/stream/end', {
        params: { path: { event_id: id } },
        body: { session },
        ...following(options),
      }),
    ),
  getUserData: (options: CallOptions = {}): Call<UserData> =>
    answered(() => http.GET('/user/data', following(options))),
  /** The user's data with its entity tag. Pass the tag to `putUserData` as `ifMatch` to change only this version. */
  getUserDataVersion: (options: CallOptions = {}): Call<UserDataVersion> =>
    answeredAs(
      () => http.GET('/user/data', following(options)),
      ({ data, response }) => ({ userData: data, etag: response.headers.get('etag') ?? '' }),
    ),
  /** @throws ConflictError when the data is no longer the version that `ifMatch` names. */
  putUserData: (
    change: UserDataChange,
    { ifMatch, ...options }: CallOptions & { readonly ifMatch?: string } = {},
  ): Call<UserData> =>
    answered(() =>
      http.PUT('/user/data', {
        body: change,
        ...(ifMatch === undefined ? {} : { params: { header: { 'If-Match': ifMatch } } }),
        ...following(options),
      }),
    ),
  /** Returns a message for the wallet to sign. Pass the signature to `linkWallet`. */
  challengeWallet: (body: WalletChallengeRequest, options: CallOptions = {}): Call<WalletChallenge> =>
    answered(() => http.POST('/user/wallets/challenges', { body, ...following(options) })),
  linkWallet: (address: string, body: WalletProof, options: CallOptions = {}): Call<Wallet> =>
    answered(() =>
      http.PUT('/user/wallets/{address}', { body, params: { path: { address } }, ...following(options) }),
    ),
  listWallets: (options: CallOptions = {}): Call<Wallet[]> =>
    answered(() => http.GET('/user/wallets', following(options))),
  unlinkWallet: (address: string, options: CallOptions = {}): Call<void> =>
    done(() =>
      http.DELETE('/user/wallets/{address}', { params: { path: { address } }, ...following(options) }),
    ),
  /** The tokens that are reserved for the user or that the user has claimed, highest ids first. */
  listUserTokens: (query: UserTokensQuery = {}, options: CallOptions = {}) =>
    itemsOf((cursor) =>
      pageOf(() =>
        http.GET('/user/tokens', {
          params: { query: { ...query, ...(cursor && { cursor }) } },
          ...following(options),
        }),
      ),
    ),
  /** Mints a reserved token to one of the user's linked wallets. The same call again returns the token. */
  claimToken: (contract: string, { address, id }: ClaimRequest, options: CallOptions = {}): Call<UserToken> =>
    answered(() =>
      http.POST('/user/tokens/{contract_address}/claim', {
        body: { address, id },
        params: { path: { contract_address: contract } },
        ...following(options),
      }),
    ),
  /** The user's identifier in the application to which the access token's client belongs. */
  getApplicationUserSub: (options: CallOptions = {}): Call<string> =>
    answeredAs(
      () => http.GET('/user/reporter/application-user-sub', following(options)),
      ({ data }) => data.application_user_sub,
    ),
});

/**
 * A client of one stage. Each call returns the data of the response. A call throws an `ApiError` if the service refuses
 * the request, and a `NoAnswerError` if no response comes. Requests that are safe to repeat are retried until the
 * deadline, for example after a 429, a 503 or a broken connection. `http` has every call of the OpenAPI document with
 * the interface of `openapi-fetch`, including calls for which this client has no method.
 */
export const createClient = (options: ClientOptions) => {
  const caller = createCaller(options);
  return {
    http: caller.http,
    ...nftCalls(caller),
    ...b2bCalls(caller),
    ...viewerCalls(caller),
    ...catalogueCalls(caller),
  };
};

export type MarqueeClient = ReturnType<typeof createClient>;
