import { describe, expect, it } from 'vitest';
import { statuses, statusOrigins, statusSourceOf } from '../../support/ott/decision-cases.ts';
import { compareDecisions, compareWithoutCountry } from '../../support/ott/decision-table.ts';

import { type Case, statusAt } from '../../support/ott/oracle.ts';

// `test/drills/ott/decision-table.test.ts` compares all of them.
const step = 11;

describe('the table of who sees and plays which event', () => {
  it('holds for two thousand combinations, in all three calls', async () => {
    const { wrong, count } = await compareDecisions(step);

    expect(wrong.slice(0, 3)).toEqual([]);
    expect(count).toBeGreaterThan(1_800);
  });

  it('has a 503 for each call whose answer depends on a country that cannot be looked up', async () => {
    const { wrong, decided } = await compareWithoutCountry(step);

    expect(wrong.slice(0, 3)).toEqual([]);
    expect(Math.min(decided.event, decided.stream)).toBeGreaterThan(40);
  });
});

it('gives each case the status that the table assumes, in each way in which an event can come to it', () => {
  const now = Date.parse('2026-05-01T19:00:00Z');
  for (const status of statuses) {
    for (const origin of statusOrigins) {
      const given = { status, origin } as Case;
      expect([status, origin, statusAt(statusSourceOf(given, { now }), now)]).toEqual([
        status,
        origin,
        status,
      ]);
    }
  }
});
