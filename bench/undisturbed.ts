import { cpus } from 'node:os';
import { machineCpuMilliseconds, processTreeCpuMilliseconds } from './processes.ts';

/** Of all cores: a round in which others had more is made again, at most so often. */
const foreignShareAtMost = 0.1;
const repetitionsAtMost = 10;

/** Made again while others used the machine. */
export const undisturbed = async <Result>(round: () => Promise<Result>): Promise<Result> => {
  for (let repetition = 0; ; repetition += 1) {
    const [machineBefore, ownBefore] = [machineCpuMilliseconds(), processTreeCpuMilliseconds(process.pid)];
    const began = performance.now();
    const measured = await round();
    const own = processTreeCpuMilliseconds(process.pid) - ownBefore;
    const foreign = machineCpuMilliseconds() - machineBefore - own;
    const share = foreign / ((performance.now() - began) * cpus().length);
    if (share <= foreignShareAtMost) return measured;
    console.log(`  a round again: others had ${(share * 100).toFixed(0)} % of the machine`);
    if (repetition === repetitionsAtMost) throw new Error('The machine is too busy to measure anything');
  }
};
