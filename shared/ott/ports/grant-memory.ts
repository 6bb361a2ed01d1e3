import type { EntitlementQuestion } from './entitlement.ts';

/** What was asked of the entitlement service, about an event that it was asked about. */
export type RememberedQuestion = EntitlementQuestion & { readonly eventId: string };

/** The last decision for a user, a client and an event, kept for minutes. Both may reject as the store does. */
export interface GrantMemory {
  /** Writes the decision, unless one is known that was asked for later. */
  record(
    question: RememberedQuestion,
    decision: {
      readonly isGrant: boolean;
      /** Epoch milliseconds of the question. */
      readonly askedAt: number;
      /** Epoch milliseconds from which nobody asks for it any more. */
      readonly forgottenAt: number;
    },
  ): Promise<void>;
  /** When the question was asked whose answer was the last one, in epoch milliseconds, if that was a grant. */
  grantedAt(question: RememberedQuestion): Promise<number | undefined>;
}
