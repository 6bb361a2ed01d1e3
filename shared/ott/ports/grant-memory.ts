import type { EntitlementQuestion } from './entitlement.ts';

export type RememberedQuestion = EntitlementQuestion & { readonly eventId: string };

/** The last decision for a user, a client and an event, kept for minutes. Both methods reject if the store fails. */
export interface GrantMemory {
  /** Stores the decision, unless the decision stored so far has a later `askedAt`. */
  record(
    question: RememberedQuestion,
    decision: {
      readonly isGrant: boolean;
      /** Whether the viewer is denied access regardless of purchases and tickets. @default false */
      readonly isDenial?: boolean;
      /** When the entitlement service or the chain was asked, in epoch milliseconds. */
      readonly askedAt: number;
      /** Epoch milliseconds. The decision is not read after this time. */
      readonly forgottenAt: number;
    },
  ): Promise<void>;
  /** The `askedAt` of the stored decision, in epoch milliseconds. `undefined` if that decision was not a grant. */
  grantedAt(question: RememberedQuestion): Promise<number | undefined>;
}
