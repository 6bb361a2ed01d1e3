/**
 * The event statuses that a geoblocking rule applies to. `others` are all but the event's status and LIVE. `off` is a
 * disabled rule. If the event has it, the client's rule does not apply either.
 */
export type GeoRule = 'none' | 'off' | 'every status' | 'its status' | 'LIVE' | 'others';

export type EventStatus = 'UPCOMING' | 'LIVE' | 'FINISHED' | 'VOD' | 'CANCELLED';

/** What decides the status of an event. Times are in epoch milliseconds. */
export interface StatusSource {
  /** In the file. */
  readonly status: EventStatus;
  /** In the order of time. */
  readonly schedule: readonly { readonly at: number; readonly status: EventStatus }[];
  /** The last status that an operator has set. @default none */
  readonly byHand?: { readonly at: number; readonly status: EventStatus } | undefined;
}

/**
 * The status of an event is its last entry that is due, else the one of the file. An operator's status counts until the
 * next entry, but CANCELLED drops all entries to come. CANCELLED in a file does the same.
 */
export const statusAt = ({ status, schedule, byHand }: StatusSource, now: number): EventStatus => {
  if ((byHand?.status ?? status) === 'CANCELLED') return 'CANCELLED';
  const due = schedule.filter(({ at }) => at <= now && (byHand === undefined || at > byHand.at));
  return due.at(-1)?.status ?? byHand?.status ?? status;
};

/**
 * How an event comes to its status. `due`: by an entry of this moment, while another status is stored. `stored`: by an
 * earlier entry, which was stored. `ahead`: it has it until the next moment. `by hand`: an operator set it after an
 * entry, and another entry is ahead.
 */
export type StatusOrigin = 'file' | 'due' | 'stored' | 'ahead' | 'by hand';

/**
 * A case of the decision table. `expectation` is written from docs/interface.md#who-sees-and-plays-what and from what
 * is promised about windows, not from the code.
 */
export interface Case {
  readonly viewer: 'not logged in' | 'logged in' | 'VIP';
  readonly access: 'free' | 'paid';
  /** The status at the time of the request. */
  readonly status: EventStatus;
  readonly origin: StatusOrigin;
  /** Where the current time lies relative to the stream's window. `none`: there is no window. */
  readonly window: 'none' | 'before' | 'within' | 'after';
  readonly rule: 'allows' | 'allows not' | 'none';
  /** The viewer's country, as every geoblocking rule of the case treats it. */
  readonly country: 'blocked' | 'not blocked' | 'unknown';
  /** The geoblocking rules of the client, the event and the stream. */
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

/** While the entitlement service is down, nobody is known to be a VIP. A user whom it denies is not a VIP. */
const isVip = ({ viewer, entitlement }: Case): boolean => viewer === 'VIP' && entitlement === 'success';

export const expectation = (given: Case): Expectation => {
  const isKnownAsVip = isVip(given);
  const isOutOfReachForRules = given.rule !== 'allows' && !isKnownAsVip;
  const isInForbiddenCountry = given.country !== 'not blocked';
  const countsNow = (rule: GeoRule) =>
    rule === 'every status' || rule === 'its status' || (rule === 'LIVE' && given.status === 'LIVE');
  // The stream of an UPCOMING event is also hidden from viewers who would be blocked once the event is LIVE.
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
