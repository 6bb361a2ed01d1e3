import { type CloudWatchClient, paginateGetMetricData } from '@aws-sdk/client-cloudwatch';
import type { Clock } from '../../../shared/platform/time/clock.ts';
import type { MetricQuery } from './stage-metrics.ts';

export const ranges = {
  hour: { seconds: 3_600, periodSeconds: 60 },
  day: { seconds: 86_400, periodSeconds: 300 },
  week: { seconds: 604_800, periodSeconds: 3_600 },
} as const;
export type Range = keyof typeof ranges;

/** The value of one metric in one period. `at` is when the period began, epoch milliseconds. */
export interface Point {
  readonly at: number;
  readonly value: number;
}

export interface Measured {
  /** When the metrics were read, epoch milliseconds. */
  readonly at: number;
  readonly range: Range;
  /** The points of each metric by the id of its query, oldest first. A period without measurements has no point. */
  readonly points: ReadonlyMap<string, readonly Point[]>;
}

export interface MetricsReader {
  /**
   * Reuses a result that is less than a minute old. If a new reading would exceed `perMinute`, returns the last result
   * of any age, or `undefined` if there is none.
   */
  read(range: Range): Promise<Measured | undefined>;
}

const minuteMilliseconds = 60_000;

/** Reads at most `perMinute` metrics from CloudWatch in any minute, because AWS charges for each metric read. */
export const metricsReader = ({
  client,
  queries,
  clock,
  perMinute = 100,
}: {
  readonly client: CloudWatchClient;
  readonly queries: readonly MetricQuery[];
  readonly clock: Clock;
  /** @default 100 */
  readonly perMinute?: number;
}): MetricsReader => {
  const known = new Map<Range, Measured>();
  const underWay = new Map<Range, Promise<Measured>>();
  let asked: readonly number[] = [];
  const shown = queries.slice(0, perMinute);

  const ask = async (range: Range): Promise<Measured> => {
    const { seconds, periodSeconds } = ranges[range];
    const now = clock();
    const points = new Map<string, Point[]>();
    const pages = paginateGetMetricData(
      { client },
      {
        StartTime: new Date(now - seconds * 1_000),
        EndTime: new Date(now + minuteMilliseconds),
        ScanBy: 'TimestampAscending',
        MetricDataQueries: shown.map(({ namespace, metric, dimensions, statistic }, index) => ({
          Id: `m${index}`,
          MetricStat: {
            Metric: {
              Namespace: namespace,
              MetricName: metric,
              Dimensions: Object.entries(dimensions).map(([Name, Value]) => ({ Name, Value })),
            },
            Period: periodSeconds,
            Stat: statistic,
          },
        })),
      },
    );
    for await (const { MetricDataResults = [] } of pages) {
      for (const { Id = '', Timestamps = [], Values = [] } of MetricDataResults) {
        const id = shown[Number(Id.slice(1))]?.id;
        if (id === undefined) continue;
        const found = Timestamps.map((time, index) => ({ at: time.getTime(), value: Values[index] ?? 0 }));
        points.set(id, [...(points.get(id) ?? []), ...found]);
      }
    }
    const measured = { at: now, range, points };
    known.set(range, measured);
    return measured;
  };

  return {
    read: async (range) => {
      const now = clock();
      const last = known.get(range);
      if (last !== undefined && now - last.at < minuteMilliseconds) return last;
      const going = underWay.get(range);
      if (going !== undefined) return going;
      asked = asked.filter((at) => now - at < minuteMilliseconds);
      if (asked.length + shown.length > perMinute) return last;
      asked = [...asked, ...shown.map(() => now)];
      const asking = ask(range).finally(() => underWay.delete(range));
      underWay.set(range, asking);
      return asking;
    },
  };
};

/** The sum of the points whose period began at or after `since`. `undefined` if there are none. */
export const sumSince = (points: readonly Point[] | undefined, since: number): number | undefined => {
  const young = (points ?? []).filter(({ at }) => at >= since);
  return young.length === 0 ? undefined : young.reduce((total, { value }) => total + value, 0);
};
