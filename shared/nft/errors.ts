import { ServiceError, ServiceUnavailableError } from '../errors.ts';

export class ContractNotFoundError extends ServiceError {
  readonly code = 'CONTRACT_NOT_FOUND';

  constructor({ address }: { readonly address: string }) {
    super({ message: `No contract ${address} of this application` });
  }
}

export class NftNotFoundError extends ServiceError {
  readonly code = 'NFT_NOT_FOUND';

  constructor({ address, tokenId }: { readonly address: string; readonly tokenId: string }) {
    super({ message: `No token ${tokenId} of contract ${address}` });
  }
}

/** The token's mint failed, so there is nothing to change. */
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
    super({ message: `Token ${tokenId} of contract ${address} failed: ${reason ?? 'unknown reason'}` });
  }
}

/** The contract was created without `revocable`, so that nobody can ever take its tokens back. */
export class NotRevocableError extends ServiceError {
  readonly code = 'NOT_REVOCABLE';

  constructor({ address }: { readonly address: string }) {
    super({ message: `Tokens of contract ${address} cannot be revoked` });
  }
}

/** All tokens that the contract may ever have are minted, or about to be. */
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
      message: `${count} more tokens of contract ${contract}, of whose ${maxSupply} are left ${left}`,
      details: { left },
    });
  }
}

/** The contract's deployment failed, so nothing can be minted into it. */
export class ContractFailedError extends ServiceError {
  readonly code = 'CONTRACT_FAILED';

  constructor({ address, reason }: { readonly address: string; readonly reason: string | undefined }) {
    super({ message: `Contract ${address} failed: ${reason ?? 'unknown reason'}` });
  }
}

/** The application has reached its limit for one day (UTC). */
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
      message: `All ${limit} ${what} of the day are used`,
      headers: { 'retry-after': String(retryAfterSeconds) },
    });
  }
}

/** The request alone exceeds the application's limit for a whole day, so no other day can take it. */
export class LimitTooSmallError extends ServiceError {
  readonly code = 'LIMIT_TOO_SMALL';

  constructor({
    what,
    limit,
    asked,
  }: { readonly what: string; readonly limit: number; readonly asked: number }) {
    super({ message: `${asked} ${what} are more than the ${limit} of a day`, details: { limit } });
  }
}

/** The request that claimed the key has not ended. */
export class IdempotencyKeyInUseError extends ServiceError {
  readonly code = 'IDEMPOTENCY_KEY_IN_USE';

  constructor() {
    super({ message: 'The first request with this key is under way', headers: { 'retry-after': '1' } });
  }
}

/** The key was used with another body. */
export class IdempotencyKeyReusedError extends ServiceError {
  readonly code = 'IDEMPOTENCY_KEY_REUSED';

  constructor() {
    super({ message: 'The key belongs to a request with another body' });
  }
}

/** No endpoint gave a usable answer. This says nothing about the chain's state; the question may be asked again. */
export class ChainUnavailableError extends ServiceError {
  readonly code = 'CHAIN_UNAVAILABLE';

  constructor(what: { readonly message: string; readonly cause?: unknown }) {
    super({ ...what, headers: { 'retry-after': '10' } });
  }
}

/** Nothing was written: each try of the request met conflicting writes or a throttled log. */
export class LogBusyError extends ServiceUnavailableError {}

/** The request stood still for so long that another one gave its places of a limited supply back. Nothing was written. */
export class PlacesLostError extends ServiceUnavailableError {}

/** It is unknown whether it was written: the log did not answer. The same request with its key finds out. */
export class RecordingUnknownError extends ServiceUnavailableError {}
