import type { EntitlementAnswer } from '../../../shared/ott/ports/entitlement.ts';
import { anOttApplication } from './builders.ts';
import { ottCalls } from './calls.ts';
import {
  configurationOf,
  countries,
  eventOf,
  geoCombinations,
  statuses,
  statusOrigins,
  streamOutcome,
} from './decision-cases.ts';
import { inMemoryEvents, toldEntitlement } from './in-memory.ts';
import { type Case, expectation } from './oracle.ts';

const dimensions = {
  viewer: ['not logged in', 'logged in', 'VIP'],
  access: ['free', 'paid'],
  status: statuses,
  window: ['none', 'before', 'within', 'after'],
  rule: ['allows', 'allows not', 'none'],
  country: ['blocked', 'not blocked', 'unknown'],
  geo: geoCombinations,
  purchased: [true, false],
  entitlement: ['success', 'denied', 'down'],
} as const satisfies { [Name in Exclude<keyof Case, 'mode' | 'origin'>]: readonly Case[Name][] };

/**
 * The combinations of the dimensions, or one in `step` of them. Leaves out those whose differences do not matter:
 * different countries without a rule, or different purchases where nobody asks about them. A prime `step` by which
 * no dimension's number of values can be divided leaves out no combination of a few values.
 */
function* casesOf(step: number): Generator<Case> {
  const names = Object.keys(dimensions) as (keyof typeof dimensions)[];
  const total = names.reduce((product, name) => product * dimensions[name].length, 1);
  for (let index = 0; index < total; index += step) {
    let rest = index;
    const picked = names.map((name) => {
      const values = dimensions[name];
      const value = values[rest % values.length];
      rest = Math.floor(rest / values.length);
      return [name, value];
    });
    // Both modes can express the same blocked countries, so the cases alternate between them.
    const mode = index % 2 === 0 ? 'block' : 'allow';
    // Where the status comes from must make no difference, so the cases alternate between that, too.
    const origin = statusOrigins[Math.floor(index / 7) % statusOrigins.length];
    const given = { ...Object.fromEntries(picked), mode, origin } as Case;
    if (!isRedundant(given)) yield given;
  }
}

const isRedundant = ({ viewer, geo, country, purchased, entitlement, status }: Case): boolean =>
  (geo === geoCombinations[0] && country !== 'blocked') ||
  (viewer === 'not logged in' && (!purchased || entitlement !== 'success')) ||
  (entitlement !== 'success' && !purchased) ||
  (status === 'LIVE' && Object.values(geo).includes('LIVE'));

const HERE = '203.0.113.7';
const now = Date.parse('2026-05-01T19:00:00Z');

const entitlementOf = (given: Case): EntitlementAnswer => {
  const vip = given.viewer === 'VIP';
  if (given.entitlement === 'down') return { outcome: 'unavailable' };
  if (given.entitlement === 'denied') return { outcome: 'denied', reason: 'denied', vip };
  return given.purchased ? { outcome: 'success', vip } : { outcome: 'denied', reason: 'no_purchase', vip };
};

const outcomeOf = async (given: Case, { isLookupOut = false } = {}) => {
  const calls = ottCalls({
    events: inMemoryEvents([eventOf(given, { id: 'final', now })]),
    applications: [anOttApplication(configurationOf(given))],
    entitlement: toldEntitlement(() => entitlementOf(given)),
    geolocation: {
      countryOf: async () =>
        isLookupOut ? { outcome: 'unavailable' } : { outcome: 'answered', country: countries[given.country] },
    },
    clock: () => now,
  });
  const headers: Record<string, string> =
    given.viewer === 'not logged in' ? {} : { authorization: 'Bearer anna@web' };
  const request = { headers, sourceIp: HERE };
  const [list, event, stream] = await Promise.all([
    calls.list(request),
    calls.get('final', request),
    calls.stream('final', request),
  ]);
  return {
    listed: list.status === 200 && (list.body as unknown[]).length === 1,
    event: event.status,
    stream: streamOutcome(stream),
  };
};

interface Compared {
  /** The cases whose outcome is not the expected one. */
  readonly wrong: readonly unknown[];
  /** How many cases were compared. */
  readonly count: number;
}

/** Compares every `step`-th case with the expected outcome, in all three calls. */
export const compareDecisions = async (step: number): Promise<Compared> => {
  const wrong: unknown[] = [];
  let count = 0;
  for (const given of casesOf(step)) {
    count += 1;
    const outcome = await outcomeOf(given);
    const expected = expectation(given);
    if (JSON.stringify(outcome) !== JSON.stringify(expected)) wrong.push({ given, outcome, expected });
  }
  return { wrong, count };
};

/**
 * Compares every `step`-th case while the country cannot be looked up. `decided` are the cases that get a 503 for this
 * reason.
 */
export const compareWithoutCountry = async (
  step: number,
): Promise<
  Pick<Compared, 'wrong'> & { readonly decided: { readonly event: number; readonly stream: number } }
> => {
  const wrong: unknown[] = [];
  const decided = { event: 0, stream: 0 };
  for (const given of casesOf(step)) {
    if (given.country !== 'unknown') continue;
    const outcome = await outcomeOf(given, { isLookupOut: true });
    const [unknown, open] = [expectation(given), expectation({ ...given, country: 'not blocked' })];
    const isEventDecided = unknown.event !== open.event;
    const isStreamDecided = unknown.stream === '404 EVENT_NOT_FOUND' && open.stream !== unknown.stream;
    const expected = {
      listed: unknown.listed,
      event: isEventDecided ? 503 : unknown.event,
      stream: isStreamDecided ? '503' : unknown.stream,
    };
    decided.event += Number(isEventDecided);
    decided.stream += Number(isStreamDecided);
    if (JSON.stringify(outcome) !== JSON.stringify(expected)) wrong.push({ given, outcome, expected });
  }
  return { wrong, decided };
};
