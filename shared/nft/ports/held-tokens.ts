import type { Nft } from '../collection/nft.ts';

export interface HeldTokens {
  /**
   * The tokens that have this holder (see `reservationHolder`), newest first. Each token is read consistently, but a
   * token that got this holder a moment ago may be missing.
   */
  heldBy(question: { readonly holder: string }): AsyncIterable<Nft>;
}
