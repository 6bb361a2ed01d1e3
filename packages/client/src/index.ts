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
export { createClient, type MarqueeClient } from './client.ts';
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
export type {
  Confirmable,
  Contract,
  ContractMetadataRequest,
  ContractRequest,
  ListQuery,
  MetadataBatchRequest,
  Nft,
  NftRequest,
  NftsRequest,
  RoyaltyUpdate,
  TokenHistory,
  TokenHistoryEntry,
  VoidToken,
} from './nft-calls.ts';
export type { RetryOptions } from './retry.ts';
export type {
  ErasurePreview,
  Event,
  EventQuery,
  Stream,
  StreamSession,
  UserData,
  UserDataChange,
  UserDataVersion,
  UserExport,
  Wallet,
  WalletChallenge,
  WalletChallengeRequest,
  WalletProof,
} from './viewer-calls.ts';
