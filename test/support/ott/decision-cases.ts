import type { StoredOttConfiguration } from '../../../shared/ott/configuration.ts';
import { withStatus } from '../../../shared/ott/events/effective.ts';
import type { Event, Stream } from '../../../shared/ott/events/event.ts';
import type { Geoblocking } from '../../../shared/ott/viewers/geoblocking.ts';
import { anEvent } from './builders.ts';
import type { Case, EventStatus, Expectation, GeoRule, StatusSource } from './oracle.ts';

/** An example of each kind of country. In both modes, the rules of a case block CH and admit NO. */
export const countries = { blocked: 'CH', 'not blocked': 'NO', unknown: undefined } as const;

export const statusOrigins = ['file', 'due', 'stored', 'ahead', 'by hand'] as const;

export const statuses = ['UPCOMING', 'LIVE', 'FINISHED', 'VOD', 'CANCELLED'] as const;

const geoRules = ['every status', 'its status', 'LIVE', 'others'] as const;
const geo = (client: GeoRule, event: GeoRule, stream: GeoRule) => ({ client, event, stream });

/** No rule, each rule alone, and the combinations in which one rule could be mistaken for another. */
export const geoCombinations: readonly Case['geo'][] = [
  geo('none', 'none', 'none'),
  ...geoRules.flatMap((rule) => [
    geo(rule, 'none', 'none'),
    geo('none', rule, 'none'),
    geo('none', 'none', rule),
  ]),
  geo('every status', 'off', 'none'),
  geo('LIVE', 'off', 'none'),
  geo('every status', 'off', 'LIVE'),
  geo('LIVE', 'others', 'none'),
  geo('others', 'LIVE', 'off'),
  geo('off', 'others', 'LIVE'),
  geo('its status', 'others', 'every status'),
];

/** The geoblocking setting that `rule` stands for. `undefined` if there is none. */
const geoblockingOf = (rule: GeoRule, { mode, status }: Case): Geoblocking | undefined => {
  if (rule === 'none') return undefined;
  if (rule === 'off') return { enabled: false };
  const named = {
    'every status': undefined,
    'its status': [status],
    LIVE: ['LIVE' as const],
    others: statuses.filter((other) => other !== status && other !== 'LIVE'),
  }[rule];
  return {
    enabled: true,
    mode,
    countries: mode === 'block' ? ['CH', 'LI'] : ['NO', 'SE'],
    ...(named !== undefined && { statuses: named }),
  };
};

interface Timing {
  /** The time of the request, in epoch milliseconds. */
  readonly now: number;
  /** How far `now` is from the start or end of a window. @default 1, so that `now` is at the very edge */
  readonly marginMilliseconds?: number;
}

/** Milliseconds. Nothing can be played in the last second of a window, because the signature would have expired. */
const lastSecond = 999;

const windowOf = (
  { window }: Case,
  { now, marginMilliseconds: margin = 1 }: Timing,
): Pick<Stream, 'availableFrom' | 'availableUntil'> => {
  const at = (offset: number) => new Date(now + offset).toISOString();
  if (window === 'before') return { availableFrom: at(margin) };
  // A window includes the moment at which it begins, but not its last second.
  if (window === 'within') return { availableFrom: at(1 - margin), availableUntil: at(lastSecond + margin) };
  return window === 'after'
    ? { availableFrom: at(-margin), availableUntil: at(lastSecond + 1 - margin) }
    : {};
};

const second = 1_000;
const minute = 60 * second;

/** The file, the schedule and the operator that give a case its status at `now`. */
export const statusSourceOf = (
  { status, origin }: Case,
  { now, marginMilliseconds = 1 }: Timing,
): StatusSource => {
  const next = now + Math.max(second, marginMilliseconds);
  const other = status === 'LIVE' ? 'FINISHED' : 'LIVE';
  const entry = (at: number, of: EventStatus) => ({ at, status: of });
  switch (origin) {
    case 'file':
      return { status, schedule: [] };
    case 'due':
      return { status: other, schedule: [entry(now - minute, 'VOD'), entry(now, status)] };
    case 'stored':
      return { status: 'UPCOMING', schedule: [entry(now - 2 * minute, other), entry(now - minute, status)] };
    case 'ahead':
      return { status, schedule: [entry(next, other)] };
    case 'by hand':
      return {
        status: 'UPCOMING',
        schedule: [entry(now - minute, other), entry(next, other)],
        byHand: entry(now, status),
      };
  }
};

/** The parts of an event that decide its status, as this service stores them. */
const storedStatus = (given: Case, timing: Timing): Partial<Event> => {
  const { status, schedule, byHand } = statusSourceOf(given, timing);
  const instant = (at: number) => new Date(at).toISOString();
  const inFile = anEvent({
    status,
    ...(schedule.length > 0 && { schedule: schedule.map((each) => ({ ...each, at: instant(each.at) })) }),
  });
  const written = byHand === undefined ? inFile : withStatus(inFile, byHand.status, byHand.at);
  return { status: written.status, schedule: written.schedule, hand: written.hand };
};

/** The event of a case. */
export const eventOf = (given: Case, { id, ...timing }: Timing & { readonly id: string }): Event =>
  anEvent({
    id,
    ...storedStatus(given, timing),
    access: given.access,
    geoblocking: geoblockingOf(given.geo.event, given),
    stream: {
      type: 'hls',
      url: `https://streams.example.com/${id}/index.m3u8`,
      ...windowOf(given, timing),
      geoblocking: geoblockingOf(given.geo.stream, given),
    },
  });

/**
 * The configuration of the client's application. The rule that allows the event uses every field that a rule can have.
 */
export const configurationOf = (given: Case): StoredOttConfiguration => {
  const { access, status } = given;
  const off = { id: 'off', enabled: false };
  const rules = {
    allows: [off, { id: 'this', enabled: true, access, statuses: [status], categories: ['football'] }],
    'allows not': [
      off,
      { id: 'other-access', enabled: true, access: access === 'free' ? 'paid' : 'free' } as const,
      { id: 'other-statuses', enabled: true, statuses: statuses.filter((other) => other !== status) },
      { id: 'other-categories', enabled: true, categories: ['opera'] },
    ],
    none: [],
  };
  return { rules: rules[given.rule], geoblocking: geoblockingOf(given.geo.client, given) };
};

/** The response to a stream call, in the notation of `Expectation`. */
export const streamOutcome = ({
  status,
  body,
}: {
  readonly status: number;
  readonly body: unknown;
}): Expectation['stream'] | string => {
  const codes: Record<string, string> = {
    LOGIN_REQUIRED: '403 LOGIN',
    PURCHASE_REQUIRED: '403 PURCHASE',
    ENTITLEMENT_DENIED: '403 DENIED',
  };
  const { message, available_from } = body as { readonly message: string; readonly available_from?: string };
  if (status === 403) return codes[message] ?? 'unknown 403';
  if (status !== 404) return String(status);
  return `404 ${message}${available_from === undefined ? '' : ', with when'}`;
};
