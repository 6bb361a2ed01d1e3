import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { countries, geoCombinations, statuses, statusOrigins } from '../../support/ott/decision-cases.ts';
import { compareDecisions, compareWithoutCountry } from '../../support/ott/decision-table.ts';
import { decisionsOverHttp } from '../../support/ott/decisions-over-http.ts';
import { type Case, expectation } from '../../support/ott/oracle.ts';
import { seededRandom } from '../../support/platform/seeded-random.ts';
import { type System, startSystem } from '../../support/platform/system.ts';

describe('the table of who sees and plays which event', () => {
  it('holds for every combination of its inputs, in all three calls', async () => {
    const { wrong, count } = await compareDecisions(1);

    expect(wrong.slice(0, 3)).toEqual([]);
    expect(count).toBeGreaterThan(20_000);
  });

  it('has a 503 for each call whose answer depends on a country that cannot be looked up', async () => {
    const { wrong, decided } = await compareWithoutCountry(1);

    expect(wrong.slice(0, 3)).toEqual([]);
    expect(Math.min(decided.event, decided.stream)).toBeGreaterThan(500);
  });
});

describe('the table of who sees and plays which event, over HTTP', () => {
  let system: System;
  beforeAll(async () => {
    system = await startSystem({ arguments: ['--empty', '--trust-forwarded-for'] });
  });
  afterAll(() => system?.dispose());

  const random = seededRandom(20_260_501);
  const one = <Value>(...values: readonly [Value, ...Value[]]): Value =>
    values[Math.floor(random() * values.length)] ?? values[0];
  const aCase = (entitlement: Case['entitlement']): Case => ({
    viewer: one('not logged in', 'logged in', 'logged in', 'VIP'),
    access: one('free', 'paid', 'paid'),
    status: one(...statuses, 'LIVE', 'VOD'),
    origin: one(...statusOrigins),
    window: one('none', 'before', 'within', 'after'),
    // If a rule hides the event, the later conditions do not matter, so most cases allow it.
    rule: one('allows', 'allows', 'allows', 'allows not', 'none'),
    country: one(...(Object.keys(countries) as [Case['country']]), 'not blocked'),
    geo: geoCombinations[Math.floor(random() * geoCombinations.length)] as Case['geo'],
    mode: one('block', 'allow'),
    purchased: one(true, true, false),
    entitlement,
  });

  it('holds for a sample in all three calls, and hidden events look exactly like missing events', async () => {
    // The outage comes first, while no viewer has a grant that could still be used during it.
    const cases = (['down', 'success', 'denied'] as const).flatMap((entitlement) =>
      Array.from({ length: entitlement === 'success' ? 80 : 20 }, () => aCase(entitlement)),
    );
    const decisions = await decisionsOverHttp({ system, cases });

    const outcomes = await decisions.ask();

    const wrong = cases.flatMap((given, index) => {
      const expected = expectation(given);
      const outcome = outcomes[index];
      return JSON.stringify(outcome) === JSON.stringify(expected) ? [] : [{ given, outcome, expected }];
    });
    expect(wrong.slice(0, 3)).toEqual([]);
    expect(decisions.notFound).toEqual({
      event: [decisions.missing.event],
      stream: [decisions.missing.stream],
    });
    // The sample contains every possible outcome.
    expect(new Set(outcomes.map(({ stream }) => stream)).size).toBe(8);
  });
});
