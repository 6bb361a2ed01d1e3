import { cpus } from 'node:os';
import { machineCpuMilliseconds, processTreeCpuMilliseconds } from './processes.ts';

/** If other processes used more than this share of all cores, the round is repeated, at most this often. */
const foreignShareAtMost = 0.1;
const repetitionsAtMost = 10;

/** Repeats a round, even a failed one, while other processes used the machine or its hypervisor took time from it. */
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
    console.log(`  a round again: others had ${(share * 100).toFixed(0)} % of the machine${failure}`);
    if (repetition === repetitionsAtMost) throw new Error('The machine is too busy to measure anything');
  }
};
