import type { GrantMemory, RememberedQuestion } from './grant-memory.ts';

/** The last answer of a ticket check. It works like `GrantMemory`, but has its own records. */
export interface TicketMemory {
  record: GrantMemory['record'];
  /**
   * The time of the ticket check whose answer is stored, in epoch milliseconds. `undefined` if the viewer held no
   * ticket, or if the entitlement service has denied the viewer since then.
   */
  grantedAt(question: RememberedQuestion): Promise<number | undefined>;
}
