import type { EntitlementQuestion } from './entitlement.ts';

export type RememberedQuestion = EntitlementQuestion & { readonly eventId: string };

export interface RememberedDecision {
  readonly isGrant: boolean;
  /** Whether the viewer is denied access regardless of purchases and tickets. @default false */
  readonly isDenial?: boolean;
  /** The application that sold the access. @default unknown */
  readonly seller?: string | undefined;
  /** When the entitlement service or the chain was asked, in epoch milliseconds. */
  readonly askedAt: number;
  /** Epoch milliseconds. The decision is not read after this time. */
  readonly forgottenAt: number;
}

/**
 * The last decision for a user, a client and an event, kept for minutes. The answers of the entitlement service and those
 * of the ticket check are two memories, with records of their own. Both methods reject if the store fails.
 */
export interface GrantMemory {
  /** Stores the decision, unless the decision stored so far has a later `askedAt`. */
  record(question: RememberedQuestion, decision: RememberedDecision): Promise<void>;
  /**
   * The stored decision. `undefined` if that decision was not a grant. A held ticket is none either if the last answer of
   * the entitlement service denied the viewer, even if the ticket was checked later: the call that checked it may have
   * asked the service earlier.
   */
  granted(question: RememberedQuestion): Promise<Pick<RememberedDecision, 'askedAt' | 'seller'> | undefined>;
}

/** The memory of the ticket check, which can also read the one of the entitlement service. */
export interface TicketMemory extends GrantMemory {
  /**
   * When the entitlement service last answered. `undefined` if that answer denied the viewer whatever tickets the viewer
   * has.
   */
  undenied(question: RememberedQuestion): Promise<Pick<RememberedDecision, 'askedAt'> | undefined>;
}
