import {
  type Circumstances,
  customerCountriesStep,
  eventCountriesStep,
  laterDataStep,
  purchaseStep,
  rulesStep,
  type Sight,
  scheduleStep,
  sessionsStep,
  streamCountriesStep,
  streamStep,
  ticketStep,
  timeStep,
} from './decision-steps.ts';
import { effective, entriesAhead } from './events/effective.ts';
import type { Event, PresentEvent, Stream } from './events/event.ts';
import { canBeLive, statusesToJudge } from './events/event-kinds.ts';
import type { StreamLimits } from './sessions/viewer-sessions.ts';
import { countryCodes } from './viewers/countries.ts';
import type { ViewerContext } from './viewers/viewer-context.ts';

/** The country cannot be determined at the moment, and in at least one country the event would not be hidden. */
interface Undecided {
  readonly outcome: 'country-unavailable';
}

export interface ShownEvent {
  readonly event: PresentEvent;
  /** Whether a viewer in this context cannot play the event while it is LIVE, because of a country rule. */
  readonly isBlockedWhenLive: boolean;
}

export type EventVerdict =
  | ({ readonly outcome: 'shown' } & ShownEvent)
  | { readonly outcome: 'not-found' }
  | Undecided;

/**
 * The event is visible, but the viewer may not play its stream, or it is unknown at the moment whether the viewer may.
 */
interface NoAccess extends VisibleStream {
  readonly outcome: 'login-required' | 'purchase-required' | 'entitlement-denied' | 'entitlement-unavailable';
}

export interface VisibleStream {
  readonly event: PresentEvent;
  readonly stream: Stream;
}

export type StreamVerdict =
  | (VisibleStream & {
      readonly outcome: 'playable';
      /** Every signature must expire at this time at the latest; epoch milliseconds. */
      readonly endsAt: number | undefined;
    })
  | { readonly outcome: 'not-found' }
  | Undecided
  | NoAccess
  /** `availableFrom` is set only if the stream becomes available in the future. */
  | { readonly outcome: 'not-available'; readonly availableFrom: string | undefined };

const notFound = { outcome: 'not-found' } as const;

/*
 * A decision is a list of steps (decision-steps.ts). The first step that refuses decides, and the later ones are not
 * taken. If none refuses, the viewer may play until the first moment at which one of them would. `traceStream` takes all
 * steps. Nothing else judges who sees or plays an event.
 */

/** After `rulesStep`, a refusal of these hides the event. */
const eventSteps = [customerCountriesStep, eventCountriesStep];
const streamSteps = [...eventSteps, streamStep, streamCountriesStep];
const liveSteps = [...eventSteps, streamCountriesStep];
/** A refusal of these is told to the viewer, who sees the event. */
const accessSteps = [purchaseStep, ticketStep, timeStep, laterDataStep];

/** When a decision is made. The schedule of an event gives it the status that it has then. */
export interface DecisionTime {
  /** Epoch milliseconds. */
  readonly now: number;
}

/**
 * Whether an event is visible in this context. The order is fixed (docs/interface.md#who-sees-and-plays-what): first
 * the viewer, then the customer's rules (not for a VIP), then the countries (for every viewer).
 */
export const decideEvent = (
  stored: Event | undefined,
  context: ViewerContext,
  { now }: DecisionTime,
): EventVerdict => {
  if (stored === undefined) return notFound;
  const event = effective(stored, now);
  const hidden = hiddenBy(eventSteps, { event, context, statuses: [event.status] });
  return hidden ?? { outcome: 'shown', event, isBlockedWhenLive: isBlockedWhenLive(event, context) };
};

const live = ['LIVE'] as const;
const isBlockedWhenLive = (event: PresentEvent, context: ViewerContext): boolean =>
  canBeLive(event.status) && anyRefuses(liveSteps, { event, context, statuses: live });

type SightSteps = readonly ((sight: Sight) => Pick<Step, 'outcome'>)[];

const anyRefuses = (steps: SightSteps, sight: Sight): boolean => {
  for (const take of steps) if (take(sight).outcome === 'refuses') return true;
  return false;
};

/**
 * The verdict if the rules or one of the steps refuse. While no country can be looked up, it may depend on the country.
 */
const hiddenBy = (steps: SightSteps, sight: Sight): typeof notFound | Undecided | undefined => {
  if (rulesStep(sight).outcome === 'refuses') return notFound;
  if (!anyRefuses(steps, sight)) return undefined;
  const { event, statuses, context } = sight;
  const { viewer, configuration, isLookupOut = false } = context;
  const isDecidedByCountry =
    isLookupOut &&
    [...countryCodes].some(
      (country) => !anyRefuses(steps, { event, statuses, context: { viewer, configuration, country } }),
    );
  return isDecidedByCountry ? { outcome: 'country-unavailable' } : notFound;
};

/** When a decision about a stream is made, and what it depends on besides the tables. */
interface StreamTime extends DecisionTime {
  /**
   * A viewer who did not buy the event holds a ticket, which gives access until this time; epoch milliseconds.
   * @default no ticket is known
   */
  readonly ticketEndsAt?: number | undefined;
}

/**
 * Checks in this order: whether the event is visible, whether the viewer has access, and whether the time and the
 * status allow playing. The outcome for a hidden event is `not-found`, because a 403 would reveal that the event
 * exists. For a VIP only the countries are checked. Nobody plays an event of which a later release has stored something
 * that this one does not know: it may be a restriction. What is signed ends with the first entry of the event's
 * schedule at which the same viewer would be refused.
 */
export const decideStream = (
  stored: Event | undefined,
  context: ViewerContext,
  { now, ticketEndsAt }: StreamTime,
): StreamVerdict => {
  if (stored === undefined) return notFound;
  const judgeAt = (at: number) =>
    judgeStream(circumstancesOf(effective(stored, at), context, { now: at, ticketEndsAt }));
  const verdict = judgeAt(now);
  if (verdict.outcome !== 'playable') return verdict;
  const refusing = entriesAhead(stored, now)
    .map(({ at }) => Date.parse(at))
    .find((at) => judgeAt(at).outcome !== 'playable');
  return { ...verdict, endsAt: earliest(verdict.endsAt, refusing) };
};

const circumstancesOf = (
  event: PresentEvent,
  context: ViewerContext,
  { now, ticketEndsAt }: StreamTime,
): Circumstances => ({ event, context, statuses: statusesToJudge(event.status), now, ticketEndsAt });

/** As {@link decideStream}, for an event with the status that it has `now`, and as if it kept this status. */
const judgeStream = (circumstances: Circumstances): StreamVerdict => {
  const { event } = circumstances;
  const { stream } = event;
  const hidden = hiddenBy(streamSteps, circumstances);
  if (hidden !== undefined || stream === undefined) return hidden ?? notFound;
  let endsAt: number | undefined;
  for (const take of accessSteps) {
    const step = take(circumstances);
    if (step.outcome === 'refuses') {
      return step.verdict === 'not-available'
        ? { outcome: step.verdict, availableFrom: step.availableFrom }
        : { outcome: step.verdict, event, stream };
    }
    if (step.outcome === 'passes') endsAt = earliest(endsAt, step.endsAt);
  }
  return { outcome: 'playable', event, stream, endsAt };
};

const earliest = (one: number | undefined, other: number | undefined): number | undefined => {
  if (one === undefined || other === undefined) return one ?? other;
  return Math.min(one, other);
};

/**
 * All steps of the decision about a stream, also those behind a refusal. The last step is taken by the stream call after
 * {@link decideStream}, because the limits are read only for a viewer who may play.
 */
export const traceStream = (
  stored: Event,
  context: ViewerContext,
  { limits, ...moment }: StreamTime & { readonly limits: StreamLimits },
) => {
  const event = effective(stored, moment.now);
  const circumstances = circumstancesOf(event, context, moment);
  return {
    verdict: decideStream(stored, context, moment).outcome,
    event,
    steps: [
      scheduleStep(stored, moment.now),
      ...[rulesStep, ...streamSteps, ...accessSteps].map((take) => take(circumstances)),
      sessionsStep(circumstances, limits),
    ],
  };
};

/** A step that was taken, and what it found. */
export type Step = ReturnType<typeof traceStream>['steps'][number];
