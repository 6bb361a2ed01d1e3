import { describe, expect, it } from 'vitest';
import { fullJitter } from '../../../shared/platform/backoff.ts';

const between = (tried: number): readonly [number, number] => [
  fullJitter({ tried, random: () => 0 }),
  fullJitter({ tried, random: () => 1 }),
];

describe('the pause before another try', () => {
  it('is anything from 25 ms to twice as much each time, and to half a second in the end', () => {
    expect([1, 2, 3, 4, 5, 100].map(between)).toEqual([
      [25, 100],
      [25, 200],
      [25, 400],
      [25, 500],
      [25, 500],
      [25, 500],
    ]);
  });
});
