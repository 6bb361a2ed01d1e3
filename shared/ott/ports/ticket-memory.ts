import type { GrantMemory, RememberedQuestion } from './grant-memory.ts';

/** The last answer of a ticket check. It works like `GrantMemory`, with records of its own. */
export interface TicketMemory {
  record: GrantMemory['record'];
  /**
   * When the question of the last answer was asked, in epoch milliseconds. `undefined` if the ticket was not held, or
   * if the entitlement service has denied the viewer since.
   */
  grantedAt(question: RememberedQuestion): Promise<number | undefined>;
}
