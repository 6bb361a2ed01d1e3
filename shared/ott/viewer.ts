import type { EntitlementAnswer } from './ports/entitlement.ts';

export type Viewer =
  | { readonly kind: 'anonymous' }
  /** Logged in, but the entitlement service was unavailable. Treated like `anonymous`, but never told to buy. */
  | { readonly kind: 'unverified' }
  | {
      readonly kind: 'logged-in';
      readonly entitlement: 'granted';
      /** When the grant ends, in epoch milliseconds. @default none: only the signature's own lifetime counts */
      readonly endsAt?: number | undefined;
    }
  | { readonly kind: 'logged-in'; readonly entitlement: 'no_purchase' | 'denied' }
  | { readonly kind: 'vip' };

/** `undefined` stands for a request without a token. The entitlement service is not asked then. */
export const viewerOf = (answer: EntitlementAnswer | undefined): Viewer => {
  if (answer === undefined) return { kind: 'anonymous' };
  if (answer.outcome === 'unavailable') return { kind: 'unverified' };
  // A denial applies to a VIP too. A missing purchase does not, because a VIP needs none.
  const isRefused = answer.outcome === 'denied' && answer.reason === 'denied';
  if (answer.vip && !isRefused) return { kind: 'vip' };
  if (answer.outcome === 'success') {
    return { kind: 'logged-in', entitlement: 'granted', endsAt: answer.endsAt };
  }
  return { kind: 'logged-in', entitlement: answer.reason };
};
