import { createHash } from 'node:crypto';
import { ChainUnavailableError } from '../../chain/errors.ts';
import { newCache } from '../../platform/cache.ts';
import type { Logger } from '../../platform/logger.ts';
import type { Clock } from '../../platform/time/clock.ts';
import { outageCodes } from '../../platform/watched.ts';
import { type OpenWalletsDependencies, openWallets } from '../../wallets/open-wallets.ts';
import type { Event } from '../events/event.ts';
import type { RememberedQuestion, TicketMemory } from '../ports/grant-memory.ts';
import type { HoldingQuestion, TicketHoldings } from '../ports/ticket-holdings.ts';
import { rememberedDecisions } from '../streams/remembered-decisions.ts';
import {
  type LatestTickets,
  type ReservedTicketDependencies,
  reservedTickets,
  voidTokensOf,
} from './reserved-tickets.ts';

/** How long an answer from the chain is reused. Signatures still expire `ticketSeconds` after the chain was asked. */
const cacheMilliseconds = 15_000;

export interface CheckTicketsDependencies extends OpenWalletsDependencies, ReservedTicketDependencies {
  readonly holdings: AnsweredHoldings;
  readonly latestTickets: LatestTickets;
  /**
   * Stores answers, which are used during outages of the chain and of the entitlement service. @default none: during an
   * outage tickets give no access
   */
  readonly memory?: { readonly grants: TicketMemory; readonly boundMilliseconds: number } | undefined;
  readonly clock: Clock;
  readonly logger: Pick<Logger, 'warn' | 'error'>;
  /** A signature granted because of a ticket expires this many seconds after its holder was determined. */
  readonly ticketSeconds: number;
}

export type TicketAnswer =
  /** A signature granted because of this ticket must expire at this time at the latest; epoch milliseconds. */
  | { readonly outcome: 'held'; readonly endsAt: number }
  | { readonly outcome: 'not-held' }
  | { readonly outcome: 'unavailable' };

export interface AnsweredHoldings {
  /** @throws ChainUnavailableError */
  ask(
    question: HoldingQuestion,
    askedAt: number,
  ): Promise<{ readonly isHeld: boolean; readonly askedAt: number }>;
}

export const cachedHoldings = (
  holdings: Pick<TicketHoldings, 'isHeld'>,
  { clock }: { readonly clock: Clock },
): AnsweredHoldings => {
  const cache = newCache<{ readonly isHeld: boolean; readonly askedAt: number }>({
    capacity: 2_000,
    lifetimeMilliseconds: cacheMilliseconds,
    clock,
  });
  return {
    ask: async (question, askedAt) => {
      const { wallets, contracts, voidTokens, claimedTokens } = question;
      // A hash, because the ids of thousands of void tokens would fill the memory.
      const key = createHash('sha256')
        .update(
          JSON.stringify([wallets.toSorted(), contracts, [...voidTokens].toSorted(), [...claimedTokens]]),
        )
        .digest('base64');
      const known = cache.get(key);
      if (known !== undefined) return known;
      const answer = { isHeld: await holdings.isHeld(question), askedAt };
      cache.set(key, answer);
      return answer;
    },
  };
};

/**
 * Whether a viewer without a purchase holds a ticket for the event. A ticket that is reserved for the viewer is found in
 * the tables alone: neither wallets nor the chain are asked. `ticketSeconds` is counted from a time before the
 * reservations, wallets, void tokens and owners were read. So a viewer who gives the ticket away, whose reservation
 * ends, who unlinks the wallet or is deleted can play for at most `ticketSeconds` more.
 */
export const checkTickets = async (
  dependencies: CheckTicketsDependencies,
  {
    login: { userSub, clientId },
    event,
    isEntitlementOut,
  }: {
    readonly login: { readonly userSub: string; readonly clientId: string };
    readonly event: Pick<Event, 'id' | 'tickets'>;
    /**
     * Whether the entitlement service is unavailable. A ticket must not give access to a viewer whom the service would
     * deny. So the chain is not asked about wallets: only an answer that is stored already can give access. It is asked
     * about claimed tickets if the service's last answer is stored and was no denial.
     */
    readonly isEntitlementOut: boolean;
  },
): Promise<TicketAnswer> => {
  const { users, latestTickets, clock } = dependencies;
  const contracts = (event.tickets ?? []).map(({ contractAddress }) => contractAddress);
  const question = { userSub, clientId, eventId: event.id };
  const now = clock();
  const nothing = { outcome: isEntitlementOut ? 'unavailable' : 'not-held' } as const;
  const [registrations, voidTokens, latest] = await Promise.all([
    users.registrationsOf([userSub]),
    voidTokensOf(dependencies, contracts),
    latestTickets.read(question),
  ]);
  const registrationId = registrations.get(userSub);
  if (registrationId === undefined) return nothing;

  const { reserved, claimedTokens } = await reservedTickets(dependencies, {
    registrationId,
    contracts,
    voidTokens,
    latest,
  });
  if (reserved !== undefined) {
    latestTickets.remember(question, reserved);
    return isEntitlementOut ? undenied(dependencies, question) : heldAt(dependencies, now);
  }
  const wallets = await openWallets(dependencies, { userSub, registrationId, now });
  if (wallets.length === 0 && claimedTokens.size === 0) return nothing;
  if (isEntitlementOut) {
    const answer = await remembered(dependencies, question);
    if (answer.outcome === 'held' || claimedTokens.size === 0) return answer;
    return undeniedClaim(dependencies, { claimedTokens, question, now });
  }
  return onChain(dependencies, { wallets, contracts, voidTokens, claimedTokens }, { question, now });
};

const heldAt = (
  { ticketSeconds }: Pick<CheckTicketsDependencies, 'ticketSeconds'>,
  askedAt: number,
): TicketAnswer => ({ outcome: 'held', endsAt: askedAt + ticketSeconds * 1_000 });

const onChain = async (
  dependencies: CheckTicketsDependencies,
  holding: HoldingQuestion,
  { question, now }: { readonly question: RememberedQuestion; readonly now: number },
): Promise<TicketAnswer> => {
  const { holdings, logger } = dependencies;
  try {
    const { isHeld, askedAt } = await holdings.ask(holding, now);
    // Only a new answer is stored. An answer from the cache was already stored when the chain gave it.
    if (askedAt === now) await remember(dependencies, question, { isGrant: isHeld, askedAt });
    return isHeld ? heldAt(dependencies, askedAt) : { outcome: 'not-held' };
  } catch (error) {
    if (!(error instanceof ChainUnavailableError)) throw error;
    // As long as it is unknown whether the mint was mined, the user who has claimed the token counts as its holder.
    if (holding.claimedTokens.size > 0) return heldAt(dependencies, now);
    const answer = await remembered(dependencies, question);
    if (answer.outcome === 'unavailable') {
      logger.error('Tickets cannot be judged', {
        code: outageCodes.tickets,
        event_id: question.eventId,
        error,
      });
    }
    return answer;
  }
};

const remember = async (
  { memory, clock, logger }: Pick<CheckTicketsDependencies, 'memory' | 'clock' | 'logger'>,
  question: RememberedQuestion,
  decision: { readonly isGrant: boolean; readonly askedAt: number },
): Promise<void> => {
  if (memory !== undefined)
    await rememberedDecisions({ ...memory, clock, logger }).remember(question, decision);
};

/**
 * Whether somebody who holds a reserved ticket may play while the entitlement service is out. The tables have just said
 * that the ticket is held, so only the service's own last answer is missing.
 */
const undenied = (
  { memory, ...dependencies }: CheckTicketsDependencies,
  question: RememberedQuestion,
): Promise<TicketAnswer> => {
  const grants = memory && { ...memory.grants, granted: memory.grants.undenied };
  return remembered({ ...dependencies, memory: memory && grants && { ...memory, grants } }, question);
};

/**
 * Whether somebody who has claimed a ticket may play while the entitlement service is out: until the token is minted,
 * as before the claim. The chain's answer is not stored: it would outlast the service's last answer, and replace what
 * is known of the wallets.
 */
const undeniedClaim = async (
  dependencies: CheckTicketsDependencies,
  {
    claimedTokens,
    question,
    now,
  }: Pick<HoldingQuestion, 'claimedTokens'> & {
    readonly question: RememberedQuestion;
    readonly now: number;
  },
): Promise<TicketAnswer> => {
  const known = await undenied(dependencies, question);
  if (known.outcome !== 'held') return known;
  const claim = await onChain(
    { ...dependencies, memory: undefined },
    { wallets: [], contracts: [], voidTokens: new Map(), claimedTokens },
    { question, now },
  );
  return claim.outcome === 'held'
    ? heldUntil(dependencies, Math.min(known.endsAt, claim.endsAt))
    : { outcome: 'unavailable' };
};

const remembered = async (
  { memory, clock, logger, ticketSeconds }: CheckTicketsDependencies,
  question: RememberedQuestion,
): Promise<TicketAnswer> => {
  const known =
    memory === undefined
      ? undefined
      : await rememberedDecisions({ ...memory, clock, logger }).grant(question);
  if (known === undefined) return { outcome: 'unavailable' };
  return heldUntil({ clock }, Math.min(known.endsAt, known.askedAt + ticketSeconds * 1_000));
};

const heldUntil = ({ clock }: Pick<CheckTicketsDependencies, 'clock'>, endsAt: number): TicketAnswer =>
  endsAt > clock() ? { outcome: 'held', endsAt } : { outcome: 'unavailable' };
