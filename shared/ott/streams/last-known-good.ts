import { isEventId } from '../events/event-schema.ts';
import type { EntitlementQuestion, EntitlementService } from '../ports/entitlement.ts';
import type { RememberedQuestion } from '../ports/grant-memory.ts';
import { type RememberedDecisionsDependencies, rememberedDecisions } from './remembered-decisions.ts';

/**
 * Bridges outages of the entitlement service. During an outage, the service's last answer for the same user, client and
 * event counts, if this answer was a grant and the viewer is not a VIP.
 */
export const withLastKnownGood = ({
  entitlement,
  ...dependencies
}: RememberedDecisionsDependencies & { readonly entitlement: EntitlementService }): EntitlementService => {
  const { clock } = dependencies;
  const { remember, grant } = rememberedDecisions(dependencies);
  return {
    check: async (question) => {
      const askedAt = clock();
      const answer = await entitlement.check(question);
      if (!isRemembered(question)) return answer;
      if (answer.outcome === 'unavailable') {
        const known = await grant(question);
        if (known === undefined) return answer;
        return { outcome: 'success', vip: false, endsAt: known.endsAt, seller: known.seller };
      }
      // Denials are recorded too, with the time of the call to the service. So a grant from an earlier call cannot
      // replace a denial from a later call, even if the grant is written last.
      await remember(question, {
        isGrant: answer.outcome === 'success' && !answer.vip,
        isDenial: answer.outcome === 'denied' && answer.reason === 'denied',
        ...(answer.outcome === 'success' && { seller: answer.seller }),
        askedAt,
      });
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
