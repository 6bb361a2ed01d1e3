/**
 * What must come of a case, written from section 2.7 and 4.8 of the interface document and not from the code:
 * a list of reasons against, in words of its own.
 */
export interface Case {
  readonly viewer: 'not logged in' | 'logged in' | 'VIP';
  readonly access: 'free' | 'paid';
  readonly status: 'UPCOMING' | 'LIVE' | 'FINISHED' | 'VOD' | 'CANCELLED';
  readonly rule: 'allows' | 'allows not' | 'none';
  readonly country: 'blocked' | 'not blocked' | 'unknown';
  readonly geoRuleOf: 'client' | 'event' | 'stream' | 'none';
  readonly mode: 'block' | 'allow';
  /** Whether the geoblocking rule names statuses, and if so, whether the event's is one of them. */
  readonly statuses: 'left out' | 'named' | 'others named';
  readonly purchased: boolean;
  readonly entitlement: 'success' | 'denied' | 'down';
}

export interface Expectation {
  readonly listed: boolean;
  readonly event: 200 | 404;
  readonly stream: '200' | '404' | '503' | '403 LOGIN' | '403 PURCHASE' | '403 DENIED';
}

export const expectation = (given: Case): Expectation => {
  const isKnownAsVip = given.viewer === 'VIP' && given.entitlement !== 'down';
  const isOutOfReachForRules = given.rule !== 'allows' && !isKnownAsVip;
  const isKeptOut = given.country !== 'not blocked' && given.statuses !== 'others named';

  const isHidden =
    isOutOfReachForRules || (isKeptOut && (given.geoRuleOf === 'client' || given.geoRuleOf === 'event'));
  const isStreamHidden = isHidden || (isKeptOut && given.geoRuleOf === 'stream');

  return { listed: !isHidden, event: isHidden ? 404 : 200, stream: streamOf(given, isStreamHidden) };
};

const streamOf = (given: Case, isHidden: boolean): Expectation['stream'] => {
  if (isHidden) return '404';
  if (given.access === 'free') return '200';
  if (given.viewer === 'not logged in') return '403 LOGIN';
  if (given.entitlement === 'down') return '503';
  if (given.viewer === 'VIP') return '200';
  if (given.entitlement === 'denied') return '403 DENIED';
  return given.purchased ? '200' : '403 PURCHASE';
};
