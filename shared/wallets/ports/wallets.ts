import type { Address } from '../../nft/hex.ts';
import type { Ownership, UserWallets } from '../wallet.ts';

/** All parts are written together or not at all. */
export interface WalletChange {
  /** This registration must still exist. */
  readonly registration?: { readonly userSub: string; readonly registrationId: string } | undefined;
  /** Each item before and after the write. Without `after` it is deleted. */
  readonly users: readonly {
    readonly before?: UserWallets | undefined;
    readonly after?: UserWallets | undefined;
  }[];
  readonly ownerships: readonly {
    readonly before?: Ownership | undefined;
    readonly after: Ownership;
    /** Epoch milliseconds at which the item may be deleted. @default never */
    readonly forgottenAt?: number | undefined;
  }[];
  /** The challenge that this change uses up. The write fails if the challenge has already ended. */
  readonly challenge?: { readonly id: string; readonly now: number } | undefined;
}

/** The owners of wallets. Reads are strongly consistent. */
export interface Wallets {
  /** The wallets of the user's last registration that linked one, by `holderOf`. That registration may have ended. */
  find(holder: string): Promise<UserWallets | undefined>;
  ownershipOf(address: Address): Promise<Ownership | undefined>;
  /** `conflict`: something has changed since it was read, and nothing was written. */
  write(change: WalletChange): Promise<'written' | 'conflict'>;
}
