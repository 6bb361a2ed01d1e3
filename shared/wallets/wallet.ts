import { createHash } from 'node:crypto';
import type { Address } from '../chain/hex.ts';
import type { LaterPart } from '../platform/later-data.ts';
import { handlerLifetimeMilliseconds } from '../platform/time/handler-lifetime.ts';
import { tombstoneRetentionMilliseconds } from '../users/user.ts';

export const walletsAtMost = 5;

/** How long the word of a wallet's contract is relied on. */
export const contractLinkDays = 90;
export const contractLinkMilliseconds = contractLinkDays * 24 * 60 * 60 * 1_000;

export const isOpenAt = ({ opensFrom, opensUntil }: LinkedWallet, now: number): boolean =>
  opensFrom <= now && (opensUntil === undefined || now < opensUntil);

/** Times are epoch milliseconds. */
export interface LinkedWallet {
  readonly address: Address;
  readonly linkedAt: number;
  /**
   * Before this time the wallet's tickets give no access to events, because the wallet's former user may still be
   * playing an event with a signature that was granted earlier.
   */
  readonly opensFrom: number;
  /**
   * From this time on the wallet's tickets give no access until the user links the wallet again. Only for wallets whose
   * contract has verified the signature: the contract's owners can change. Absent for other wallets.
   */
  readonly opensUntil?: number | undefined;
  /** A hash of the challenge's id and the signature that linked the wallet. It is used to recognize a repeated call. */
  readonly proof: string;
  readonly later?: LaterPart | undefined;
}

export interface UserWallets {
  readonly userSub: string;
  readonly registrationId: string;
  readonly version: number;
  readonly wallets: readonly LinkedWallet[];
}

/**
 * The current or recently ended link between an address and a user. It is stored under a hash of the address, and
 * identifies the user by a hash.
 */
export interface Ownership {
  readonly address: Address;
  readonly holder: string;
  readonly registrationId: string;
  /**
   * The issue time of the challenge that linked the wallet to its user. An older challenge cannot move the wallet to
   * another user.
   */
  readonly provenAt: number;
  readonly opensFrom: number;
  /** When the link ended. Absent while the wallet is linked. */
  readonly freedAt?: number | undefined;
  readonly version: number;
}

/** A user's key in the table. It is a hash, so that its length does not depend on `userSub`. */
export const holderOf = (userSub: string): string => createHash('sha256').update(userSub).digest('hex');

/**
 * When a wallet's link to a user has ended, its tickets give a new user no access for this long. By then, all
 * signatures that were granted to the former user because of the tickets have expired. The lifetime of a handler is
 * added, because a call that read the old link may still be running.
 */
export const waitMilliseconds = (ticketSeconds: number): number =>
  ticketSeconds * 1_000 + handlerLifetimeMilliseconds;

/**
 * The time from which a wallet's tickets would give access to events, if the wallet were linked to this user at `now`.
 */
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
  return Math.max(now, (ownership.freedAt ?? now) + waitMilliseconds(ticketSeconds));
};

export const without = (before: UserWallets, address: Address): UserWallets => ({
  ...before,
  version: before.version + 1,
  wallets: before.wallets.filter((wallet) => wallet.address !== address),
});

/**
 * The write that ends a link. The item is kept until the address can be linked to another user without a waiting time,
 * and until no state of the table with the former link can be restored.
 */
export const freed = (
  ownership: Ownership,
  { now, ticketSeconds }: { readonly now: number; readonly ticketSeconds: number },
) => ({
  before: ownership,
  after: { ...ownership, freedAt: now, version: ownership.version + 1 },
  forgottenAt: now + Math.max(waitMilliseconds(ticketSeconds), tombstoneRetentionMilliseconds),
});
