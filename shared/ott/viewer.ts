import type { EntitlementAnswer } from './ports/entitlement.ts';

/** The viewer, as far as decisions need it (section 2.7 of the interface document). */
export type Viewer =
  | { readonly kind: 'anonymous' }
  /** Logged in, but the entitlement service did not say as what: served like `anonymous`, but never told to buy. */
  | { readonly kind: 'unverified' }
  | {
      readonly kind: 'logged-in';
      readonly entitlement: 'granted';
      /** Epoch milliseconds from which the grant is no longer valid. @default no end of its own */
      readonly endsAt?: number | undefined;
    }
  | { readonly kind: 'logged-in'; readonly entitlement: 'no_purchase' | 'denied' }
  | { readonly kind: 'vip' };

/** `undefined` stands for a request without a token; the entitlement service is not asked then. */
export const viewerOf = (answer: EntitlementAnswer | undefined): Viewer => {
  if (answer === undefined) return { kind: 'anonymous' };
  if (answer.outcome === 'unavailable') return { kind: 'unverified' };
  // A denial by the service applies to a VIP, too; a VIP without a purchase needs none.
  const isRefused = answer.outcome === 'denied' && answer.reason === 'denied';
  if (answer.vip && !isRefused) return { kind: 'vip' };
  if (answer.outcome === 'success') {
    return { kind: 'logged-in', entitlement: 'granted', endsAt: answer.endsAt };
  }
  return { kind: 'logged-in', entitlement: answer.reason };
};
