export type {
  ApplicationUser,
  ApplicationUserEntry,
  NewReplay,
  NotificationEndpoint,
  NotificationQuery,
  Replay,
  SentNotification,
} from './b2b-calls.ts';
export type { Answered, Call, CallOptions } from './calls.ts';
export {
  type Confirmable,
  type Contract,
  createClient,
  type Event,
  type EventQuery,
  type ListQuery,
  type MarqueeClient,
  type NewContract,
  type NewContractMetadata,
  type NewMetadataBatch,
  type NewNft,
  type NewNfts,
  type NewWalletChallenge,
  type Nft,
  type RoyaltyUpdate,
  type Stream,
  type UserData,
  type UserDataChange,
  type UserDataVersion,
  type VoidToken,
  type Wallet,
  type WalletChallenge,
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
