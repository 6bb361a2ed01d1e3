import type { Address } from '../../chain/hex.ts';

/** A message that a user must sign with a wallet. Times are epoch milliseconds. */
export interface Challenge {
  readonly id: string;
  readonly userSub: string;
  readonly registrationId: string;
  readonly address: Address;
  readonly origin: string;
  readonly message: string;
  readonly issuedAt: number;
  readonly endsAt: number;
  /** How many wrong signatures were tried. */
  readonly attempts: number;
}

export interface Challenges {
  /** Counts one more challenge of a user in this hour. Returns false if there were already `atMost`. */
  count(counting: {
    readonly holder: string;
    /** Hours since the epoch. */
    readonly hour: number;
    readonly atMost: number;
  }): Promise<boolean>;
  /** How many challenges of a user were counted in this hour. */
  made(counting: { readonly holder: string; readonly hour: number }): Promise<number>;
  create(challenge: Challenge): Promise<void>;
  find(id: string): Promise<Challenge | undefined>;
  /**
   * Counts one attempt at a challenge. Returns false if the challenge has expired or was used, or has no attempt left.
   */
  takeAttempt(taking: {
    readonly id: string;
    readonly now: number;
    readonly attemptsAtMost: number;
  }): Promise<boolean>;
}
