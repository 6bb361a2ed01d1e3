import type { GrantMemory, RememberedQuestion } from './grant-memory.ts';

/** The last answer of a ticket check. It works like `GrantMemory`, but has its own records. */
export interface TicketMemory {
  record: GrantMemory['record'];
  /**
   * When the chain was asked for the last answer, in epoch milliseconds. `undefined` if the ticket was not held, or if
   * the entitlement service has since denied the viewer.
   */
  grantedAt(question: RememberedQuestion): Promise<number | undefined>;
}
