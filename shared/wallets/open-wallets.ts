import type { Address } from '../chain/hex.ts';
import type { Users } from '../users/ports/users.ts';
import type { Wallets } from './ports/wallets.ts';
import { holderOf, isOpenAt } from './wallet.ts';

export interface OpenWalletsDependencies {
  readonly wallets: Pick<Wallets, 'find'>;
  readonly users: Pick<Users, 'registrationsOf'>;
}

/**
 * The wallets whose tickets give the user of this registration access to OTT events at the time `now`. A wallet that
 * was linked to another user until recently gives no access yet, and a contract's wallet only for `contractLinkDays`.
 */
export const openWallets = async (
  { wallets }: Pick<OpenWalletsDependencies, 'wallets'>,
  {
    userSub,
    registrationId,
    now,
  }: { readonly userSub: string; readonly registrationId: string; readonly now: number },
): Promise<readonly Address[]> => {
  const stored = await wallets.find(holderOf(userSub));
  if (stored === undefined || stored.registrationId !== registrationId) return [];
  return stored.wallets.filter((wallet) => isOpenAt(wallet, now)).map(({ address }) => address);
};
