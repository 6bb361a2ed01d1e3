import { type Measured, ranges } from './read-metrics.ts';
import { guardedServices, outsideServices, watchedCalls } from './stage-metrics.ts';

/** Periods one after the other in which failures were counted. */
export interface Fault {
  /** Epoch milliseconds. */
  readonly from: number;
  /** The end of its last period, epoch milliseconds. */
  readonly to: number;
  /** What failed, with its count. */
  readonly what: readonly string[];
}

/** By the queries' ids. An open circuit is measured as an average, so it has no count. */
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
    guardedServices.map((service) => [`circuit_${service}`, () => `circuit of ${service} open`]),
  ),
};

/** Oldest first. */
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
