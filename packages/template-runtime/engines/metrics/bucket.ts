import { ServiceFault } from '../service-fault.ts';
import type { Statistic } from './types.ts';

export interface Bucket {
  count: number;
  sum: number;
  min: number;
  max: number;
  /**
   * A histogram: the number of values in each step, keyed by the step's number. A step is a range of values. Its bounds
   * are 5 % higher than those of the step below.
   */
  readonly steps: Map<number, number>;
}

const stepFactor = Math.log(1.05);
/** The number of the step for values that are zero or less. */
const lowestStep = -10_000;

const stepOf = (value: number): number => (value > 0 ? Math.round(Math.log(value) / stepFactor) : lowestStep);

export const emptyBucket = (): Bucket => ({
  count: 0,
  sum: 0,
  min: Number.POSITIVE_INFINITY,
  max: Number.NEGATIVE_INFINITY,
  steps: new Map(),
});

export const merge = (into: Bucket, from: Bucket): void => {
  into.count += from.count;
  into.sum += from.sum;
  into.min = Math.min(into.min, from.min);
  into.max = Math.max(into.max, from.max);
  for (const [step, count] of from.steps) into.steps.set(step, (into.steps.get(step) ?? 0) + count);
};

export const add = (into: Bucket, value: number): void =>
  merge(into, { count: 1, sum: value, min: value, max: value, steps: new Map([[stepOf(value), 1]]) });

const percentile = ({ count, min, max, steps }: Bucket, share: number): number => {
  let left = Math.max(1, Math.ceil(count * share));
  for (const [step, times] of [...steps].sort(([a], [b]) => a - b)) {
    left -= times;
    if (left > 0) continue;
    const value = step === lowestStep ? 0 : Math.exp(step * stepFactor);
    return Math.min(max, Math.max(min, value));
  }
  return max;
};

export const statisticOf = (bucket: Bucket, statistic: Statistic): number => {
  switch (statistic) {
    case 'Sum':
      return bucket.sum;
    case 'Average':
      return bucket.sum / bucket.count;
    case 'Minimum':
      return bucket.min;
    case 'Maximum':
      return bucket.max;
    case 'SampleCount':
      return bucket.count;
  }
  const percent = Number(/^p(\d{1,2}(?:\.\d+)?|100)$/.exec(statistic)?.[1] ?? Number.NaN);
  if (Number.isNaN(percent)) {
    throw new ServiceFault({
      code: 'ValidationError',
      message: `The value ${statistic} for parameter Stat is not supported.`,
    });
  }
  return percentile(bucket, percent / 100);
};
