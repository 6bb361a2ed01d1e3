import type { Page } from '../../page.ts';
import type { Contract } from '../collection/contract.ts';
import type { Address } from '../hex.ts';

/** Reads are strongly consistent unless they say otherwise. */
export interface Contracts {
  find(key: { readonly application: string; readonly address: Address }): Promise<Contract | undefined>;
  /** Newest first. */
  list(page: {
    readonly application: string;
    readonly limit: number;
    readonly after?: string;
  }): Promise<Page<Contract>>;
  /**
   * Of any application, for public metadata. A contract made just now may be missing; one that is found is up to date.
   */
  findPublic(address: Address): Promise<Contract | undefined>;
}
