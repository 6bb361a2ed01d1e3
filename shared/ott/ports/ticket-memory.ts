import type { GrantMemory, RememberedQuestion } from './grant-memory.ts';

/** The last answer that a ticket gave, kept as `GrantMemory` keeps the entitlement service's, in records of its own. */
export interface TicketMemory {
  record: GrantMemory['record'];
  /**
   * When it was asked whose answer was the last one, in epoch milliseconds, if the ticket was held and the entitlement
   * service has denied nothing since.
   */
  grantedAt(question: RememberedQuestion): Promise<number | undefined>;
}
