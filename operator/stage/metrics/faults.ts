import { watchedCalls } from '../../../shared/platform/watched.ts';
import { type Measured, ranges } from './read-metrics.ts';
import { guardedServices, outsideServices } from './stage-metrics.ts';

/** Uninterrupted failures: consecutive metric periods with at least one failure each. */
export interface Fault {
  /** Epoch milliseconds. */
  readonly from: number;
  /** The end of the last period with failures, epoch milliseconds. */
  readonly to: number;
  /** One text for each kind of failure, with its count. */
  readonly what: readonly string[];
}

/**
 * The text for a failure, by the id of its metric query. The text for an open circuit has no count, because the metric
 * of a circuit is an average.
 */
const failures: Readonly<Record<string, (count: number) => string>> = {
  ...Object.fromEntries(
    Object.keys(watchedCalls).map((call) => [
      `${call}_5XXError`,
      (count: number) => `${call} answered 5XX: ${count}`,
    ]),
  ),
  failed: (count) => `notifications failed: ${count}`,
  ...Object.fromEntries(
    Object.keys(outsideServices).map((service) => [
      service,
      (count: number) => `${service} did not answer: ${count}`,
    ]),
  ),
  ...Object.fromEntries(
    guardedServices.map((service) => [`circuit_${service}`, () => `circuit open: ${service}`]),
  ),
};

/** The faults in a range, oldest first. */
export const faultsIn = ({ points, range }: Measured): Fault[] => {
  const counted = Object.keys(failures).flatMap((id) =>
    (points.get(id) ?? []).filter(({ value }) => value > 0).map(({ at, value }) => ({ id, at, value })),
  );
  const length = ranges[range].periodSeconds * 1_000;
  const runs: { readonly from: number; to: number; readonly counts: Map<string, number> }[] = [];
  for (const { id, at, value } of counted.toSorted((a, b) => a.at - b.at)) {
    let run = runs.at(-1);
    if (run === undefined || at > run.to) {
      run = { from: at, to: at + length, counts: new Map() };
      runs.push(run);
    }
    run.to = at + length;
    run.counts.set(id, (run.counts.get(id) ?? 0) + value);
  }
  return runs.map(({ from, to, counts }) => ({
    from,
    to,
    what: [...counts].flatMap(([id, count]) => failures[id]?.(count) ?? []),
  }));
};
