import type { EntitlementQuestion } from './entitlement.ts';

export type RememberedQuestion = EntitlementQuestion & { readonly eventId: string };

/** The last decision for a user, a client and an event, kept for minutes. Both methods reject if the store fails. */
export interface GrantMemory {
  /** Stores the decision, unless the stored decision belongs to a question that was asked later. */
  record(
    question: RememberedQuestion,
    decision: {
      readonly isGrant: boolean;
      /** Whether the viewer is denied access regardless of purchases and tickets. @default false */
      readonly isDenial?: boolean;
      /** When the question was asked, in epoch milliseconds. */
      readonly askedAt: number;
      /** Epoch milliseconds. The decision is not read after this time. */
      readonly forgottenAt: number;
    },
  ): Promise<void>;
  /**
   * When the question of the last decision was asked, in epoch milliseconds. `undefined` if the decision was not a
   * grant.
   */
  grantedAt(question: RememberedQuestion): Promise<number | undefined>;
}
