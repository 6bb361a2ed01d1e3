import type { OttConfiguration } from './configuration.ts';
import { effective, entriesAhead } from './events/effective.ts';
import type { Event, PresentEvent, Stream } from './events/event.ts';
import { canBeLive, type EventStatus, isPlayable, statusesToJudge } from './events/event-kinds.ts';
import { isUnderstood } from './events/later-fields.ts';
import { type Country, countryCodes } from './viewers/countries.ts';
import { liftsClientRule, ruleBlocks } from './viewers/geoblocking.ts';
import { rulesShow } from './viewers/rules.ts';
import type { Viewer } from './viewers/viewer.ts';

/** What a caller may see depends only on these fields. */
export interface Audience {
  readonly viewer: Viewer;
  readonly client: OttConfiguration;
  readonly country: Country;
  /** Whether the country is unknown because the geolocation service does not answer. @default false */
  readonly isLookupOut?: boolean;
}

/** The country cannot be determined at the moment, and in at least one country the event would not be hidden. */
interface Undecided {
  readonly outcome: 'country-unavailable';
}

export interface ShownEvent {
  readonly event: PresentEvent;
  /** Whether this audience cannot play the event while it is LIVE, because of a country rule. */
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
const notAvailable = { outcome: 'not-available', availableFrom: undefined } as const;

/** When a decision is made. The schedule of an event gives it the status that it has then. */
export interface DecisionTime {
  /** Epoch milliseconds. */
  readonly now: number;
}

/**
 * Whether an event is visible to this audience. The order is fixed (docs/interface.md#who-sees-and-plays-what): first
 * the viewer, then the customer's rules (not for a VIP), then the countries (for every viewer).
 */
export const decideEvent = (
  stored: Event | undefined,
  audience: Audience,
  { now }: DecisionTime,
): EventVerdict => {
  const event = stored && effective(stored, now);
  if (event === undefined || !isShownByRules(event, audience)) return notFound;

  const { client } = audience;
  const { status } = event;
  const refusal = refusalByCountry(audience, (country) => isOutOfBounds(event, { client, country, status }));
  return refusal ?? { outcome: 'shown', ...shownEvent(event, audience) };
};

export const shownEvent = (event: PresentEvent, { client, country }: Audience): ShownEvent => ({
  event,
  isBlockedWhenLive:
    canBeLive(event.status) && isStreamOutOfBounds(event, { client, country, status: 'LIVE' }),
});

const isShownByRules = (event: PresentEvent, { viewer, client }: Audience): boolean =>
  client.hidesAll !== true && (viewer.kind === 'vip' || rulesShow(client.rules, event));

const refusalByCountry = (
  { country, isLookupOut = false }: Audience,
  isBlockedIn: (country: Country) => boolean,
): typeof notFound | Undecided | undefined => {
  if (!isBlockedIn(country)) return undefined;
  const isDecidedByCountry = isLookupOut && [...countryCodes].some((code) => !isBlockedIn(code));
  return isDecidedByCountry ? { outcome: 'country-unavailable' } : notFound;
};

type Circumstances = Pick<Audience, 'client' | 'country'> & { readonly status: EventStatus };

/** Whether the client's rule or the event's own rule blocks the event in this country at the given status. */
const isOutOfBounds = (
  { geoblocking: own }: PresentEvent,
  { client, country, status }: Circumstances,
): boolean => {
  const clientRule = liftsClientRule(own) ? undefined : client.geoblocking;
  return ruleBlocks({ rule: clientRule, status, country }) || ruleBlocks({ rule: own, status, country });
};

/** As `isOutOfBounds`, with the stream's own rule. */
const isStreamOutOfBounds = (event: PresentEvent, circumstances: Circumstances): boolean =>
  isOutOfBounds(event, circumstances) || ruleBlocks({ rule: event.stream?.geoblocking, ...circumstances });

/** When a decision about a stream is made, and what it depends on besides the tables. */
interface StreamTime extends DecisionTime {
  /** The viewer holds a ticket, which gives access until this time; epoch milliseconds. @default no ticket is known */
  readonly ticketEndsAt?: number | undefined;
}

/**
 * Checks in this order: whether the event is visible, whether the viewer has access, and whether the time and the
 * status allow playing. The outcome for a hidden event is `not-found`, because a 403 would reveal that the event
 * exists. For a VIP only the countries are checked. Nobody plays an event of which a later release has stored something
 * that this one does not know: it may be a restriction. What is signed ends with the first entry of the event's schedule at
 * which the same viewer would be refused.
 */
export const decideStream = (
  stored: Event | undefined,
  audience: Audience,
  moment: StreamTime,
): StreamVerdict => {
  if (stored === undefined) return notFound;
  const judgeAt = (now: number) => judgeStream(effective(stored, now), audience, { ...moment, now });
  const verdict = judgeAt(moment.now);
  if (verdict.outcome !== 'playable') return verdict;
  const refusing = entriesAhead(stored, moment.now)
    .map(({ at }) => Date.parse(at))
    .find((at) => judgeAt(at).outcome !== 'playable');
  return { ...verdict, endsAt: earliest(verdict.endsAt, refusing) };
};

/** As {@link decideStream}, for an event with the status that it has `now`, and as if it kept this status. */
const judgeStream = (
  event: PresentEvent,
  audience: Audience,
  { now, ticketEndsAt }: StreamTime,
): StreamVerdict => {
  if (!isShownByRules(event, audience)) return notFound;

  const { stream } = event;
  if (stream === undefined) return notFound;
  const { client, viewer } = audience;
  const countryRefusal = refusalByCountry(audience, (country) =>
    statusesToJudge(event.status).some((status) => isStreamOutOfBounds(event, { client, country, status })),
  );
  if (countryRefusal !== undefined) return countryRefusal;

  if (viewer.kind === 'vip') {
    return isUnderstood(event) ? { outcome: 'playable', event, stream, endsAt: undefined } : notAvailable;
  }
  if (event.access === 'free') return judgeMoment({ event, stream }, { now });
  const refusal = ticketEndsAt === undefined ? refusalOf(viewer) : undefined;
  return refusal === undefined
    ? judgeMoment({ event, stream }, { now, accessEndsAt: ticketEndsAt ?? grantEndOf(viewer) })
    : { outcome: refusal, event, stream };
};

/** The last step of {@link decideStream}, for a viewer who has access: whether the time and the status allow playing. */
const judgeMoment = (
  { event, stream }: VisibleStream,
  {
    now,
    accessEndsAt,
  }: {
    /** Epoch milliseconds. */
    readonly now: number;
    /** When the purchase or the ticket expires, in epoch milliseconds. @default when the signature expires */
    readonly accessEndsAt?: number | undefined;
  },
): StreamVerdict => {
  const from = momentOf(stream.availableFrom);
  const until = momentOf(stream.availableUntil);
  const isAhead = from !== undefined && now < from;
  const isOver = until !== undefined && isWindowOver({ until, now });
  if (!isUnderstood(event) || isAhead || isOver || !isPlayable(event.status)) {
    return { outcome: 'not-available', availableFrom: isAhead ? stream.availableFrom : undefined };
  }
  return { outcome: 'playable', event, stream, endsAt: earliest(until, accessEndsAt) };
};

const grantEndOf = (viewer: Viewer): number | undefined =>
  viewer.kind === 'logged-in' && viewer.entitlement === 'granted' ? viewer.endsAt : undefined;

const earliest = (...moments: readonly (number | undefined)[]): number | undefined => {
  const known = moments.filter((moment) => moment !== undefined);
  return known.length === 0 ? undefined : Math.min(...known);
};

/**
 * CloudFront counts in whole seconds, so in the last second of a window a signature would already have expired. Times
 * are epoch milliseconds.
 */
export const isWindowOver = ({ until, now }: { readonly until: number; readonly now: number }): boolean =>
  Math.ceil(now / 1_000) >= Math.floor(until / 1_000);

const momentOf = (text: string | undefined): number | undefined =>
  text === undefined ? undefined : Date.parse(text);

const refusalOf = (viewer: Exclude<Viewer, { readonly kind: 'vip' }>): NoAccess['outcome'] | undefined => {
  switch (viewer.kind) {
    case 'anonymous':
      return 'login-required';
    case 'unverified':
      return 'entitlement-unavailable';
    case 'logged-in':
      if (viewer.entitlement === 'granted') return undefined;
      return viewer.entitlement === 'no_purchase' ? 'purchase-required' : 'entitlement-denied';
  }
};
