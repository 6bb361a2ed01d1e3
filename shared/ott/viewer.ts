import type { EntitlementAnswer } from './ports/entitlement.ts';

/** Who asks, as far as the decisions go (section 2.7 of the interface document). */
export type Viewer =
  | { readonly kind: 'anonymous' }
  /** Logged in, but the entitlement service could not say as what: served like `anonymous`, never sold out. */
  | { readonly kind: 'unverified' }
  | {
      readonly kind: 'logged-in';
      readonly entitlement: 'granted';
      /** Epoch milliseconds from which the grant no longer holds. @default it has no end of its own */
      readonly endsAt?: number | undefined;
    }
  | { readonly kind: 'logged-in'; readonly entitlement: 'no_purchase' | 'denied' }
  | { readonly kind: 'vip' };

/** `undefined` stands for a request without a token, for which the entitlement service is not asked. */
export const viewerOf = (answer: EntitlementAnswer | undefined): Viewer => {
  if (answer === undefined) return { kind: 'anonymous' };
  if (answer.outcome === 'unavailable') return { kind: 'unverified' };
  // Whom the service refuses is refused as a VIP, too; a VIP who bought nothing needs nothing.
  const isRefused = answer.outcome === 'denied' && answer.reason === 'denied';
  if (answer.vip && !isRefused) return { kind: 'vip' };
  if (answer.outcome === 'success') {
    return { kind: 'logged-in', entitlement: 'granted', endsAt: answer.endsAt };
  }
  return { kind: 'logged-in', entitlement: answer.reason };
};
