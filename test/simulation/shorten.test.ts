import { expect, it } from 'vitest';
import type { RunWorld } from './frame.ts';
import { shorten } from './shorten.ts';

const faults = ['a @ one # 1', 'a @ two # 1', 'b @ one # 1', 'b @ one # 2', 'c @ one # 1', 'd @ one # 1'];

/** A world that fails only if two of its faults strike together. */
const failingWith =
  (one: string, other: string): RunWorld =>
  async ({ seed, without = new Set() }) => {
    const struck = faults.filter(
      (fault) => !without.has(fault) && !without.has(fault.slice(0, fault.indexOf(' @ '))),
    );
    const fails = struck.includes(one) && struck.includes(other);
    const parts = ['request 1', ...struck].filter((part) => !without.has(part));
    return { seed, struck, parts, history: [], violations: fails ? ['It fails'] : [] };
  };

it('a failing simulated world is reduced to the requests and faults that make it fail', async () => {
  const run = failingWith('a @ two # 1', 'b @ one # 2');

  const { result } = await shorten(run, await run({ seed: 1 }));

  expect(result.parts).toEqual(['a @ two # 1', 'b @ one # 2']);
  expect(result.violations).toEqual(['It fails']);
});
