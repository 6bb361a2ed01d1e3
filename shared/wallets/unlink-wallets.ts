import type { Clock } from '../clock.ts';
import type { Address } from '../nft/hex.ts';
import { WalletsChangedMeanwhileError } from './errors.ts';
import type { Wallets } from './ports/wallets.ts';
import { freed, holderOf, type Ownership, without } from './wallet.ts';

/** Writers of the same wallets each come first in turn; this many in a row means something else is wrong. */
const triesAtMost = 10;

export interface UnlinkWalletsDependencies {
  readonly wallets: Wallets;
  readonly ticketSeconds: number;
  readonly clock: Clock;
}

/**
 * Ends the link of one wallet of a registration, or of all of them, and forgets whose they were. What is not linked stays
 * so.
 *
 * @throws WalletsChangedMeanwhileError when other writers kept coming first.
 */
export const unlinkWallets = async (
  { wallets, ticketSeconds, clock }: UnlinkWalletsDependencies,
  {
    userSub,
    registrationId,
    address,
  }: {
    readonly userSub: string;
    readonly registrationId: string;
    /** @default all, and the record of the registration with them */
    readonly address?: Address;
  },
): Promise<void> => {
  for (let tried = 0; tried < triesAtMost; tried += 1) {
    const before = await wallets.find(holderOf(userSub));
    if (before?.registrationId !== registrationId) return;
    const ending = before.wallets.filter((wallet) => address === undefined || wallet.address === address);
    if (address !== undefined && ending.length === 0) return;
    const found = await Promise.all(ending.map((wallet) => wallets.ownershipOf(wallet.address)));
    const owned = found.filter((one): one is Ownership => one?.registrationId === registrationId);
    const now = clock();
    const outcome = await wallets.write({
      users: [address === undefined ? { before } : { before, after: without(before, address) }],
      ownerships: owned.map((ownership) => freed(ownership, { now, ticketSeconds })),
    });
    if (outcome === 'written') return;
  }
  throw new WalletsChangedMeanwhileError();
};
