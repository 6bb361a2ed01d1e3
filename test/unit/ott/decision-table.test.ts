import { describe, expect, it } from 'vitest';
import type { Application } from '../../../shared/applications/application.ts';
import type { Event, Stream } from '../../../shared/ott/event.ts';
import type { Geoblocking } from '../../../shared/ott/geoblocking.ts';
import type { EntitlementAnswer } from '../../../shared/ott/ports/entitlement.ts';
import { anEvent, anOttApplication } from '../../support/ott/builders.ts';
import { type Answer, ottCalls } from '../../support/ott/calls.ts';
import { inMemoryEvents, toldEntitlement, toldGeolocation } from '../../support/ott/in-memory.ts';
import { type Case, expectation } from './oracle.ts';

const dimensions = {
  viewer: ['not logged in', 'logged in', 'VIP'],
  access: ['free', 'paid'],
  status: ['UPCOMING', 'LIVE', 'FINISHED', 'VOD', 'CANCELLED'],
  window: ['none', 'before', 'within', 'after'],
  rule: ['allows', 'allows not', 'none'],
  country: ['blocked', 'not blocked', 'unknown'],
  geoRuleOf: ['client', 'event', 'stream', 'none'],
  statuses: ['left out', 'named', 'LIVE named', 'others named'],
  purchased: [true, false],
  entitlement: ['success', 'denied', 'down'],
} as const satisfies { [Name in Exclude<keyof Case, 'mode'>]: readonly Case[Name][] };

/**
 * Combinations, by counting through the dimensions. Those that differ in nothing that counts are left out: a mode, statuses
 * or countries where there is no rule, purchases where nobody is asked about them.
 */
function* everyCase(): Generator<Case> {
  const names = Object.keys(dimensions) as (keyof typeof dimensions)[];
  const total = names.reduce((product, name) => product * dimensions[name].length, 1);
  for (let index = 0; index < total; index += 1) {
    let rest = index;
    const picked = names.map((name) => {
      const values = dimensions[name];
      const value = values[rest % values.length];
      rest = Math.floor(rest / values.length);
      return [name, value];
    });
    // Either mode says the same of the same countries: they take turns.
    const mode = index % 2 === 0 ? 'block' : 'allow';
    const given = { ...Object.fromEntries(picked), mode } as Case;
    if (!isRedundant(given)) yield given;
  }
}

const isRedundant = ({
  viewer,
  geoRuleOf,
  statuses,
  country,
  purchased,
  entitlement,
  status,
}: Case): boolean =>
  (geoRuleOf === 'none' && (statuses !== 'left out' || country !== 'blocked')) ||
  (viewer === 'not logged in' && (!purchased || entitlement !== 'success')) ||
  (entitlement !== 'success' && !purchased) ||
  (status === 'LIVE' && statuses === 'LIVE named');

const HERE = '203.0.113.7';

const geoRule = ({ mode, statuses, status }: Case): Geoblocking => ({
  enabled: true,
  mode,
  // The rule keeps CH out and lets NO in, by either mode.
  countries: mode === 'block' ? ['CH', 'LI'] : ['NO', 'SE'],
  ...(statuses === 'left out'
    ? {}
    : { statuses: dimensions.status.filter((other) => isNamed(other, { status, statuses })) }),
});

const isNamed = (other: Case['status'], { status, statuses }: Pick<Case, 'status' | 'statuses'>): boolean => {
  if (statuses === 'named') return other === status;
  if (statuses === 'LIVE named') return other === 'LIVE';
  return other !== status && other !== 'LIVE';
};

const now = Date.parse('2026-05-01T19:00:00Z');
const windows: Record<Case['window'], Partial<Stream>> = {
  none: {},
  before: { availableFrom: '2026-05-01T19:00:00.001Z' },
  within: { availableFrom: '2026-05-01T19:00:00.000Z', availableUntil: '2026-05-01T19:00:00.001Z' },
  after: { availableFrom: '2026-05-01T18:00:00.000Z', availableUntil: '2026-05-01T19:00:00.000Z' },
};

const eventOf = (given: Case): Event => {
  const own = geoRule(given);
  const stream: Stream = {
    type: 'hls',
    url: 'https://streams.example.com/final/index.m3u8',
    ...windows[given.window],
  };
  return anEvent({
    status: given.status,
    access: given.access,
    ...(given.geoRuleOf === 'event' ? { geoblocking: own } : {}),
    stream: given.geoRuleOf === 'stream' ? { ...stream, geoblocking: own } : stream,
  });
};

const applicationOf = (given: Case): Application => {
  const otherStatuses = dimensions.status.filter((status) => status !== given.status);
  const rules = {
    allows: [
      { id: 'off', enabled: false },
      { id: 'this', enabled: true, access: given.access, statuses: [given.status], categories: ['football'] },
    ],
    'allows not': [
      { id: 'off', enabled: false },
      { id: 'other-access', enabled: true, access: given.access === 'free' ? 'paid' : 'free' } as const,
      { id: 'other-statuses', enabled: true, statuses: otherStatuses },
      { id: 'other-categories', enabled: true, categories: ['opera'] },
    ],
    none: [],
  };
  return anOttApplication({
    rules: rules[given.rule],
    ...(given.geoRuleOf === 'client' ? { geoblocking: geoRule(given) } : {}),
  });
};

const entitlementOf = (given: Case): EntitlementAnswer => {
  const vip = given.viewer === 'VIP';
  if (given.entitlement === 'down') return { outcome: 'unavailable' };
  if (given.entitlement === 'denied') return { outcome: 'denied', reason: 'denied', vip };
  return given.purchased ? { outcome: 'success', vip } : { outcome: 'denied', reason: 'no_purchase', vip };
};

const countries = { blocked: { [HERE]: 'CH' }, 'not blocked': { [HERE]: 'NO' }, unknown: {} };

const streamOutcome = ({ status, body }: Answer): string => {
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

const outcomeOf = async (given: Case) => {
  const calls = ottCalls({
    events: inMemoryEvents([eventOf(given)]),
    applications: [applicationOf(given)],
    entitlement: toldEntitlement(() => entitlementOf(given)),
    geolocation: toldGeolocation(() => countries[given.country]),
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

describe('the decision table', () => {
  it('holds for every combination, in all three calls', { timeout: 120_000 }, async () => {
    const wrong: unknown[] = [];
    let count = 0;

    for (const given of everyCase()) {
      count += 1;
      const outcome = await outcomeOf(given);
      const expected = expectation(given);
      if (JSON.stringify(outcome) !== JSON.stringify(expected)) wrong.push({ given, outcome, expected });
    }

    expect(wrong.slice(0, 3)).toEqual([]);
    expect(count).toBeGreaterThan(20_000);
  });
});
