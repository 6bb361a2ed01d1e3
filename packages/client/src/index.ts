export type {
  ApplicationUser,
  ApplicationUserEntry,
  NotificationEndpoint,
  NotificationQuery,
  Replay,
  ReplayRequest,
  SentNotification,
} from './b2b-calls.ts';
export type { Answered, Call, CallOptions } from './calls.ts';
export type {
  CatalogueEvent,
  CatalogueEventRequest,
  CatalogueEventVersion,
  CatalogueQuery,
  EventStatus,
  ExpectedVersion,
} from './catalogue-calls.ts';
export {
  type Confirmable,
  type Contract,
  type ContractMetadataRequest,
  type ContractRequest,
  createClient,
  type Event,
  type EventQuery,
  type ListQuery,
  type MarqueeClient,
  type MetadataBatchRequest,
  type Nft,
  type NftRequest,
  type NftsRequest,
  type RoyaltyUpdate,
  type Stream,
  type StreamSession,
  type UserData,
  type UserDataChange,
  type UserDataVersion,
  type VoidToken,
  type Wallet,
  type WalletChallenge,
  type WalletChallengeRequest,
  type WalletProof,
} from './client.ts';
export {
  ApiError,
  BadRequestError,
  ConfirmationFailedError,
  ConflictError,
  type FieldIssue,
  ForbiddenError,
  MarqueeError,
  NoAnswerError,
  NotFoundError,
  type Refusal,
  TooManyRequestsError,
  UnauthorizedError,
  UnavailableError,
} from './errors.ts';
export type { components, paths } from './generated/schema.ts';
export type { ClientOptions, Http } from './http.ts';
export type { RetryOptions } from './retry.ts';
