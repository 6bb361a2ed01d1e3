import type { Address } from '../../nft/hex.ts';
import type { Ownership, UserWallets } from '../wallet.ts';

/** What happens together or not at all. */
export interface WalletChange {
  /** The registration that must still be there. */
  readonly registration?: { readonly userSub: string; readonly registrationId: string } | undefined;
  /** Each as it was read and as it is to be; without `after` it goes. */
  readonly users: readonly {
    readonly before?: UserWallets | undefined;
    readonly after?: UserWallets | undefined;
  }[];
  readonly ownerships: readonly {
    readonly before?: Ownership | undefined;
    readonly after: Ownership;
    /** Epoch milliseconds from which nobody needs to know. @default it is kept */
    readonly forgottenAt?: number | undefined;
  }[];
  /** The challenge that ends with this, unless it has ended by then. */
  readonly challenge?: { readonly id: string; readonly now: number } | undefined;
}

/** Who has which wallets, with consistent reads. */
export interface Wallets {
  /** By `holderOf`: the wallets of the last registration that linked one, which may have ended since. */
  find(holder: string): Promise<UserWallets | undefined>;
  ownershipOf(address: Address): Promise<Ownership | undefined>;
  /** `conflict`: something is no longer as it was read, and nothing was written. */
  write(change: WalletChange): Promise<'written' | 'conflict'>;
}
