import { type Step, type StreamVerdict, traceStream } from '../../../shared/ott/decision.ts';
import type { Event, PresentEvent } from '../../../shared/ott/events/event.ts';
import { playableStatuses } from '../../../shared/ott/events/event-kinds.ts';
import type { StreamLimits } from '../../../shared/ott/sessions/viewer-sessions.ts';
import type { Geoblocking } from '../../../shared/ott/viewers/geoblocking.ts';
import type { CustomerRule } from '../../../shared/ott/viewers/rules.ts';
import type { ViewerContext } from '../../../shared/ott/viewers/viewer-context.ts';
import type { TicketFinding } from './explain-ticket.ts';

/** One of the steps that decide whether a viewer may play a stream, and its result. */
export interface ExplainedStep {
  readonly step: string;
  readonly outcome: Step['outcome'];
  readonly because: string;
}

export interface Explanation {
  readonly verdict: StreamVerdict['outcome'];
  /** In the order in which the service checks. The first step that refuses decides; later steps are only shown. */
  readonly steps: readonly ExplainedStep[];
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

/** What a sentence may name besides what the step found. */
interface Subject {
  readonly event: PresentEvent;
  readonly context: ViewerContext;
  readonly ticket: TicketFinding | undefined;
}

type Found<Name extends Step['step']> = Extract<Step, { readonly step: Name }>;

/** `undefined`: there is nothing to say. */
type Sentence<Name extends Step['step']> = (found: Found<Name>, subject: Subject) => string | undefined;

const scheduleSentence: Sentence<'schedule'> = (found, { event: { status } }) => {
  if (found.outcome === 'does not apply') return 'there is none';
  const { due, setAt, next, isCancelled } = found;
  const byHand = setAt === undefined ? undefined : `it was set by hand at ${setAt}`;
  const source =
    due === undefined
      ? (byHand ?? 'no entry is due, so the status of the file counts')
      : `the entry of ${due.at} counts`;
  const none = isCancelled ? 'no entry counts any more, because the event is cancelled' : 'no entry is ahead';
  return `the event is ${status}: ${source}; ${next === undefined ? none : `${next.status} follows at ${next.at}`}`;
};

const rulesSentence: Sentence<'rules'> = (found, { event, context: { configuration } }) => {
  if (found.outcome === 'does not apply') return 'a VIP is exempt from rules';
  if (found.outcome === 'passes') return found.showing().map(ruleText).join('; ');
  if (found.because === 'later settings') return hidesAllText;
  const what = `${event.access} and ${event.status} (categories: ${listed(event.categories) || 'none'})`;
  const enabled = configuration.rules.filter((rule) => rule.enabled);
  return `the event is ${what}, and ${enabled.length === 0 ? 'no rule is enabled' : `no rule shows it: ${enabled.map(ruleText).join('; ')}`}`;
};

const countriesSentence = (
  found: Found<'customer countries' | 'event countries' | 'stream countries'>,
  { event, context: { country = 'an unknown country' } }: Subject,
): string => {
  if (found.outcome === 'does not apply') {
    return found.because === 'no rule'
      ? 'there is none'
      : "the event's own rule is switched off, and this exempts the event from the customer's rule";
  }
  const ahead =
    found.outcome === 'refuses' && found.status !== event.status
      ? ` (the rule is for an event that is ${found.status}; a viewer whom it will refuse then is already refused now)`
      : '';
  return `${countriesText(found.rule)}${ahead}; the viewer is in ${country}`;
};

const purchaseSentences = {
  vip: 'a VIP does not have to buy events',
  free: 'the event is free',
  tickets: 'the entitlement service says that the viewer did not buy the event',
  'login-required': 'the viewer is not logged in',
  'purchase-required': 'the entitlement service says that the viewer did not buy the event',
  'entitlement-denied': 'the entitlement service denies access',
  'entitlement-unavailable': 'the entitlement service does not answer',
} as const;

const purchaseSentence: Sentence<'purchase'> = (found) => {
  if (found.outcome === 'passes') return 'the entitlement service says that the viewer bought the event';
  return purchaseSentences[found.outcome === 'refuses' ? found.verdict : found.because];
};

const ticketSentence: Sentence<'ticket'> = (found, { ticket }) => {
  if (found.outcome !== 'does not apply')
    return ticket?.because ?? 'no tickets were looked for: name a user with --user';
  return found.because === 'no tickets'
    ? 'the event has no tickets'
    : 'only a logged-in viewer who did not buy the event needs a ticket';
};

const timeSentence: Sentence<'time'> = (found, { event: { status, stream } }) => {
  if (found.outcome === 'does not apply') return 'a VIP may play at any time';
  const { availableFrom, availableUntil } = stream ?? {};
  const from = availableFrom === undefined ? [] : [`from ${availableFrom}`];
  const until = availableUntil === undefined ? [] : [`until ${availableUntil}`];
  const window = [...from, ...until].join(' ') || 'at any time';
  if (found.outcome === 'passes') return `the event is ${status}; its stream is available ${window}`;
  return {
    ahead: `the stream will be available ${window}`,
    over: `the stream was available ${window}`,
    status: `the event is ${status}; only ${playableStatuses.join(' and ')} events can be played`,
  }[found.because];
};

const laterDataSentence: Sentence<'later data'> = ({ outcome }, { event: { later = [] } }) => {
  if (outcome === 'does not apply') return undefined;
  const fields = later.map(({ path }) => path.join('.'));
  return `a later release has stored ${listed(fields)}, which this release does not know: it may be a restriction, so nobody plays the stream`;
};

/** This step does not know how many streams the viewer is playing. It only says what the limits are. */
const sessionsSentence: Sentence<'sessions'> = (found, { event: { tickets } }) => {
  if (found.outcome === 'passes') {
    const counted = [...found.limits].map(([id, limit]) => `${limit} that ${id} counts`).join(' and ');
    return `of the streams that each viewer plays at once, there may be ${counted}; a further one is refused with TOO_MANY_STREAMS`;
  }
  return {
    'no limit':
      tickets === undefined
        ? 'the customer sets no limit'
        : 'neither the customer nor an application that issues the tickets sets a limit',
    vip: "a VIP's streams are not counted",
    free: 'the event is free',
  }[found.because];
};

interface Text<Name extends Step['step']> {
  readonly title: string;
  readonly sentence: Sentence<Name>;
}

/** Of each step that exists. */
const texts: { readonly [Name in Step['step']]: Text<Name> } = {
  schedule: { title: 'the schedule', sentence: scheduleSentence },
  rules: { title: "the customer's rules", sentence: rulesSentence },
  'customer countries': { title: "the customer's countries", sentence: countriesSentence },
  'event countries': { title: "the event's countries", sentence: countriesSentence },
  stream: {
    title: 'the stream',
    sentence: (found) => (found.outcome === 'passes' ? found.stream.type : 'the event has none'),
  },
  'stream countries': { title: "the stream's countries", sentence: countriesSentence },
  purchase: { title: 'what the viewer bought', sentence: purchaseSentence },
  ticket: { title: 'the ticket', sentence: ticketSentence },
  time: { title: 'the time', sentence: timeSentence },
  'later data': { title: 'what a later release has stored', sentence: laterDataSentence },
  sessions: { title: 'streams at once', sentence: sessionsSentence },
};

const explained = (found: Step, subject: Subject): readonly ExplainedStep[] => {
  const { title, sentence } = texts[found.step] as Text<Step['step']>;
  const because = sentence(found, subject);
  return because === undefined ? [] : [{ step: title, outcome: found.outcome, because }];
};

/**
 * Explains why a viewer may play an event's stream, or which step refuses it. The verdict and the steps come from the
 * decision that the service itself makes. Nothing is judged here: each step that was taken becomes a sentence.
 */
export const explainStream = (
  stored: Event,
  context: ViewerContext,
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
  const ticketEndsAt = ticket?.isHeld ? Number.POSITIVE_INFINITY : undefined;
  const { verdict, event, steps } = traceStream(stored, context, { now, limits, ticketEndsAt });
  return { verdict, steps: steps.flatMap((found) => explained(found, { event, context, ticket })) };
};
