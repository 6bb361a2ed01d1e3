import { describe, expect, it } from 'vitest';
import { compareDecisions, compareWithoutCountry } from '../../support/ott/decision-table.ts';

describe('the decision table', () => {
  it('holds for every combination, in all three calls', async () => {
    const { wrong, count } = await compareDecisions(1);

    expect(wrong.slice(0, 3)).toEqual([]);
    expect(count).toBeGreaterThan(20_000);
  });

  it('holds for every combination while the country cannot be looked up', async () => {
    const { wrong, decided } = await compareWithoutCountry(1);

    expect(wrong.slice(0, 3)).toEqual([]);
    expect(Math.min(decided.event, decided.stream)).toBeGreaterThan(500);
  });
});
