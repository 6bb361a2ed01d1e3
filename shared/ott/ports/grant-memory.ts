import type { EntitlementQuestion } from './entitlement.ts';

/** A question to the entitlement service about an event. */
export type RememberedQuestion = EntitlementQuestion & { readonly eventId: string };

/** The last decision for a user, a client and an event, kept for minutes. Both methods may reject as the store does. */
export interface GrantMemory {
  /** Stores the decision, unless a later one is stored. */
  record(
    question: RememberedQuestion,
    decision: {
      readonly isGrant: boolean;
      /** Whether the viewer is refused whatever they buy or hold. @default false */
      readonly isDenial?: boolean;
      /** Epoch milliseconds of the question. */
      readonly askedAt: number;
      /** Epoch milliseconds after which nobody reads it. */
      readonly forgottenAt: number;
    },
  ): Promise<void>;
  /** When the question of the last answer was asked, in epoch milliseconds, if that answer was a grant. */
  grantedAt(question: RememberedQuestion): Promise<number | undefined>;
}
