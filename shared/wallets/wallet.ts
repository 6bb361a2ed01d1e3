import { createHash } from 'node:crypto';
import { handlerLifetimeMilliseconds } from '../handler-lifetime.ts';
import type { Address } from '../nft/hex.ts';

/** How many wallets one user may have linked. */
export const walletsAtMost = 5;

/** A wallet that its user has proven to control. Times are epoch milliseconds. */
export interface LinkedWallet {
  readonly address: Address;
  readonly linkedAt: number;
  /** Before it the wallet opens nothing, since what was signed for its former user may still be played. */
  readonly opensFrom: number;
  /** Which challenge was answered by which signature: by it a repeated call is known. */
  readonly proof: string;
}

/** The wallets of one registration of a user, and which state of them it is. */
export interface UserWallets {
  readonly userSub: string;
  readonly registrationId: string;
  readonly version: number;
  readonly wallets: readonly LinkedWallet[];
}

/** To whom an address is linked, or was until lately. It is known by a hash of the address and of the user only. */
export interface Ownership {
  readonly address: Address;
  readonly holder: string;
  readonly registrationId: string;
  /** When the challenge was issued that the owner answered. An older one does not move the wallet. */
  readonly provenAt: number;
  readonly opensFrom: number;
  /** Since when it is linked to nobody. */
  readonly freedAt?: number | undefined;
  readonly version: number;
}

/** What stands for a user in the keys of the table: of one length, whatever the user is called. */
export const holderOf = (userSub: string): string => createHash('sha256').update(userSub).digest('hex');

/**
 * How long a wallet opens nothing after another user had it: until what was signed for that user has ended. A call that
 * read the old link may still be on its way.
 */
export const waitMilliseconds = (ticketSeconds: number): number =>
  ticketSeconds * 1_000 + handlerLifetimeMilliseconds;

/** From when on an address opens events for this registration, were it linked `now`. */
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

/** What is left of a link that has ended: enough to have the next user wait. */
export const freed = (
  ownership: Ownership,
  { now, ticketSeconds }: { readonly now: number; readonly ticketSeconds: number },
) => ({
  before: ownership,
  after: { ...ownership, freedAt: now, version: ownership.version + 1 },
  forgottenAt: now + waitMilliseconds(ticketSeconds),
});
