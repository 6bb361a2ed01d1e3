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
import type { components } from './generated/schema.ts';
import type { Caller } from './http.ts';
import { itemsOf } from './pages.ts';
import { waitUntilConfirmed } from './wait-until-confirmed.ts';

type Schemas = components['schemas'];
export type Contract = Schemas['Contract'];
export type ContractRequest = Schemas['ContractRequest'];
export type Nft = Schemas['Nft'];
export type NftRequest = Schemas['NftRequest'];
export type NftsRequest = Schemas['NftsRequest'];
export type ContractMetadataRequest = Schemas['ContractMetadataRequest'];
export type MetadataBatchRequest = Schemas['MetadataBatchRequest'];
export type RoyaltyUpdate = Schemas['RoyaltyUpdate'];
export type TokenHistory = Schemas['TokenHistory'];
export type TokenHistoryEntry = Schemas['TokenHistoryEntry'];
export type VoidToken = Schemas['VoidToken'];

export type ListQuery = Query<'/api/v1/nft/contracts/'>;
export type Confirmable = { readonly address: string } | { readonly contract: string; readonly id: string };

/** Calls of the NFT API, for servers with an API key. */
export const nftCalls = ({ http, following }: Caller) => {
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
    /** What happened to a token, oldest first. Users are named by your identifiers for them. */
    getTokenHistory: (address: string, id: string, options: CallOptions = {}): Call<TokenHistory> =>
      answered(() =>
        http.GET('/api/v1/nft/contracts/{contract_address}/tokens/{id}/history', {
          params: { path: { contract_address: address, id } },
          ...following(options),
        }),
      ),
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
      options: CallOptions = {},
    ): Promise<What extends { readonly address: string } ? Contract : Nft> => {
      const read = (each: CallOptions): Call<Contract | Nft> =>
        'address' in what ? getContract(what.address, each) : getToken(what.contract, what.id, each);
      const confirmed = await waitUntilConfirmed(read, options);
      return confirmed as What extends { readonly address: string } ? Contract : Nft;
    },
  };
};
