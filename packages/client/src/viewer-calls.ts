import { answered, answeredAs, type Call, type CallOptions, done, pageOf, type Query } from './calls.ts';
import type { components } from './generated/schema.ts';
import type { Caller } from './http.ts';
import type { TokenHistory } from './nft-calls.ts';
import { itemsOf, pagesOf } from './pages.ts';
import { renewed } from './play-stream.ts';

type Schemas = components['schemas'];
export type Event = Schemas['Event'];
export type Stream = Schemas['Stream'];
export type UserData = Schemas['UserData'];
export type UserDataChange = Schemas['UserDataChange'];
export type ErasurePreview = Schemas['ErasurePreview'];
export type UserExport = Schemas['UserExport'];
export type Wallet = Schemas['Wallet'];
export type WalletChallengeRequest = Schemas['WalletChallengeRequest'];
export type WalletChallenge = Schemas['WalletChallenge'];
export type WalletProof = Schemas['WalletProof'];
export type UserToken = Schemas['UserToken'];
export type ClaimRequest = Schemas['ClaimRequest'];

export type EventQuery = Query<'/api/v3/ott/events/'>;
export type UserTokensQuery = Query<'/user/tokens'>;

/** The page's session, if the application limits how many streams a viewer plays at the same time. */
export interface StreamSession {
  /** A UUID that the page generates and keeps for its tab. */
  readonly session?: string;
  /** The `continuation` of the page's last response. @default the page has none yet */
  readonly continuation?: string | undefined;
  /** The viewer's other session that this one takes over. */
  readonly takeOver?: string;
}
/** A version of the user's data. Pass `etag` to `putUserData` as `ifMatch`. */
export interface UserDataVersion {
  readonly userData: UserData;
  readonly etag: string;
}

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
export const viewerCalls = ({ http, following }: Caller) => ({
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
  /**
   * What an erasure of the user would delete, and what would stay. Only for clients that the operator allows to make calls
   * about the whole account.
   */
  previewErasure: (options: CallOptions = {}): Call<ErasurePreview> =>
    answered(() => http.GET('/user/erasure', following(options))),
  /**
   * All that is stored of the user, with the tokens of all pages. Only for clients that the operator allows to make calls
   * about the whole account.
   */
  exportUser: async (options: CallOptions = {}): Promise<UserExport> => {
    const fetchPage = async (cursor: string | undefined) => {
      const ask = () =>
        http.GET('/user/export', {
          params: { query: { ...(cursor && { cursor }) } },
          ...following(options),
        });
      const { data, response } = await answered(ask).withResponse();
      return { data, headers: response.headers };
    };
    let first: UserExport | undefined;
    const tokens: UserExport['tokens'] = [];
    for await (const { data } of pagesOf(fetchPage)) {
      first ??= data;
      tokens.push(...data.tokens);
    }
    return { ...first, tokens };
  },
  /**
   * Erases the user, who must have logged in during the last ten minutes. Only for clients that the operator allows to make
   * calls about the whole account. Can be repeated.
   */
  eraseUser: (options: CallOptions = {}): Call<void> =>
    done(() => http.DELETE('/user/data', following(options))),
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
  /** What happened to a token while it was the user's, oldest first. No other user is named. */
  getOwnTokenHistory: (contract: string, id: string, options: CallOptions = {}): Call<TokenHistory> =>
    answered(() =>
      http.GET('/user/tokens/{contract_address}/{id}/history', {
        params: { path: { contract_address: contract, id } },
        ...following(options),
      }),
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
