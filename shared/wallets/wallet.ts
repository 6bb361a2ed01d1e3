import { createHash } from 'node:crypto';
import { handlerLifetimeMilliseconds } from '../handler-lifetime.ts';
import type { Address } from '../nft/hex.ts';

export const walletsAtMost = 5;

/** Times are epoch milliseconds. */
export interface LinkedWallet {
  readonly address: Address;
  readonly linkedAt: number;
  /** The wallet opens nothing before this time, because its former user may still play with an earlier signature. */
  readonly opensFrom: number;
  /** Identifies the challenge and signature that linked the wallet. A repeated call is recognized by it. */
  readonly proof: string;
}

export interface UserWallets {
  readonly userSub: string;
  readonly registrationId: string;
  readonly version: number;
  readonly wallets: readonly LinkedWallet[];
}

/** The present or recent link of an address, stored under a hash of the address. It names the user by a hash. */
export interface Ownership {
  readonly address: Address;
  readonly holder: string;
  readonly registrationId: string;
  /** When the owner's challenge was issued. An older challenge cannot move the wallet. */
  readonly provenAt: number;
  readonly opensFrom: number;
  /** When the link ended. Absent while the wallet is linked. */
  readonly freedAt?: number | undefined;
  readonly version: number;
}

/** A user's key in the table: a hash, so that its length does not depend on the user's name. */
export const holderOf = (userSub: string): string => createHash('sha256').update(userSub).digest('hex');

/**
 * How long a wallet opens nothing after another user had it: until all signatures for that user have ended. The second
 * term covers a call that read the old link and is still running.
 */
export const waitMilliseconds = (ticketSeconds: number): number =>
  ticketSeconds * 1_000 + handlerLifetimeMilliseconds;

/** From when an address would open events for this registration if it were linked `now`. */
export const opensFrom = (
  ownership: Ownership | undefined,
  {
    registrationId,
    now,
    ticketSeconds,
  }: { readonly registrationId: string; readonly now: number; readonly ticketSeconds: number },
): number => {
  if (ownership === undefined) return now;
  if (ownership.registrationId === registrationId) return ownership.opensFrom;
  return (ownership.freedAt ?? now) + waitMilliseconds(ticketSeconds);
};

export const without = (before: UserWallets, address: Address): UserWallets => ({
  ...before,
  version: before.version + 1,
  wallets: before.wallets.filter((wallet) => wallet.address !== address),
});

/** The record of an ended link, kept only until the next user no longer has to wait. */
export const freed = (
  ownership: Ownership,
  { now, ticketSeconds }: { readonly now: number; readonly ticketSeconds: number },
) => ({
  before: ownership,
  after: { ...ownership, freedAt: now, version: ownership.version + 1 },
  forgottenAt: now + waitMilliseconds(ticketSeconds),
});
