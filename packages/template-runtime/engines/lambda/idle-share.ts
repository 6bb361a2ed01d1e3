import { cpus } from 'node:os';
import { performance } from 'node:perf_hooks';

/** How long each core had nothing to do since the machine started, in milliseconds. */
const coresIdle = (): readonly number[] => cpus().map(({ times }) => times.idle);

const sum = (values: readonly number[]): number => values.reduce((total, one) => total + one, 0);

/**
 * From now on, which share of the time of all cores went unused, from 0 to 1, whenever it is asked. Time that a
 * hypervisor gives to others is in no field of `cpus`: it counts as used, since nobody here could have it.
 */
export const idleShareFromNow = (
  read: () => readonly number[] = coresIdle,
  now: () => number = () => performance.now(),
): (() => number) => {
  const [before, beganAt] = [read(), now()];
  return () => (sum(read()) - sum(before)) / Math.max((now() - beganAt) * before.length, 1);
};
