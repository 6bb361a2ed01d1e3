import type { OttConfiguration } from './configuration.ts';
import type { Country } from './countries.ts';
import type { Event, Stream } from './event.ts';
import type { EventStatus } from './event-kinds.ts';
import { liftsClientRule, ruleBlocks } from './geoblocking.ts';
import { rulesShow } from './rules.ts';
import type { Viewer } from './viewer.ts';

/** What a caller may see depends only on these fields. */
export interface Audience {
  readonly viewer: Viewer;
  readonly client: OttConfiguration;
  readonly country: Country;
}

export type Verdict =
  | { readonly outcome: 'shown'; readonly event: Event }
  | { readonly outcome: 'not-found' };

export type StreamVerdict =
  | {
      readonly outcome: 'playable';
      readonly event: Event;
      readonly stream: Stream;
      /** Every signature must expire at this time at the latest; epoch milliseconds. */
      readonly endsAt: number | undefined;
    }
  | { readonly outcome: 'not-found' }
  | { readonly outcome: 'login-required' }
  | { readonly outcome: 'purchase-required' }
  | { readonly outcome: 'entitlement-denied' }
  | { readonly outcome: 'entitlement-unavailable' }
  /** `availableFrom` is set only if the stream becomes available in the future. */
  | { readonly outcome: 'not-available'; readonly availableFrom: string | undefined };

const notFound = { outcome: 'not-found' } as const;

/**
 * Whether an event is visible to this audience. Checks in the order of section 4.8 of the interface document: first the
 * viewer, then the customer's rules (not for a VIP), then the countries (for every viewer).
 */
export const decideEvent = (event: Event | undefined, audience: Audience): Verdict => {
  if (event === undefined) return notFound;

  const { viewer, client } = audience;
  if (viewer.kind !== 'vip' && !rulesShow(client.rules, event)) return notFound;
  if (isOutOfBounds(event, { ...audience, status: event.status })) return notFound;

  return { outcome: 'shown', event };
};

/** Whether the client's rule or the event's own rule blocks the event in this country at the given status. */
const isOutOfBounds = (
  { geoblocking: own }: Event,
  { client, country, status }: Pick<Audience, 'client' | 'country'> & { readonly status: EventStatus },
): boolean => {
  const clientRule = liftsClientRule(own) ? undefined : client.geoblocking;
  return ruleBlocks({ rule: clientRule, status, country }) || ruleBlocks({ rule: own, status, country });
};

/** An event can change from `UPCOMING` to `LIVE` at any moment, so the rules for `LIVE` also apply to `UPCOMING`. */
const statusesToJudge = (status: EventStatus): readonly EventStatus[] =>
  status === 'UPCOMING' ? ['UPCOMING', 'LIVE'] : [status];

const playableStatuses: ReadonlySet<EventStatus> = new Set(['LIVE', 'VOD']);

/**
 * Checks in this order: whether the event is visible, whether the viewer has access, and whether the time and the
 * status allow playing. The outcome for a hidden event is `not-found`, because a 403 would reveal that the event
 * exists. For a VIP only the countries are checked.
 */
export const decideStream = (
  candidate: Event | undefined,
  audience: Audience,
  { now }: { /** Epoch milliseconds. */ readonly now: number },
): StreamVerdict => {
  const verdict = decideEvent(candidate, audience);
  if (verdict.outcome === 'not-found') return notFound;

  const { event } = verdict;
  const { stream } = event;
  if (stream === undefined) return notFound;
  const { country, viewer } = audience;
  const isBlocked = statusesToJudge(event.status).some(
    (status) =>
      isOutOfBounds(event, { ...audience, status }) ||
      ruleBlocks({ rule: stream.geoblocking, status, country }),
  );
  if (isBlocked) return notFound;

  if (viewer.kind === 'vip') return { outcome: 'playable', event, stream, endsAt: undefined };
  const refusal = event.access === 'free' ? undefined : refusalOf(viewer);
  if (refusal !== undefined) return refusal;

  const from = momentOf(stream.availableFrom);
  const until = momentOf(stream.availableUntil);
  const isAhead = from !== undefined && now < from;
  const isOver = until !== undefined && now >= until;
  if (isAhead || isOver || !playableStatuses.has(event.status)) {
    return { outcome: 'not-available', availableFrom: isAhead ? stream.availableFrom : undefined };
  }
  const grantEndsAt = event.access === 'paid' ? grantEndOf(viewer) : undefined;
  return { outcome: 'playable', event, stream, endsAt: earliest(until, grantEndsAt) };
};

const grantEndOf = (viewer: Viewer): number | undefined =>
  viewer.kind === 'logged-in' && viewer.entitlement === 'granted' ? viewer.endsAt : undefined;

const earliest = (...moments: readonly (number | undefined)[]): number | undefined => {
  const known = moments.filter((moment) => moment !== undefined);
  return known.length === 0 ? undefined : Math.min(...known);
};

const momentOf = (text: string | undefined): number | undefined =>
  text === undefined ? undefined : Date.parse(text);

const refusalOf = (viewer: Exclude<Viewer, { readonly kind: 'vip' }>): StreamVerdict | undefined => {
  switch (viewer.kind) {
    case 'anonymous':
      return { outcome: 'login-required' };
    case 'unverified':
      return { outcome: 'entitlement-unavailable' };
    case 'logged-in':
      if (viewer.entitlement === 'granted') return undefined;
      return { outcome: viewer.entitlement === 'no_purchase' ? 'purchase-required' : 'entitlement-denied' };
  }
};
