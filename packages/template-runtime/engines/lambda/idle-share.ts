import { cpus } from 'node:os';
import { performance } from 'node:perf_hooks';

/** How long all cores together had nothing to do since the machine started, in milliseconds. */
const idleMilliseconds = (): number => cpus().reduce((sum, { times }) => sum + times.idle, 0);

/**
 * From now on, which share of the time of all cores went unused, from 0 to 1, whenever it is asked. Time that a
 * hypervisor gives to others is in no field of `cpus`: it counts as used, since nobody here could have it.
 */
export const idleShareFromNow = (): (() => number) => {
  const [idleBefore, beganAt] = [idleMilliseconds(), performance.now()];
  return () => (idleMilliseconds() - idleBefore) / Math.max((performance.now() - beganAt) * cpus().length, 1);
};
