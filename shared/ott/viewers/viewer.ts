import type { EntitlementAnswer } from '../ports/entitlement.ts';

export type Viewer =
  | { readonly kind: 'anonymous' }
  /**
   * Logged in, but the entitlement service was unavailable. Sees the same events as `anonymous`. A request for a paid
   * stream gets a 503, not the advice to buy.
   */
  | { readonly kind: 'unverified' }
  | {
      readonly kind: 'logged-in';
      readonly entitlement: 'granted';
      /** When the grant expires, in epoch milliseconds. @default none: only the signature's own lifetime counts */
      readonly endsAt?: number | undefined;
      /** The id of the application that sold the access, whose limit of streams applies. @default unknown */
      readonly seller?: string | undefined;
    }
  | { readonly kind: 'logged-in'; readonly entitlement: 'no_purchase' | 'denied' }
  | { readonly kind: 'vip' };

/** `answer` is `undefined` for a request without a token, for which the entitlement service is not asked. */
export const viewerOf = (answer: EntitlementAnswer | undefined): Viewer => {
  if (answer === undefined) return { kind: 'anonymous' };
  if (answer.outcome === 'unavailable') return { kind: 'unverified' };
  // A denial applies to a VIP too. A missing purchase has no effect, because a VIP needs no purchase.
  const isRefused = answer.outcome === 'denied' && answer.reason === 'denied';
  if (answer.vip && !isRefused) return { kind: 'vip' };
  if (answer.outcome === 'success') {
    const { endsAt, seller } = answer;
    return { kind: 'logged-in', entitlement: 'granted', endsAt, seller };
  }
  return { kind: 'logged-in', entitlement: answer.reason };
};
