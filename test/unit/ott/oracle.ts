/**
 * What must come of a case, written from the interface document (2.7 and 4.8) and from what is promised about windows, and
 * not from the code: a list of reasons against, in words of its own.
 */
export interface Case {
  readonly viewer: 'not logged in' | 'logged in' | 'VIP';
  readonly access: 'free' | 'paid';
  readonly status: 'UPCOMING' | 'LIVE' | 'FINISHED' | 'VOD' | 'CANCELLED';
  /** Where now lies in the stream's window; `none` has none. */
  readonly window: 'none' | 'before' | 'within' | 'after';
  readonly rule: 'allows' | 'allows not' | 'none';
  readonly country: 'blocked' | 'not blocked' | 'unknown';
  readonly geoRuleOf: 'client' | 'event' | 'stream' | 'none';
  readonly mode: 'block' | 'allow';
  /** Whether the geoblocking rule names statuses: the event's, LIVE alone, or others than either. */
  readonly statuses: 'left out' | 'named' | 'LIVE named' | 'others named';
  readonly purchased: boolean;
  readonly entitlement: 'success' | 'denied' | 'down';
}

export interface Expectation {
  readonly listed: boolean;
  readonly event: 200 | 404;
  readonly stream:
    | '200'
    | '404 EVENT_NOT_FOUND'
    | '404 STREAM_NOT_AVAILABLE'
    | '404 STREAM_NOT_AVAILABLE, with when'
    | '503'
    | '403 LOGIN'
    | '403 PURCHASE'
    | '403 DENIED';
}

export const expectation = (given: Case): Expectation => {
  const isKnownAsVip = given.viewer === 'VIP' && given.entitlement !== 'down';
  const isOutOfReachForRules = given.rule !== 'allows' && !isKnownAsVip;
  const isInForbiddenCountry = given.country !== 'not blocked';
  const ruleCountsNow =
    given.statuses === 'left out' ||
    given.statuses === 'named' ||
    (given.statuses === 'LIVE named' && given.status === 'LIVE');
  // Before it is LIVE a stream is kept from whom LIVE would be kept from.
  const ruleCountsForStream =
    ruleCountsNow || (given.status === 'UPCOMING' && given.statuses === 'LIVE named');

  const isRuleOfEvent = given.geoRuleOf === 'client' || given.geoRuleOf === 'event';
  const isHidden = isOutOfReachForRules || (isRuleOfEvent && isInForbiddenCountry && ruleCountsNow);
  const isStreamHidden =
    isHidden || (given.geoRuleOf !== 'none' && isInForbiddenCountry && ruleCountsForStream);

  return { listed: !isHidden, event: isHidden ? 404 : 200, stream: streamOf(given, isStreamHidden) };
};

const streamOf = (given: Case, isHidden: boolean): Expectation['stream'] => {
  if (isHidden) return '404 EVENT_NOT_FOUND';
  if (given.access === 'paid') {
    if (given.viewer === 'not logged in') return '403 LOGIN';
    if (given.entitlement === 'down') return '503';
  }
  if (given.viewer === 'VIP' && given.entitlement !== 'down') return '200';
  if (given.access === 'paid') {
    if (given.entitlement === 'denied') return '403 DENIED';
    if (!given.purchased) return '403 PURCHASE';
  }
  if (given.window === 'before') return '404 STREAM_NOT_AVAILABLE, with when';
  if (given.window === 'after') return '404 STREAM_NOT_AVAILABLE';
  return given.status === 'LIVE' || given.status === 'VOD' ? '200' : '404 STREAM_NOT_AVAILABLE';
};
