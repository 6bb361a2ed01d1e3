import type { GrantMemory, RememberedQuestion } from './grant-memory.ts';

/** The last answer of a ticket check. It works like `GrantMemory`, but has its own records. */
export interface TicketMemory {
  record: GrantMemory['record'];
  /**
   * When the chain was asked the question whose answer is stored, in epoch milliseconds. `undefined` if the answer was
   * that the viewer holds no ticket, or if the entitlement service has denied the viewer since then.
   */
  grantedAt(question: RememberedQuestion): Promise<number | undefined>;
}
