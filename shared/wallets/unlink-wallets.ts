import type { Address } from '../chain/hex.ts';
import type { Clock } from '../platform/time/clock.ts';
import type { Users } from '../users/ports/users.ts';
import { WalletsChangedMeanwhileError } from './errors.ts';
import type { Wallets } from './ports/wallets.ts';
import { freed, holderOf, type Ownership, without } from './wallet.ts';

/**
 * The maximum number of times that a write is tried. It is tried again only if another request changed the same items
 * first. If that happens this often, something else must be wrong.
 */
const triesAtMost = 10;

export interface UnlinkWalletsDependencies {
  readonly wallets: Wallets;
  readonly ticketSeconds: number;
  readonly clock: Clock;
}

/**
 * Unlinks one wallet of a registration, or all of its wallets, and removes them from the user's stored wallets. Does
 * nothing for a wallet that is not linked.
 * @throws WalletsChangedMeanwhileError when another writer changed the wallets during every try.
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
    /** @default all wallets of the registration; the user's list of wallets is then deleted */
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

/**
 * Unlinks all stored wallets of a user, unless they belong to the registration that the user has now. A removal that
 * died may have left those of any former registration, and a former registration never comes back.
 * @throws WalletsChangedMeanwhileError
 */
export const unlinkFormerWallets = async (
  { users, ...unlinking }: UnlinkWalletsDependencies & { readonly users: Pick<Users, 'registrationsOf'> },
  userSub: string,
): Promise<void> => {
  const stored = await unlinking.wallets.find(holderOf(userSub));
  if (stored === undefined) return;
  const { registrationId } = stored;
  if ((await users.registrationsOf([userSub])).get(userSub) === registrationId) return;
  await unlinkWallets(unlinking, { userSub, registrationId });
};
