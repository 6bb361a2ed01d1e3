import type { Logger } from '../../platform/logger.ts';
import type { Clock } from '../../platform/time/clock.ts';
import type { GrantMemory, RememberedDecision, RememberedQuestion } from '../ports/grant-memory.ts';

export interface RememberedDecisionsDependencies {
  readonly grants: GrantMemory;
  /** For how long after it was asked for a decision counts. */
  readonly boundMilliseconds: number;
  readonly clock: Clock;
  readonly logger: Pick<Logger, 'warn'>;
}

/** A decision that can be used during an outage. Times are epoch milliseconds. */
export interface RememberedGrant {
  readonly askedAt: number;
  readonly endsAt: number;
  readonly seller?: string | undefined;
}

/**
 * Remembers decisions for outages of whoever makes them. Reading a decision does not store it again, so a grant is never
 * prolonged. Neither method rejects: if the store fails, the decision is not remembered, or the viewer has no grant.
 */
export const rememberedDecisions = ({
  grants,
  boundMilliseconds,
  clock,
  logger,
}: RememberedDecisionsDependencies) => ({
  remember: async (
    question: RememberedQuestion,
    decision: Omit<RememberedDecision, 'forgottenAt'>,
  ): Promise<void> => {
    try {
      await grants.record(question, { ...decision, forgottenAt: decision.askedAt + boundMilliseconds });
    } catch (error) {
      logger.warn('A decision about a viewer was not stored', { code: 'GRANT_NOT_REMEMBERED', error });
    }
  },

  grant: async (question: RememberedQuestion): Promise<RememberedGrant | undefined> => {
    try {
      const granted = await grants.granted(question);
      if (granted === undefined) return undefined;
      const endsAt = granted.askedAt + boundMilliseconds;
      return endsAt > clock() ? { ...granted, endsAt } : undefined;
    } catch (error) {
      logger.warn('A stored decision about a viewer was not read', { code: 'GRANT_NOT_READ', error });
      return undefined;
    }
  },
});
