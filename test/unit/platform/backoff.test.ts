import { describe, expect, it } from 'vitest';
import { fullJitter } from '../../../shared/platform/time/backoff.ts';

const between = (tried: number): readonly [number, number] => [
  fullJitter({ tried, random: () => 0 }),
  fullJitter({ tried, random: () => 1 }),
];

describe('the pause before a retry', () => {
  it('is random between 25 ms and a limit that doubles with each retry up to half a second', () => {
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
