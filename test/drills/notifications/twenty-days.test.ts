import { expect, it } from 'vitest';
import { twentyDays } from '../../simulation/redelivery/twenty-days.ts';

it('10,000 changes in twenty days of outages and kills are delivered to every endpoint that must have them', async () => {
  const { violations, kills, missing } = await twentyDays({ seed: 1, withFaults: true });

  expect(violations).toEqual([]);
  expect(kills).toBeGreaterThan(200);
  expect(missing).toBeGreaterThan(0);
}, 1_800_000);
