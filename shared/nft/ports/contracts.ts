import type { Address } from '../../chain/hex.ts';
import type { Page } from '../../platform/page.ts';
import type { Contract } from '../collections/contract.ts';

/** Reads are strongly consistent unless documented otherwise. */
export interface Contracts {
  find(key: { readonly applicationId: string; readonly address: Address }): Promise<Contract | undefined>;
  list(page: {
    readonly applicationId: string;
    readonly limit: number;
    readonly after?: string;
  }): Promise<Page<Contract>>;
  /**
   * Finds a contract of any application. A contract that was created a moment ago may be missing. A contract that is
   * found is up to date.
   */
  findPublic(address: Address): Promise<Contract | undefined>;
}
