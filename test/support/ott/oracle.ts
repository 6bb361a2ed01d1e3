/** What a geoblocking rule says where there is one; `off` is switched off, which lifts the client's if it is the event's. */
export type GeoRule = 'none' | 'off' | 'every status' | 'its status' | 'LIVE' | 'others';

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
  /** Seen by every geoblocking rule of the case. */
  readonly country: 'blocked' | 'not blocked' | 'unknown';
  /** Rules of the client, the event and the stream, for the event's status, LIVE alone, or others than either. */
  readonly geo: { readonly client: GeoRule; readonly event: GeoRule; readonly stream: GeoRule };
  readonly mode: 'block' | 'allow';
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

/** Nobody knows one while the service is down, and whom it denies is none. */
const isVip = ({ viewer, entitlement }: Case): boolean => viewer === 'VIP' && entitlement === 'success';

export const expectation = (given: Case): Expectation => {
  const isKnownAsVip = isVip(given);
  const isOutOfReachForRules = given.rule !== 'allows' && !isKnownAsVip;
  const isInForbiddenCountry = given.country !== 'not blocked';
  const countsNow = (rule: GeoRule) =>
    rule === 'every status' || rule === 'its status' || (rule === 'LIVE' && given.status === 'LIVE');
  // Before it is LIVE a stream is kept from whom LIVE would be kept from.
  const countsForStream = (rule: GeoRule) =>
    countsNow(rule) || (given.status === 'UPCOMING' && rule === 'LIVE');

  const { event, stream } = given.geo;
  const client = event === 'off' ? 'none' : given.geo.client;
  const isHidden = isOutOfReachForRules || (isInForbiddenCountry && (countsNow(client) || countsNow(event)));
  const isStreamHidden = isHidden || (isInForbiddenCountry && [client, event, stream].some(countsForStream));

  return { listed: !isHidden, event: isHidden ? 404 : 200, stream: streamOf(given, isStreamHidden) };
};

const streamOf = (given: Case, isHidden: boolean): Expectation['stream'] => {
  if (isHidden) return '404 EVENT_NOT_FOUND';
  if (given.access === 'paid') {
    if (given.viewer === 'not logged in') return '403 LOGIN';
    if (given.entitlement === 'down') return '503';
  }
  if (isVip(given)) return '200';
  if (given.access === 'paid') {
    if (given.entitlement === 'denied') return '403 DENIED';
    if (!given.purchased) return '403 PURCHASE';
  }
  if (given.window === 'before') return '404 STREAM_NOT_AVAILABLE, with when';
  if (given.window === 'after') return '404 STREAM_NOT_AVAILABLE';
  return given.status === 'LIVE' || given.status === 'VOD' ? '200' : '404 STREAM_NOT_AVAILABLE';
};
