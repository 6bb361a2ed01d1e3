import { ServiceError, ServiceUnavailableError } from '../platform/errors.ts';

export class ContractNotFoundError extends ServiceError {
  readonly code = 'CONTRACT_NOT_FOUND';

  constructor({ address }: { readonly address: string }) {
    super({ message: `The application has no contract ${address}` });
  }
}

export class NftNotFoundError extends ServiceError {
  readonly code = 'NFT_NOT_FOUND';

  constructor({ address, tokenId }: { readonly address: string; readonly tokenId: string }) {
    super({ message: `Contract ${address} has no token ${tokenId}` });
  }
}

export class NftFailedError extends ServiceError {
  readonly code = 'NFT_FAILED';

  constructor({
    address,
    tokenId,
    reason,
  }: {
    readonly address: string;
    readonly tokenId: string;
    readonly reason: string | undefined;
  }) {
    super({
      message: `The mint of token ${tokenId} of contract ${address} failed: ${reason ?? 'unknown reason'}`,
    });
  }
}

/** The token is minted or on its way to an address, so it cannot be given to a user or claimed any more. */
export class NftNotReservedError extends ServiceError {
  readonly code = 'NFT_NOT_RESERVED';

  constructor({ address, tokenId }: { readonly address: string; readonly tokenId: string }) {
    super({ message: `Token ${tokenId} of contract ${address} is not reserved` });
  }
}

/** Tokens of the contract cannot be transferred, so a reserved one stays its user's. */
export class NotTransferableError extends ServiceError {
  readonly code = 'NOT_TRANSFERABLE';

  constructor({ address }: { readonly address: string }) {
    super({ message: `Tokens of contract ${address} cannot be transferred` });
  }
}

/** Another request changed the reserved token first. Nothing was changed. */
export class TokenChangedMeanwhileError extends ServiceError {
  readonly code = 'CONFLICT';

  constructor({ address, tokenId }: { readonly address: string; readonly tokenId: string }) {
    super({ message: `Token ${tokenId} of contract ${address} has changed since it was read` });
  }
}

/** The user's claim of this token, to another address, came first. */
export class NftAlreadyClaimedError extends ServiceError {
  readonly code = 'NFT_ALREADY_CLAIMED';

  constructor({ address, tokenId }: { readonly address: string; readonly tokenId: string }) {
    super({ message: `Token ${tokenId} of contract ${address} is already claimed` });
  }
}

/** Another request claims a token of the same user and contract at this moment. */
export class ClaimInProgressError extends ServiceError {
  readonly code = 'CLAIM_IN_PROGRESS';

  constructor() {
    super({
      message: 'Another claim of the same user and contract is in progress',
      headers: { 'retry-after': '1' },
    });
  }
}

export class NotRevocableError extends ServiceError {
  readonly code = 'NOT_REVOCABLE';

  constructor({ address }: { readonly address: string }) {
    super({ message: `Tokens of contract ${address} cannot be revoked` });
  }
}

/** The contract's `max_supply` leaves fewer tokens than the request wants to mint. */
export class SupplyExhaustedError extends ServiceError {
  readonly code = 'SUPPLY_EXHAUSTED';

  constructor({
    contract,
    count,
    maxSupply,
    left,
  }: {
    readonly contract: string;
    readonly count: number;
    readonly maxSupply: number;
    readonly left: number;
  }) {
    super({
      message: `Cannot mint ${count} more tokens of contract ${contract}: only ${left} of its ${maxSupply} are left`,
      details: { left },
    });
  }
}

export class ContractFailedError extends ServiceError {
  readonly code = 'CONTRACT_FAILED';

  constructor({ address, reason }: { readonly address: string; readonly reason: string | undefined }) {
    super({ message: `The deployment of contract ${address} failed: ${reason ?? 'unknown reason'}` });
  }
}

export class DailyLimitReachedError extends ServiceError {
  readonly code = 'DAILY_LIMIT_REACHED';

  constructor({
    what,
    limit,
    retryAfterSeconds,
  }: {
    readonly what: string;
    readonly limit: number;
    readonly retryAfterSeconds: number;
  }) {
    super({
      message: `The daily limit of ${limit} ${what} is reached`,
      headers: { 'retry-after': String(retryAfterSeconds) },
    });
  }
}

/** The request alone exceeds the application's daily limit, so it would fail on any day. */
export class LimitTooSmallError extends ServiceError {
  readonly code = 'LIMIT_TOO_SMALL';

  constructor({
    what,
    limit,
    asked,
  }: { readonly what: string; readonly limit: number; readonly asked: number }) {
    super({
      message: `The request counts as ${asked} ${what}, but the daily limit is ${limit}`,
      details: { limit },
    });
  }
}

export class IdempotencyKeyInUseError extends ServiceError {
  readonly code = 'IDEMPOTENCY_KEY_IN_USE';

  constructor() {
    super({
      message: 'The first request with this idempotency key is still in progress',
      headers: { 'retry-after': '1' },
    });
  }
}

export class IdempotencyKeyReusedError extends ServiceError {
  readonly code = 'IDEMPOTENCY_KEY_REUSED';

  constructor() {
    super({ message: 'The idempotency key was already used with a different body' });
  }
}

/**
 * Nothing of this request was recorded, because conflicting writes or throttling kept the transaction log too busy.
 * After that, other requests also get this error for a short time.
 */
export class LogBusyError extends ServiceUnavailableError {}

/**
 * This request had reserved places in a limited supply, but was so slow that another request released them. Nothing was
 * recorded.
 */
export class PlacesLostError extends ServiceUnavailableError {}

/**
 * The collection's counter of token ids is behind, because it was lost. Nothing was recorded; a retry gets other ids.
 */
export class IdsUsedError extends ServiceUnavailableError {}

/**
 * The transaction log did not answer, so it is unknown whether the request was recorded. A retry with the same
 * idempotency key returns what was recorded, if anything was.
 */
export class RecordingUnknownError extends ServiceUnavailableError {}
