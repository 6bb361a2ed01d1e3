import type { RunWorld, WorldResult } from './frame.ts';

const kindOf = (fault: string): string => fault.slice(0, fault.indexOf(' @ '));

/** How many worlds are run at most to shorten one. */
const triesAtMost = 600;

/**
 * Leaves out requests and faults as long as the world still fails: first all faults of a kind, then every half, quarter
 * and so on of the rest, down to single ones, until none can be left out. Each kind of fault has its own random stream
 * for each process, so what is left out does not shift what stays.
 */
export const shorten = async (
  runWorld: RunWorld,
  failing: WorldResult,
): Promise<{ readonly without: ReadonlySet<string>; readonly result: WorldResult }> => {
  const { seed } = failing;
  let without: ReadonlySet<string> = new Set();
  let result = failing;
  let tries = 0;
  const failsWithout = async (parts: readonly string[]): Promise<boolean> => {
    if (tries >= triesAtMost || parts.length === 0) return false;
    tries += 1;
    const more = new Set([...without, ...parts]);
    const tried = await runWorld({ seed, without: more });
    if (tried.violations.length === 0) return false;
    without = more;
    result = tried;
    return true;
  };

  for (const kind of new Set(failing.struck.map(kindOf))) await failsWithout([kind]);
  for (let before = Number.POSITIVE_INFINITY; result.parts.length < before; ) {
    before = result.parts.length;
    for (let size = Math.ceil(before / 2); size >= 1; size = Math.floor(size / 2)) {
      for (let start = 0; start < result.parts.length; ) {
        // After they are left out, other parts are at their index.
        if (!(await failsWithout(result.parts.slice(start, start + size)))) start += size;
      }
    }
  }
  return { without, result: await runWorld({ seed, without, keeps: 'changes' }) };
};
