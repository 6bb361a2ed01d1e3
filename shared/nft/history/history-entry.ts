import type { Address, Hash } from '../../chain/hex.ts';
import type { PartChange } from '../collections/part-change.ts';

/** Who had a token, or got it. */
export type Party =
  /** A user of the application, by the stand-in. */
  | { readonly kind: 'user'; readonly standIn: Address }
  /** Somebody whom the reader of the history is not told. */
  | { readonly kind: 'somebody' }
  /** The address to which the token is minted. */
  | { readonly kind: 'address'; readonly address: Address };

export const whats = [
  'reserved',
  'given',
  'claimed',
  'minted',
  'updated',
  'revoked',
  'voided',
  'unvoided',
] as const;
export type What = (typeof whats)[number];

/** Something that happened to a token. */
export interface HistoryEntry {
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly what: What;
  readonly from?: Party | undefined;
  readonly to?: Party | undefined;
  /** The operation or the operator's command. Absent of what has a transaction. Only the operator sees it. */
  readonly by?: string | undefined;
  /** Set if a transaction on the chain does it. */
  readonly transaction?: { readonly status: PartChange['status']; readonly hash: Hash } | undefined;
}

export interface History {
  /**
   * From when on everything is known, in milliseconds since the epoch. `undefined` if the token may have been given away
   * or void at any time without a trace.
   */
  readonly knownFrom: number | undefined;
  /** Oldest first. */
  readonly entries: readonly HistoryEntry[];
}
