import { type EventStatus, type Expectation, type StatusSource, statusAt } from './oracle.ts';

/** A rule that blocks these countries while the event has one of these statuses. */
export interface Block {
  readonly countries: readonly string[];
  readonly statuses: readonly EventStatus[];
}

export interface ScheduledCase {
  readonly viewer: {
    readonly kind: 'anonymous' | 'bought' | 'not bought' | 'denied' | 'VIP';
    /** `undefined` is unknown. */
    readonly country: string | undefined;
  };
  readonly event: StatusSource & { readonly access: 'free' | 'paid'; readonly block: Block | undefined };
  /** The stream's own rule. */
  readonly streamBlock: Block | undefined;
  readonly client: { readonly shown: readonly EventStatus[]; readonly block: Block };
}

const blocks = (block: Block | undefined, status: EventStatus, country: string | undefined): boolean =>
  block?.statuses.includes(status) === true && (country === undefined || block.countries.includes(country));

export interface ScheduledExpectation {
  /** `undefined` if the event is hidden. */
  readonly shownAs: EventStatus | undefined;
  readonly stream: Expectation['stream'];
}

/**
 * What a viewer may get of an event at a time, in epoch milliseconds. Written from docs/interface.md and from what is
 * promised about schedules, not from the code.
 */
export const expectationAt = (
  { viewer: { kind, country }, event, streamBlock, client }: ScheduledCase,
  now: number,
): ScheduledExpectation => {
  const status = statusAt(event, now);
  const isVip = kind === 'VIP';
  const isHiddenAs = (of: EventStatus): boolean =>
    blocks(client.block, of, country) || blocks(event.block, of, country);
  const isHidden = (!isVip && !client.shown.includes(status)) || isHiddenAs(status);
  const shownAs = isHidden ? undefined : status;
  // Before the event is LIVE, its stream is hidden from those for whom it will be hidden then.
  const statuses: readonly EventStatus[] = status === 'UPCOMING' ? ['UPCOMING', 'LIVE'] : [status];
  const isStreamHidden =
    isHidden || statuses.some((each) => isHiddenAs(each) || blocks(streamBlock, each, country));
  if (isStreamHidden) return { shownAs, stream: '404 EVENT_NOT_FOUND' };
  if (isVip) return { shownAs, stream: '200' };
  if (event.access === 'paid') {
    if (kind === 'anonymous') return { shownAs, stream: '403 LOGIN' };
    if (kind === 'denied') return { shownAs, stream: '403 DENIED' };
    if (kind === 'not bought') return { shownAs, stream: '403 PURCHASE' };
  }
  const isPlayable = status === 'LIVE' || status === 'VOD';
  return { shownAs, stream: isPlayable ? '200' : '404 STREAM_NOT_AVAILABLE' };
};

/** When the viewer is refused for the first time after `now`. `undefined` if never. */
export const refusedFrom = (given: ScheduledCase, now: number): number | undefined =>
  given.event.schedule
    .map(({ at }) => at)
    .find((at) => at > now && expectationAt(given, at).stream !== '200');
