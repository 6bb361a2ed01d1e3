import { ServiceError } from '../platform/errors.ts';

/** The signature does not prove that the wallet belongs to the user, or the challenge can no longer be used. */
export class SignatureInvalidError extends ServiceError {
  readonly code = 'SIGNATURE_INVALID';

  constructor({ reason }: { readonly reason: string }) {
    super({ message: `The signature does not prove control of the wallet: ${reason}` });
  }
}

/** The address is not one of the user's wallets, or the link to a contract's wallet has expired. */
export class WalletNotLinkedError extends ServiceError {
  readonly code = 'WALLET_NOT_LINKED';

  constructor() {
    super({ message: 'The address is not one of the user’s linked wallets' });
  }
}

/** The wallet was linked too recently. Whoever has stolen an account for a moment cannot take its tokens at once. */
export class WalletTooNewError extends ServiceError {
  readonly code = 'WALLET_TOO_NEW';

  constructor({ availableAt, now }: { readonly availableAt: number; readonly now: number }) {
    super({
      message: 'The wallet was linked too recently',
      headers: { 'retry-after': String(Math.ceil((availableAt - now) / 1_000)) },
      details: { available_at: new Date(availableAt).toISOString() },
    });
  }
}

export class WalletLimitReachedError extends ServiceError {
  readonly code = 'WALLET_LIMIT_REACHED';

  constructor({ limit }: { readonly limit: number }) {
    super({ message: `The user already has ${limit} wallets` });
  }
}

export class TooManyChallengesError extends ServiceError {
  readonly code = 'TOO_MANY_CHALLENGES';

  constructor({ retryAfterSeconds }: { readonly retryAfterSeconds: number }) {
    super({
      message: 'The user already requested the maximum number of challenges in this hour',
      headers: { 'retry-after': String(retryAfterSeconds) },
    });
  }
}

/** Other requests changed the same wallets during every try of this request. */
export class WalletsChangedMeanwhileError extends ServiceError {
  readonly code = 'CONFLICT';

  constructor() {
    super({ message: 'Other requests changed the wallets at every try' });
  }
}
