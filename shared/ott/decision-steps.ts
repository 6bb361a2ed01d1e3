import { dueEntry, effective, entriesAhead, isCancelled } from './events/effective.ts';
import type { Event, PresentEvent } from './events/event.ts';
import { type EventStatus, isPlayable } from './events/event-kinds.ts';
import { isUnderstood } from './events/later-fields.ts';
import type { StreamLimits } from './sessions/viewer-sessions.ts';
import { type Geoblocking, liftsClientRule, ruleBlocks } from './viewers/geoblocking.ts';
import { rulesShow } from './viewers/rules.ts';
import type { Viewer } from './viewers/viewer.ts';
import type { ViewerContext } from './viewers/viewer-context.ts';

/*
 * The steps of decision.ts, in the order in which they are taken. Each judges one thing alone, whatever the others find.
 * It passes, refuses, or does not apply, and has the values that it found; nothing is text for people. A step that
 * refuses a viewer who sees the event has the verdict of the whole decision. `endsAt` of a step that passes is when it
 * would no longer pass, in epoch milliseconds.
 */

/** What the steps that can hide an event depend on. */
export interface Sight {
  readonly event: PresentEvent;
  readonly context: ViewerContext;
  /** The statuses for which country rules are judged. */
  readonly statuses: readonly EventStatus[];
}

/** What all steps of the decision about a stream depend on. */
export interface Circumstances extends Sight {
  /** Epoch milliseconds. */
  readonly now: number;
  /** When the ticket of a viewer who did not buy the event stops giving access. @default no ticket is known */
  readonly ticketEndsAt: number | undefined;
}

/** Only says where the status comes from: the entry that is due, else the hand (`setAt`), else what is given. */
export const scheduleStep = (stored: Event, now: number) => {
  const step = 'schedule';
  if (effective(stored, now).schedule === undefined) return { step, outcome: 'does not apply' } as const;
  return {
    step,
    outcome: 'passes',
    due: dueEntry(stored, now),
    setAt: stored.hand.status?.at,
    next: entriesAhead(stored, now)[0],
    isCancelled: isCancelled(stored),
  } as const;
};

export const rulesStep = ({ event, context: { viewer, configuration } }: Sight) => {
  const step = 'rules';
  if (configuration.hidesAll) return { step, outcome: 'refuses', because: 'later settings' } as const;
  if (viewer.kind === 'vip') return { step, outcome: 'does not apply' } as const;
  if (!rulesShow(configuration.rules, event))
    return { step, outcome: 'refuses', because: 'no rule' } as const;
  // A function, because a call needs no more than one rule.
  const showing = () => configuration.rules.filter((rule) => rulesShow([rule], event));
  return { step, outcome: 'passes', showing } as const;
};

const countriesStep =
  <Step extends string>(step: Step, ruleOf: (sight: Sight) => Geoblocking | undefined) =>
  (sight: Sight) => {
    const rule = ruleOf(sight);
    if (rule === undefined) return { step, outcome: 'does not apply', because: 'no rule' } as const;
    const { country } = sight.context;
    for (const status of sight.statuses) {
      if (ruleBlocks({ rule, status, country })) return { step, outcome: 'refuses', rule, status } as const;
    }
    return { step, outcome: 'passes', rule } as const;
  };

const customerRuleStep = countriesStep(
  'customer countries',
  ({ context }) => context.configuration.geoblocking,
);

export const customerCountriesStep = (sight: Sight) =>
  liftsClientRule(sight.event.geoblocking)
    ? ({ step: 'customer countries', outcome: 'does not apply', because: 'lifted' } as const)
    : customerRuleStep(sight);

export const eventCountriesStep = countriesStep('event countries', ({ event }) => event.geoblocking);

export const streamStep = ({ event: { stream } }: Sight) =>
  stream === undefined
    ? ({ step: 'stream', outcome: 'refuses' } as const)
    : ({ step: 'stream', outcome: 'passes', stream } as const);

export const streamCountriesStep = countriesStep(
  'stream countries',
  ({ event }) => event.stream?.geoblocking,
);

export const purchaseStep = ({ event, context: { viewer } }: Sight) => {
  const step = 'purchase';
  if (viewer.kind === 'vip') return { step, outcome: 'does not apply', because: 'vip' } as const;
  if (event.access === 'free') return { step, outcome: 'does not apply', because: 'free' } as const;
  if (viewer.kind === 'anonymous') return { step, outcome: 'refuses', verdict: 'login-required' } as const;
  if (viewer.kind === 'unverified')
    return { step, outcome: 'refuses', verdict: 'entitlement-unavailable' } as const;
  switch (viewer.entitlement) {
    case 'granted':
      return { step, outcome: 'passes', endsAt: viewer.endsAt } as const;
    case 'denied':
      return { step, outcome: 'refuses', verdict: 'entitlement-denied' } as const;
    case 'no_purchase':
      return event.tickets === undefined
        ? ({ step, outcome: 'refuses', verdict: 'purchase-required' } as const)
        : ({ step, outcome: 'does not apply', because: 'tickets' } as const);
  }
};

export const ticketStep = ({
  event: { access, tickets },
  context: { viewer },
  ticketEndsAt: endsAt,
}: Circumstances) => {
  const step = 'ticket';
  if (tickets === undefined) return { step, outcome: 'does not apply', because: 'no tickets' } as const;
  if (access === 'free' || viewer.kind !== 'logged-in' || viewer.entitlement !== 'no_purchase')
    return { step, outcome: 'does not apply', because: 'not needed' } as const;
  return endsAt === undefined
    ? ({ step, outcome: 'refuses', verdict: 'purchase-required' } as const)
    : ({ step, outcome: 'passes', endsAt } as const);
};

export const timeStep = ({ event: { status, stream }, context: { viewer }, now }: Circumstances) => {
  const step = 'time';
  if (viewer.kind === 'vip') return { step, outcome: 'does not apply' } as const;
  const availableFrom = stream?.availableFrom;
  const refusal = { step, outcome: 'refuses', verdict: 'not-available', availableFrom: undefined } as const;
  if (availableFrom !== undefined && now < Date.parse(availableFrom))
    return { ...refusal, because: 'ahead', availableFrom } as const;
  const until = stream?.availableUntil === undefined ? undefined : Date.parse(stream.availableUntil);
  if (until !== undefined && isWindowOver({ until, now })) return { ...refusal, because: 'over' } as const;
  return isPlayable(status)
    ? ({ step, outcome: 'passes', endsAt: until } as const)
    : ({ ...refusal, because: 'status' } as const);
};

/**
 * CloudFront counts in whole seconds, so in the last second of a window a signature would already have expired. Times
 * are epoch milliseconds.
 */
const isWindowOver = ({ until, now }: { readonly until: number; readonly now: number }): boolean =>
  Math.ceil(now / 1_000) >= Math.floor(until / 1_000);

/** What a later release has stored in an event may be a restriction, also for a VIP. */
export const laterDataStep = ({ event }: Sight) => {
  const step = 'later data';
  return isUnderstood(event)
    ? ({ step, outcome: 'does not apply' } as const)
    : ({ step, outcome: 'refuses', verdict: 'not-available', availableFrom: undefined } as const);
};

/** Why the viewer's streams are not counted, whatever the limits are. */
export const exemptionOf = ({ access }: PresentEvent, { kind }: Viewer): 'vip' | 'free' | undefined => {
  if (kind === 'vip') return 'vip';
  return access === 'free' ? 'free' : undefined;
};

/** Whether the viewer's streams are counted. How many the viewer plays is known to `StreamSessions` alone. */
export const sessionsStep = (
  { event, context: { viewer } }: Pick<Sight, 'event' | 'context'>,
  limits: StreamLimits,
) => {
  const step = 'sessions';
  if (limits.size === 0) return { step, outcome: 'does not apply', because: 'no limit' } as const;
  const because = exemptionOf(event, viewer);
  return because === undefined
    ? ({ step, outcome: 'passes', limits } as const)
    : ({ step, outcome: 'does not apply', because } as const);
};
