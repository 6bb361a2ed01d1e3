import { describe, expect, it } from 'vitest';
import type { Application } from '../../../shared/applications/application.ts';
import type { Event } from '../../../shared/ott/event.ts';
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
  rule: ['allows', 'allows not', 'none'],
  country: ['blocked', 'not blocked', 'unknown'],
  geoRuleOf: ['client', 'event', 'stream', 'none'],
  mode: ['block', 'allow'],
  statuses: ['left out', 'named', 'others named'],
  purchased: [true, false],
  entitlement: ['success', 'denied', 'down'],
} as const satisfies { [Name in keyof Case]: readonly Case[Name][] };

/** Every combination, by counting through the dimensions. */
function* everyCase(): Generator<Case> {
  const names = Object.keys(dimensions) as (keyof Case)[];
  const total = names.reduce((product, name) => product * dimensions[name].length, 1);
  for (let index = 0; index < total; index += 1) {
    let rest = index;
    const picked = names.map((name) => {
      const values = dimensions[name];
      const value = values[rest % values.length];
      rest = Math.floor(rest / values.length);
      return [name, value];
    });
    yield Object.fromEntries(picked) as Case;
  }
}

const HERE = '203.0.113.7';

const geoRule = ({ mode, statuses, status }: Case): Geoblocking => ({
  enabled: true,
  mode,
  // The rule keeps CH out and lets NO in, by either mode.
  countries: mode === 'block' ? ['CH', 'LI'] : ['NO', 'SE'],
  ...(statuses === 'left out'
    ? {}
    : { statuses: dimensions.status.filter((other) => (other === status) === (statuses === 'named')) }),
});

const eventOf = (given: Case): Event => {
  const own = geoRule(given);
  const stream = { type: 'hls', url: 'https://streams.example.com/final/index.m3u8' } as const;
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
  return status === 403 ? (codes[(body as { message: string }).message] ?? 'unknown 403') : String(status);
};

const outcomeOf = async (given: Case) => {
  const calls = ottCalls({
    events: inMemoryEvents([eventOf(given)]),
    applications: [applicationOf(given)],
    entitlement: toldEntitlement(() => entitlementOf(given)),
    geolocation: toldGeolocation(() => countries[given.country]),
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
    expect(count).toBe(3 * 2 * 5 * 3 * 3 * 4 * 2 * 3 * 2 * 3);
  });
});
