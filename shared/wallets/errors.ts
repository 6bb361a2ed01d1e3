import { ServiceError } from '../platform/errors.ts';

/** The signature does not prove that the wallet belongs to the user, or the challenge can no longer be used. */
export class SignatureInvalidError extends ServiceError {
  readonly code = 'SIGNATURE_INVALID';

  constructor({ reason }: { readonly reason: string }) {
    super({ message: `The signature does not prove control of the wallet: ${reason}` });
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
