import type { runWorld as RunWorld, WorldResult } from './world.ts';

const kindOf = (fault: string): string => fault.slice(0, fault.indexOf(' @ '));

/** How many worlds are run at most to shorten one. */
const triesAtMost = 400;

/**
 * Leaves out faults as long as the world still fails: first all of a kind, then every half, quarter and so on of the
 * rest, down to single faults. Each kind of fault has its own random stream for each process, so what is left out does
 * not shift what stays.
 */
export const shorten = async (
  runWorld: typeof RunWorld,
  failing: WorldResult,
): Promise<{ readonly without: ReadonlySet<string>; readonly result: WorldResult }> => {
  const { seed } = failing;
  let without: ReadonlySet<string> = new Set();
  let result = failing;
  let tries = 0;
  const failsWithout = async (faults: readonly string[]): Promise<boolean> => {
    if (tries >= triesAtMost || faults.length === 0) return false;
    tries += 1;
    const more = new Set([...without, ...faults]);
    const tried = await runWorld({ seed, without: more });
    if (tried.violations.length === 0) return false;
    without = more;
    result = tried;
    return true;
  };

  for (const kind of new Set(failing.struck.map(kindOf))) await failsWithout([kind]);
  for (let parts = 2; ; parts *= 2) {
    const size = Math.ceil(result.struck.length / parts);
    for (let start = 0; start < result.struck.length; ) {
      // If they are left out, other faults stand at their place.
      if (!(await failsWithout(result.struck.slice(start, start + size)))) start += size;
    }
    if (size <= 1) break;
  }
  return { without, result: await runWorld({ seed, without, keepsHistory: true }) };
};
