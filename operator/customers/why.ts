import { type Audience, decideStream, type StreamVerdict } from '../../shared/ott/decision.ts';
import type { Event } from '../../shared/ott/event.ts';
import { type Geoblocking, liftsClientRule, ruleBlocks } from '../../shared/ott/geoblocking.ts';
import { type CustomerRule, rulesShow } from '../../shared/ott/rules.ts';
import type { TicketFinding } from './explain-ticket.ts';

/** One of the checks that decide whether a viewer may play a stream, and its result. */
export interface Step {
  readonly step: string;
  readonly outcome: 'passes' | 'refuses' | 'does not apply';
  readonly because: string;
}

export interface Explanation {
  readonly verdict: StreamVerdict['outcome'];
  /** In the order of the decision. After the first refusal, answers no longer matter. */
  readonly steps: readonly Step[];
}

const listed = (items: readonly string[] | undefined): string => (items ?? []).join(', ');

/** A customer's rule in plain words. */
export const ruleText = ({ id, enabled, access, statuses, categories }: CustomerRule): string => {
  const which = [
    ...(access === undefined ? [] : [access]),
    ...(statuses === undefined ? [] : [`with status ${statuses.join(' or ')}`]),
    ...(categories === undefined ? [] : [`of ${categories.join(' or ')}`]),
  ];
  const shows = which.length === 0 ? 'every event' : `events that are ${which.join(', ')}`;
  return enabled ? `${id}: shows ${shows}` : `${id}: is switched off (${shows})`;
};

/** A country rule in plain words. */
export const countriesText = (rule: Geoblocking | undefined): string => {
  if (rule === undefined) return 'no country rule';
  if (!rule.enabled) return 'a country rule that is switched off';
  const when = rule.statuses === undefined ? '' : ` while ${rule.statuses.join(' or ')}`;
  return rule.mode === 'block'
    ? `hidden in ${listed(rule.countries)}${when}`
    : `hidden everywhere but in ${listed(rule.countries)}${when}`;
};

const countryStep = (
  step: string,
  {
    rule,
    event: { status },
    country,
  }: { readonly rule: Geoblocking | undefined; readonly event: Event; readonly country: string | undefined },
  statuses: readonly Event['status'][] = [status],
): Step => {
  if (rule === undefined) return { step, outcome: 'does not apply', because: 'there is none' };
  const blocking = statuses.find((each) => ruleBlocks({ rule, status: each, country }));
  const where = country ?? 'an unknown country';
  const ahead = blocking !== undefined && blocking !== status ? `, once it is ${blocking}` : '';
  return blocking === undefined
    ? { step, outcome: 'passes', because: `${countriesText(rule)}; the viewer is in ${where}` }
    : { step, outcome: 'refuses', because: `${countriesText(rule)}${ahead}; the viewer is in ${where}` };
};

const rulesStep = (event: Event, { viewer, client }: Audience): Step => {
  const step = "the customer's rules";
  if (viewer.kind === 'vip')
    return { step, outcome: 'does not apply', because: 'a VIP is exempt from rules' };
  const matching = client.rules.filter((rule) => rulesShow([rule], event));
  if (matching.length > 0) {
    return { step, outcome: 'passes', because: matching.map(ruleText).join('; ') };
  }
  const what = `${event.access}, ${event.status}, of ${listed(event.categories) || 'no category'}`;
  const enabled = client.rules.filter((rule) => rule.enabled);
  return {
    step,
    outcome: 'refuses',
    because: `the event is ${what}, and ${enabled.length === 0 ? 'no rule is enabled' : `no rule shows it: ${enabled.map(ruleText).join('; ')}`}`,
  };
};

const entitlementStep = (event: Event, { viewer }: Audience): Step => {
  const step = 'what the viewer bought';
  if (viewer.kind === 'vip') return { step, outcome: 'does not apply', because: 'a VIP need not buy' };
  if (event.access === 'free') return { step, outcome: 'does not apply', because: 'the event is free' };
  switch (viewer.kind) {
    case 'anonymous':
      return { step, outcome: 'refuses', because: 'the viewer is not logged in' };
    case 'unverified':
      return { step, outcome: 'refuses', because: 'the entitlement service does not answer' };
    case 'logged-in':
      return viewer.entitlement === 'granted'
        ? { step, outcome: 'passes', because: 'the entitlement service says that the viewer bought it' }
        : {
            step,
            // A ticket decides instead.
            outcome:
              viewer.entitlement === 'no_purchase' && event.tickets !== undefined
                ? 'does not apply'
                : 'refuses',
            because:
              viewer.entitlement === 'no_purchase'
                ? 'the entitlement service says that the viewer did not buy it'
                : 'the entitlement service denies it',
          };
  }
};

const ticketStep = (event: Event, { viewer }: Audience, ticket: TicketFinding | undefined): Step => {
  const step = 'the ticket';
  if (event.tickets === undefined) return { step, outcome: 'does not apply', because: 'the event has none' };
  if (viewer.kind !== 'logged-in' || viewer.entitlement !== 'no_purchase') {
    return {
      step,
      outcome: 'does not apply',
      because: 'only a logged-in viewer who did not buy it needs one',
    };
  }
  if (ticket === undefined) {
    return { step, outcome: 'refuses', because: 'no user was named: --user shows the wallets of one' };
  }
  return { step, outcome: ticket.isHeld ? 'passes' : 'refuses', because: ticket.because };
};

const momentStep = (event: Event, { viewer }: Audience, now: number): Step => {
  const step = 'the moment';
  const { availableFrom, availableUntil } = event.stream ?? {};
  const from = availableFrom === undefined ? '' : ` from ${availableFrom}`;
  const until = availableUntil === undefined ? '' : ` until ${availableUntil}`;
  const window = from + until === '' ? 'at any time' : `${from}${until}`.trimStart();
  if (viewer.kind === 'vip') return { step, outcome: 'does not apply', because: 'a VIP plays at any time' };
  if (availableFrom !== undefined && now < Date.parse(availableFrom)) {
    return { step, outcome: 'refuses', because: `it can be played ${window}` };
  }
  if (availableUntil !== undefined && now >= Date.parse(availableUntil)) {
    return { step, outcome: 'refuses', because: `it could be played ${window}` };
  }
  return event.status === 'LIVE' || event.status === 'VOD'
    ? { step, outcome: 'passes', because: `${event.status}, ${window}` }
    : { step, outcome: 'refuses', because: `${event.status}: only LIVE and VOD events play` };
};

/** Only the viewer's own sessions can tell whether a screen is free, so this step says just what the limit is. */
const sessionStep = (event: Event, { viewer, client }: Audience): Step => {
  const step = 'streams at once';
  const limit = client.streams_at_once;
  if (limit === undefined) return { step, outcome: 'does not apply', because: 'the customer sets no limit' };
  if (viewer.kind === 'vip') return { step, outcome: 'does not apply', because: 'a VIP is not counted' };
  if (event.access === 'free') return { step, outcome: 'does not apply', because: 'the event is free' };
  const because = `each viewer may play ${limit} at once; the next one is refused with TOO_MANY_STREAMS`;
  return { step, outcome: 'passes', because };
};

/** Explains why a viewer may play an event's stream, or which step refuses it. The service's own code decides. */
export const explainStream = (
  event: Event,
  audience: Audience,
  {
    now,
    ticket,
  }: {
    /** Epoch milliseconds. */
    readonly now: number;
    /** What the viewer's wallets hold. @default nothing is known of wallets */
    readonly ticket?: TicketFinding | undefined;
  },
): Explanation => {
  const { viewer } = audience;
  const isOpened =
    ticket?.isHeld === true && viewer.kind === 'logged-in' && viewer.entitlement === 'no_purchase';
  const asBought: Audience = { ...audience, viewer: { kind: 'logged-in', entitlement: 'granted' } };
  const { client, country } = audience;
  const { stream } = event;
  const toBe: readonly Event['status'][] =
    event.status === 'UPCOMING' ? ['UPCOMING', 'LIVE'] : [event.status];
  const clientCountries = liftsClientRule(event.geoblocking)
    ? {
        step: "the customer's countries",
        outcome: 'does not apply' as const,
        because: "the event's own rule is switched off, which lifts the customer's",
      }
    : countryStep("the customer's countries", { rule: client.geoblocking, event, country }, toBe);
  return {
    verdict: decideStream(event, isOpened ? asBought : audience, { now }).outcome,
    steps: [
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
      sessionStep(event, audience),
    ],
  };
};
