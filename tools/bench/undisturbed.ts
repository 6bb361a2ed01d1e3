import { cpus } from 'node:os';
import { machineCpuMilliseconds, processTreeCpuMilliseconds } from './processes.ts';

/**
 * A round is repeated, at most `repetitionsAtMost` times, if other processes used more than this share of all cores
 * during the round.
 */
const foreignShareAtMost = 0.1;
const repetitionsAtMost = 10;

/**
 * Runs a round. If other processes or the hypervisor used too much of the machine during the round, repeats the round,
 * whether it succeeded or failed.
 */
export const undisturbed = async <Result>(round: () => Promise<Result>): Promise<Result> => {
  for (let repetition = 0; ; repetition += 1) {
    const [machineBefore, ownBefore] = [machineCpuMilliseconds(), processTreeCpuMilliseconds(process.pid)];
    const began = performance.now();
    const [measured] = await Promise.allSettled([round()]);
    const own = processTreeCpuMilliseconds(process.pid) - ownBefore;
    const foreign = machineCpuMilliseconds() - machineBefore - own;
    const share = foreign / ((performance.now() - began) * cpus().length);
    if (share <= foreignShareAtMost) {
      if (measured.status === 'rejected') throw measured.reason;
      return measured.value;
    }
    const failure = measured.status === 'rejected' ? ` (it failed: ${measured.reason})` : '';
    console.log(
      `  repeating a round: other processes used ${(share * 100).toFixed(0)} % of the machine${failure}`,
    );
    if (repetition === repetitionsAtMost) throw new Error('The machine is too busy to measure anything');
  }
};
