import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { guideFile } from '../../../bench/cost/guide.ts';
import { costTables, totals, withTables } from '../../../bench/cost/tables.ts';
import { countedUnits } from '../../../operator/scale/counted-units.ts';

describe("the operator guide's costs", () => {
  const guide = readFileSync(guideFile, 'utf8');

  it('are made from the counted units and the prices, as `node scripts/write-costs.ts` writes them', () => {
    expect(withTables(guide, costTables(countedUnits()))).toBe(guide);
  });

  it('meet what is promised of each', () => {
    const dollars = totals(countedUnits());

    expect(dollars['A million mints']).toBeLessThanOrEqual(30);
    expect(dollars['A million mints, each with an `Idempotency-Key`']).toBeLessThanOrEqual(31.5);
    expect(
      dollars[
        'A million changes to user data: five applications are notified of each change and read the data in batches of 100 users'
      ],
    ).toBeLessThanOrEqual(42);
    expect(
      dollars['Fifty million requests for a compressed list of 50 events, from viewers who are signed in'],
    ).toBeLessThanOrEqual(335);
  });
});
