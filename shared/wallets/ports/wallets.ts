import type { Address } from '../../chain/hex.ts';
import type { Ownership, UserWallets } from '../wallet.ts';

/** The parts of a change are written together or not at all. */
export interface WalletChange {
  /** The id of the registration that must not have ended when the change is written. */
  readonly registrationId?: string | undefined;
  /** Each user's item before and after the write. Without `after`, the item is deleted. */
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
  /** The challenge that this change uses up. The write fails if the challenge was used or has expired. */
  readonly challenge?: { readonly id: string; readonly now: number } | undefined;
}

/** Which wallets are linked to which users. Reads are strongly consistent. */
export interface Wallets {
  /**
   * The wallets of the user whose `holderOf` is `holder`. They belong to the registration in which the user last linked
   * a wallet. That registration may have ended.
   */
  find(holder: string): Promise<UserWallets | undefined>;
  ownershipOf(address: Address): Promise<Ownership | undefined>;
  /** Whether the user of this registration was deleted in the last 30 days. A challenge does not live that long. */
  hasEnded(registrationId: string): Promise<boolean>;
  /** `conflict`: something has changed since it was read, and nothing was written. */
  write(change: WalletChange): Promise<'written' | 'conflict'>;
}
