import { ServiceError } from '../errors.ts';

/** The signature does not prove that the wallet belongs to the user, or the challenge is no longer open. */
export class SignatureInvalidError extends ServiceError {
  readonly code = 'SIGNATURE_INVALID';

  constructor({ reason }: { readonly reason: string }) {
    super({ message: `The signature proves nothing: ${reason}` });
  }
}

export class WalletLimitReachedError extends ServiceError {
  readonly code = 'WALLET_LIMIT_REACHED';

  constructor({ limit }: { readonly limit: number }) {
    super({ message: `The user has ${limit} wallets already` });
  }
}

export class TooManyChallengesError extends ServiceError {
  readonly code = 'TOO_MANY_CHALLENGES';

  constructor({ retryAfterSeconds }: { readonly retryAfterSeconds: number }) {
    super({
      message: 'The user asked for as many challenges as one may in an hour',
      headers: { 'retry-after': String(retryAfterSeconds) },
    });
  }
}

/** Other requests changed the same wallets during every try of this request. */
export class WalletsChangedMeanwhileError extends ServiceError {
  readonly code = 'CONFLICT';

  constructor() {
    super({ message: 'The wallets changed meanwhile, as often as a request may try' });
  }
}
