import type { OttConfiguration } from './configuration.ts';
import type { Country } from './countries.ts';
import type { Event, Stream } from './event.ts';
import { liftsClientRule, ruleBlocks } from './geoblocking.ts';
import { rulesShow } from './rules.ts';
import type { Viewer } from './viewer.ts';

/** Everything about a request that decides what it may see. */
export interface Audience {
  readonly viewer: Viewer;
  /** The rules and countries of the client application. */
  readonly client: OttConfiguration;
  readonly country: Country;
}

export type Verdict =
  | { readonly outcome: 'shown'; readonly event: Event }
  | { readonly outcome: 'not-found' };

export type StreamVerdict =
  | { readonly outcome: 'playable'; readonly event: Event; readonly stream: Stream }
  | { readonly outcome: 'not-found' }
  | { readonly outcome: 'login-required' }
  | { readonly outcome: 'purchase-required' }
  | { readonly outcome: 'entitlement-denied' }
  | { readonly outcome: 'entitlement-unavailable' };

const notFound = { outcome: 'not-found' } as const;

/**
 * Whether an event is there for this audience, in the order of section 4.8 of the interface document:
 * the viewer, then the customer's rules (from which a VIP is free), then the countries (from which nobody is).
 */
export const decideEvent = (event: Event | undefined, { viewer, client, country }: Audience): Verdict => {
  if (event === undefined) return notFound;

  if (viewer.kind !== 'vip' && !rulesShow(client.rules, event)) return notFound;

  const { status, geoblocking: own } = event;
  const clientRule = liftsClientRule(own) ? undefined : client.geoblocking;
  if (ruleBlocks({ rule: clientRule, status, country })) return notFound;
  if (ruleBlocks({ rule: own, status, country })) return notFound;

  return { outcome: 'shown', event };
};

/**
 * Whether an event's stream may be played. What is not there for this audience is not found, before anything
 * is said about logins or purchases: a 403 would tell that the event exists.
 */
export const decideStream = (candidate: Event | undefined, audience: Audience): StreamVerdict => {
  const verdict = decideEvent(candidate, audience);
  if (verdict.outcome === 'not-found') return notFound;

  const { event } = verdict;
  const { stream, status } = event;
  if (stream === undefined) return notFound;
  if (ruleBlocks({ rule: stream.geoblocking, status, country: audience.country })) return notFound;

  const playable = { outcome: 'playable', event, stream } as const;
  if (event.access === 'free') return playable;

  const { viewer } = audience;
  switch (viewer.kind) {
    case 'vip':
      return playable;
    case 'anonymous':
      return { outcome: 'login-required' };
    case 'unverified':
      return { outcome: 'entitlement-unavailable' };
    case 'logged-in':
      if (viewer.entitlement === 'granted') return playable;
      return { outcome: viewer.entitlement === 'no_purchase' ? 'purchase-required' : 'entitlement-denied' };
  }
};
