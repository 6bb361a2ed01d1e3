import type { Clock } from '../platform/clock.ts';
import type { Logger } from '../platform/logger.ts';
import { isEventId } from './event-record.ts';
import type { EntitlementAnswer, EntitlementQuestion, EntitlementService } from './ports/entitlement.ts';
import type { GrantMemory, RememberedQuestion } from './ports/grant-memory.ts';

/**
 * Bridges outages of the entitlement service. During an outage, the service's last answer for the same user, client and
 * event counts, if this answer was a grant and the viewer is not a VIP. A grant counts for at most `boundMilliseconds`
 * after the service was asked. Using a grant does not store it again, so a grant is never prolonged. If the remembered
 * answer cannot be read, the viewer has no grant.
 */
export const withLastKnownGood = ({
  entitlement,
  grants,
  boundMilliseconds,
  clock,
  logger,
}: {
  readonly entitlement: EntitlementService;
  readonly grants: GrantMemory;
  readonly boundMilliseconds: number;
  readonly clock: Clock;
  readonly logger: Pick<Logger, 'warn'>;
}): EntitlementService => {
  const remember = async (question: RememberedQuestion, answer: EntitlementAnswer, askedAt: number) => {
    const isGrant = answer.outcome === 'success' && !answer.vip;
    const isDenial = answer.outcome === 'denied' && answer.reason === 'denied';
    try {
      // Denials are recorded too, with the time of the call to the service. So a grant from an earlier call cannot
      // replace a denial from a later call, even if the grant is written last.
      await grants.record(question, {
        isGrant,
        ...(isDenial && { isDenial }),
        ...(answer.outcome === 'success' && { seller: answer.seller }),
        askedAt,
        forgottenAt: askedAt + boundMilliseconds,
      });
    } catch (error) {
      logger.warn('An entitlement decision was not stored', { code: 'GRANT_NOT_REMEMBERED', error });
    }
  };

  const fallBack = async (question: RememberedQuestion): Promise<EntitlementAnswer> => {
    try {
      const granted = await grants.granted(question);
      const endsAt = granted === undefined ? undefined : granted.askedAt + boundMilliseconds;
      if (endsAt === undefined || endsAt <= clock()) return { outcome: 'unavailable' };
      return { outcome: 'success', vip: false, endsAt, seller: granted?.seller };
    } catch (error) {
      logger.warn('A stored entitlement decision was not read', { code: 'GRANT_NOT_READ', error });
      return { outcome: 'unavailable' };
    }
  };

  return {
    check: async (question) => {
      const askedAt = clock();
      const answer = await entitlement.check(question);
      if (!isRemembered(question)) return answer;
      if (answer.outcome === 'unavailable') return fallBack(question);
      await remember(question, answer, askedAt);
      return answer;
    },
  };
};

/**
 * Answers are remembered for missing events too. If answers were stored only for existing events, the time that storing
 * takes would reveal that an event exists.
 */
const isRemembered = (question: EntitlementQuestion): question is RememberedQuestion =>
  question.eventId !== undefined && isEventId(question.eventId);
