import * as z from 'zod';
import { isKept } from '../metrics/kept.ts';
import type { Metrics, Series } from '../metrics/types.ts';
import type { Alarm, AlarmState } from './types.ts';

const dimensions = z.array(z.object({ Name: z.string(), Value: z.string() })).default([]);
const common = {
  ComparisonOperator: z.enum([
    'GreaterThanOrEqualToThreshold',
    'GreaterThanThreshold',
    'LessThanThreshold',
    'LessThanOrEqualToThreshold',
  ]),
  EvaluationPeriods: z.number(),
  DatapointsToAlarm: z.number().optional(),
  Threshold: z.number(),
  TreatMissingData: z.enum(['breaching', 'notBreaching', 'ignore', 'missing']).default('missing'),
};
const ofOneMetric = z
  .object({
    ...common,
    Namespace: z.string(),
    MetricName: z.string(),
    Dimensions: dimensions,
    Period: z.number(),
    Statistic: z.string().optional(),
    ExtendedStatistic: z.string().optional(),
  })
  .transform(({ Namespace, MetricName, Dimensions, Period, Statistic, ExtendedStatistic, ...rest }) => ({
    ...rest,
    Period,
    series: [
      { Namespace, MetricName, Dimensions, Stat: Statistic ?? ExtendedStatistic ?? 'Average' },
    ] as const,
  }));
const ofASum = z
  .object({
    ...common,
    Metrics: z.array(
      z.union([
        z.object({ Expression: z.literal('SUM(METRICS())') }),
        z.object({
          MetricStat: z.object({
            Metric: z.object({ Namespace: z.string(), MetricName: z.string(), Dimensions: dimensions }),
            Period: z.number(),
            Stat: z.string(),
          }),
        }),
      ]),
    ),
  })
  .transform(({ Metrics, ...rest }) => {
    const stats = Metrics.flatMap((each) => ('MetricStat' in each ? [each.MetricStat] : []));
    return {
      ...rest,
      Period: stats[0]?.Period ?? 60,
      series: stats.map(({ Metric, Stat }) => ({ ...Metric, Stat })),
    };
  });
const watchedSchema = z.union([ofOneMetric, ofASum]);

type Watched = z.output<typeof watchedSchema>;

const seriesOf = ({ Namespace, MetricName, Dimensions }: Watched['series'][number]): Series => ({
  namespace: Namespace,
  name: MetricName,
  dimensions: Object.fromEntries(Dimensions.map(({ Name, Value }) => [Name, Value])),
});

/** @returns what the alarm watches, or the reason why this engine cannot evaluate the alarm. */
export const watchedBy = ({ watched }: Pick<Alarm, 'watched'>): Watched | string => {
  const parsed = watchedSchema.safeParse(watched);
  if (!parsed.success)
    return "the local runtime does not support the alarm's comparison operator or expression";
  const unknown = parsed.data.series.map(seriesOf).find((series) => !isKept(series));
  return unknown === undefined
    ? parsed.data
    : `the local runtime does not measure ${unknown.namespace} ${unknown.name}`;
};

const minuteMilliseconds = 60_000;

/**
 * When data is missing, CloudWatch also looks at this many periods before the alarm's evaluation periods. AWS does not
 * document the number; its guide shows two ("Configuring how CloudWatch alarms treat missing data").
 */
const furtherPeriods = 2;

/**
 * One value for each period, newest first; `undefined` for a period without data. The newest period ends where the
 * current minute begins.
 */
const pointsOf = (watched: Watched, metrics: Pick<Metrics, 'query'>, now: number) => {
  const to = Math.floor(now / minuteMilliseconds) * minuteMilliseconds;
  const milliseconds = watched.Period * 1_000;
  const from = to - (watched.EvaluationPeriods + furtherPeriods) * milliseconds;
  const values = new Map<number, number>();
  for (const each of watched.series) {
    const query = { statistic: each.Stat, periodSeconds: watched.Period, from, to, alignedTo: to };
    for (const { at, value } of metrics.query({ ...seriesOf(each), ...query })) {
      values.set(at, (values.get(at) ?? 0) + value);
    }
  }
  const newestStart = to - milliseconds;
  return Array.from({ length: watched.EvaluationPeriods + furtherPeriods }, (_, index) =>
    values.get(newestStart - index * milliseconds),
  );
};

const words = {
  GreaterThanOrEqualToThreshold: 'greater than or equal to',
  GreaterThanThreshold: 'greater than',
  LessThanThreshold: 'less than',
  LessThanOrEqualToThreshold: 'less than or equal to',
} as const;

const isBreaching = ({ ComparisonOperator, Threshold }: Watched, value: number): boolean =>
  ({
    GreaterThanOrEqualToThreshold: value >= Threshold,
    GreaterThanThreshold: value > Threshold,
    LessThanThreshold: value < Threshold,
    LessThanOrEqualToThreshold: value <= Threshold,
  })[ComparisonOperator];

/** The alarm's state according to the metrics. `undefined` if data is missing and the alarm then keeps its state. */
export const evaluate = (
  watched: Watched,
  metrics: Pick<Metrics, 'query'>,
  now: number,
): { readonly state: AlarmState; readonly reason: string } | undefined => {
  const { EvaluationPeriods, TreatMissingData, Threshold } = watched;
  const needed = watched.DatapointsToAlarm ?? EvaluationPeriods;
  const points = pointsOf(watched, metrics, now);
  const real = points.filter((point) => point !== undefined);
  const isEnough = real.length >= EvaluationPeriods;
  const judged = isEnough ? real.slice(0, EvaluationPeriods) : real;
  const missing = EvaluationPeriods - judged.length;
  if (missing > 0 && TreatMissingData === 'ignore') return undefined;
  if (judged.length === 0 && TreatMissingData === 'missing') {
    return { state: 'INSUFFICIENT_DATA', reason: 'Insufficient Data: no data points were received' };
  }
  const breaching = judged.filter((value) => isBreaching(watched, value)).length;
  const filled = TreatMissingData === 'breaching' ? missing : 0;
  const least = TreatMissingData === 'missing' ? Math.min(needed, judged.length) : needed;
  const isAlarm = breaching + filled >= least;
  const received = judged.length === 0 ? 'no data points were received' : `[${judged.join(', ')}]`;
  return {
    state: isAlarm ? 'ALARM' : 'OK',
    reason: `Threshold Crossed: ${breaching} of ${EvaluationPeriods} datapoints ${received}, ${missing} missing and treated as ${TreatMissingData}, ${isAlarm ? 'were' : 'are not all'} ${words[watched.ComparisonOperator]} the threshold (${Threshold}).`,
  };
};
