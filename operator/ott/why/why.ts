import {
  type Audience,
  decideStream,
  isWindowOver,
  type StreamVerdict,
} from '../../../shared/ott/decision.ts';
import { dueEntry, effective, entriesAhead } from '../../../shared/ott/events/effective.ts';
import type { Event, PresentEvent } from '../../../shared/ott/events/event.ts';
import { isPlayable, playableStatuses, statusesToJudge } from '../../../shared/ott/events/event-kinds.ts';
import type { StreamLimits } from '../../../shared/ott/sessions/viewer-sessions.ts';
import { type Geoblocking, liftsClientRule, ruleBlocks } from '../../../shared/ott/viewers/geoblocking.ts';
import { type CustomerRule, rulesShow } from '../../../shared/ott/viewers/rules.ts';
import type { TicketFinding } from './explain-ticket.ts';

/** One of the checks that decide whether a viewer may play a stream, and its result. */
export interface Step {
  readonly step: string;
  readonly outcome: 'passes' | 'refuses' | 'does not apply';
  readonly because: string;
}

export interface Explanation {
  readonly verdict: StreamVerdict['outcome'];
  /** In the order in which the service checks. The first step that refuses decides; later steps are only shown. */
  readonly steps: readonly Step[];
}

const listed = (items: readonly string[] | undefined): string => (items ?? []).join(', ');

/** Describes an OTT rule of a customer in plain words. */
export const ruleText = ({ id, enabled, access, statuses, categories }: CustomerRule): string => {
  const which = [
    ...(access === undefined ? [] : [access]),
    ...(statuses === undefined ? [] : [`in status ${statuses.join(' or ')}`]),
    ...(categories === undefined ? [] : [`in category ${categories.join(' or ')}`]),
  ];
  const shows = which.length === 0 ? 'every event' : `events that are ${which.join(' and ')}`;
  return enabled ? `${id}: shows ${shows}` : `${id}: is switched off (if it were on, it would show ${shows})`;
};

/** Describes settings of a customer that this release does not know. */
export const hidesAllText =
  'every event is hidden, because a later release has stored settings of the customer that this release does not know';

/** Describes a geoblocking rule in plain words. */
export const countriesText = (rule: Geoblocking | undefined): string => {
  if (rule === undefined) return 'no country rule';
  if (!rule.enabled) return 'a country rule that is switched off';
  const when = rule.statuses === undefined ? '' : ` while the event is ${rule.statuses.join(' or ')}`;
  return rule.mode === 'block'
    ? `hidden in ${listed(rule.countries)}${when}`
    : `hidden everywhere except in ${listed(rule.countries)}${when}`;
};

const countryStep = (
  step: string,
  {
    rule,
    event: { status },
    country,
  }: {
    readonly rule: Geoblocking | undefined;
    readonly event: PresentEvent;
    readonly country: string | undefined;
  },
  statuses: readonly Event['status'][] = [status],
): Step => {
  if (rule === undefined) return { step, outcome: 'does not apply', because: 'there is none' };
  const blocking = statuses.find((each) => ruleBlocks({ rule, status: each, country }));
  const where = country ?? 'an unknown country';
  const ahead =
    blocking !== undefined && blocking !== status
      ? ` (the rule is for an event that is ${blocking}; a viewer whom it will refuse then is already refused now)`
      : '';
  return blocking === undefined
    ? { step, outcome: 'passes', because: `${countriesText(rule)}; the viewer is in ${where}` }
    : { step, outcome: 'refuses', because: `${countriesText(rule)}${ahead}; the viewer is in ${where}` };
};

/** This step says where the status comes from and never refuses. */
const scheduleStep = (event: Event, now: number): Step => {
  const step = 'the schedule';
  if (event.schedule === undefined) return { step, outcome: 'does not apply', because: 'there is none' };
  const { status } = effective(event, now);
  const byHand = event.hand.status;
  const due = dueEntry(event, now);
  const [next] = entriesAhead(event, now);
  const source =
    due !== undefined
      ? `the entry of ${due.at} counts`
      : byHand !== undefined
        ? `it was set by hand at ${byHand.at}`
        : 'no entry is due, so the status of the file counts';
  const ahead =
    next === undefined
      ? status === 'CANCELLED' && due === undefined
        ? 'no entry counts any more, because the event is cancelled'
        : 'no entry is ahead'
      : `${next.status} follows at ${next.at}`;
  return { step, outcome: 'passes', because: `the event is ${status}: ${source}; ${ahead}` };
};

const rulesStep = (event: PresentEvent, { viewer, client }: Audience): Step => {
  const step = "the customer's rules";
  if (client.hidesAll) return { step, outcome: 'refuses', because: hidesAllText };
  if (viewer.kind === 'vip')
    return { step, outcome: 'does not apply', because: 'a VIP is exempt from rules' };
  const matching = client.rules.filter((rule) => rulesShow([rule], event));
  if (matching.length > 0) {
    return { step, outcome: 'passes', because: matching.map(ruleText).join('; ') };
  }
  const what = `${event.access} and ${event.status} (categories: ${listed(event.categories) || 'none'})`;
  const enabled = client.rules.filter((rule) => rule.enabled);
  return {
    step,
    outcome: 'refuses',
    because: `the event is ${what}, and ${enabled.length === 0 ? 'no rule is enabled' : `no rule shows it: ${enabled.map(ruleText).join('; ')}`}`,
  };
};

const entitlementStep = (event: PresentEvent, { viewer }: Audience): Step => {
  const step = 'what the viewer bought';
  if (viewer.kind === 'vip')
    return { step, outcome: 'does not apply', because: 'a VIP does not have to buy events' };
  if (event.access === 'free') return { step, outcome: 'does not apply', because: 'the event is free' };
  switch (viewer.kind) {
    case 'anonymous':
      return { step, outcome: 'refuses', because: 'the viewer is not logged in' };
    case 'unverified':
      return { step, outcome: 'refuses', because: 'the entitlement service does not answer' };
    case 'logged-in':
      return viewer.entitlement === 'granted'
        ? {
            step,
            outcome: 'passes',
            because: 'the entitlement service says that the viewer bought the event',
          }
        : {
            step,
            // A viewer without a purchase may still hold a ticket for the event, which the next step checks.
            outcome:
              viewer.entitlement === 'no_purchase' && event.tickets !== undefined
                ? 'does not apply'
                : 'refuses',
            because:
              viewer.entitlement === 'no_purchase'
                ? 'the entitlement service says that the viewer did not buy the event'
                : 'the entitlement service denies access',
          };
  }
};

const ticketStep = (event: PresentEvent, { viewer }: Audience, ticket: TicketFinding | undefined): Step => {
  const step = 'the ticket';
  if (event.tickets === undefined)
    return { step, outcome: 'does not apply', because: 'the event has no tickets' };
  if (viewer.kind !== 'logged-in' || viewer.entitlement !== 'no_purchase') {
    return {
      step,
      outcome: 'does not apply',
      because: 'only a logged-in viewer who did not buy the event needs a ticket',
    };
  }
  if (ticket === undefined) {
    return { step, outcome: 'refuses', because: 'no tickets were looked for: name a user with --user' };
  }
  return { step, outcome: ticket.isHeld ? 'passes' : 'refuses', because: ticket.because };
};

const momentStep = (event: PresentEvent, { viewer }: Audience, now: number): Step => {
  const step = 'the time';
  const { availableFrom, availableUntil } = event.stream ?? {};
  const from = availableFrom === undefined ? '' : ` from ${availableFrom}`;
  const until = availableUntil === undefined ? '' : ` until ${availableUntil}`;
  const window = from + until === '' ? 'at any time' : `${from}${until}`.trimStart();
  if (viewer.kind === 'vip')
    return { step, outcome: 'does not apply', because: 'a VIP may play at any time' };
  if (availableFrom !== undefined && now < Date.parse(availableFrom)) {
    return { step, outcome: 'refuses', because: `the stream will be available ${window}` };
  }
  if (availableUntil !== undefined && isWindowOver({ until: Date.parse(availableUntil), now })) {
    return { step, outcome: 'refuses', because: `the stream was available ${window}` };
  }
  return isPlayable(event.status)
    ? { step, outcome: 'passes', because: `the event is ${event.status}; its stream is available ${window}` }
    : {
        step,
        outcome: 'refuses',
        because: `the event is ${event.status}; only ${playableStatuses.join(' and ')} events can be played`,
      };
};

/** This step does not read how many streams the viewer is playing. It only says what the limits are and never refuses. */
const sessionStep = (event: PresentEvent, { viewer }: Audience, limits: StreamLimits): Step => {
  const step = 'streams at once';
  if (limits.size === 0) {
    const because =
      event.tickets === undefined
        ? 'the customer sets no limit'
        : 'neither the customer nor an application that issues the tickets sets a limit';
    return { step, outcome: 'does not apply', because };
  }
  if (viewer.kind === 'vip')
    return { step, outcome: 'does not apply', because: "a VIP's streams are not counted" };
  if (event.access === 'free') return { step, outcome: 'does not apply', because: 'the event is free' };
  const counted = [...limits].map(([id, limit]) => `${limit} that ${id} counts`).join(' and ');
  const because = `of the streams that each viewer plays at once, there may be ${counted}; a further one is refused with TOO_MANY_STREAMS`;
  return { step, outcome: 'passes', because };
};

/**
 * Explains why a viewer may play an event's stream, or which step refuses it. The verdict comes from the function that
 * the service itself uses; the steps only explain it.
 */
export const explainStream = (
  stored: Event,
  audience: Audience,
  {
    now,
    limits,
    ticket,
  }: {
    /** Epoch milliseconds. */
    readonly now: number;
    readonly limits: StreamLimits;
    /** Whether the viewer holds a ticket. @default tickets were not looked for */
    readonly ticket?: TicketFinding | undefined;
  },
): Explanation => {
  const event = effective(stored, now);
  const judged = decideStream(stored, audience, { now });
  const verdict =
    judged.outcome === 'purchase-required' && ticket?.isHeld
      ? decideStream(stored, audience, { now, ticketEndsAt: Number.POSITIVE_INFINITY })
      : judged;
  const { client, country } = audience;
  const { stream } = event;
  const toBe = statusesToJudge(event.status);
  const clientCountries = liftsClientRule(event.geoblocking)
    ? {
        step: "the customer's countries",
        outcome: 'does not apply' as const,
        because: "the event's own rule is switched off, and this exempts the event from the customer's rule",
      }
    : countryStep("the customer's countries", { rule: client.geoblocking, event, country }, toBe);
  return {
    verdict: verdict.outcome,
    steps: [
      scheduleStep(stored, now),
      rulesStep(event, audience),
      clientCountries,
      countryStep("the event's countries", { rule: event.geoblocking, event, country }, toBe),
      stream === undefined
        ? { step: 'the stream', outcome: 'refuses', because: 'the event has none' }
        : { step: 'the stream', outcome: 'passes', because: stream.type },
      countryStep("the stream's countries", { rule: stream?.geoblocking, event, country }, toBe),
      entitlementStep(event, audience),
      ticketStep(event, audience, ticket),
      momentStep(event, audience, now),
      sessionStep(event, audience, limits),
    ],
  };
};
