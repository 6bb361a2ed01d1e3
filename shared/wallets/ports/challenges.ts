import type { Address } from '../../nft/hex.ts';

/** A message that a user was given to sign with a wallet. Times are epoch milliseconds. */
export interface Challenge {
  readonly id: string;
  readonly userSub: string;
  readonly registrationId: string;
  readonly address: Address;
  readonly origin: string;
  readonly message: string;
  readonly issuedAt: number;
  readonly endsAt: number;
  /** Signatures that were tried and did not link. */
  readonly attempts: number;
}

export interface Challenges {
  /** Counts one more of a user in this hour, unless there were `atMost`. */
  count(counting: {
    readonly holder: string;
    /** Hours since the epoch. */
    readonly hour: number;
    readonly atMost: number;
  }): Promise<boolean>;
  create(challenge: Challenge): Promise<void>;
  find(id: string): Promise<Challenge | undefined>;
  /** Takes one attempt, unless all are taken or the challenge has ended. */
  takeAttempt(taking: {
    readonly id: string;
    readonly now: number;
    readonly attemptsAtMost: number;
  }): Promise<boolean>;
}
