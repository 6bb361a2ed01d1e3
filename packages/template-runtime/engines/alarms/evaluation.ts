import * as z from 'zod';
import { isKept } from '../metrics/kept-metrics.ts';
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
/** Calculates an alarm's value in one period from the values of its metrics by their ids. `undefined` if there is none. */
type Combine = (values: ReadonlyMap<string, number>) => number | undefined;

const sum: Combine = (values) =>
  values.size === 0 ? undefined : [...values.values()].reduce((total, value) => total + value, 0);

/**
 * A share that counts only from a number of cases on. As on AWS, a period that lacks one of the two has no value, unless
 * `FILL` gives it one.
 */
const shareFrom = /^IF\((\w+) >= (\d+), \1 \/ (?:FILL\((\w+), (\d+)\)|(\w+)), 0\)$/;
const shareOf = (expression: string): Combine => {
  const [, part = '', least, filled, fill, whole = ''] = shareFrom.exec(expression) ?? [];
  return (values) => {
    const cases = values.get(part);
    const all = filled === undefined ? values.get(whole) : (values.get(filled) ?? Number(fill));
    if (cases === undefined || all === undefined) return undefined;
    return cases >= Number(least) ? cases / all : 0;
  };
};

/** One metric from a number of cases on, another one from a smaller number on, and otherwise 0. */
const chosenFrom = /^IF\((\w+) >= (\d+), (\w+), IF\(\1 >= (\d+), (\w+), 0\)\)$/;
const choiceOf = (expression: string): Combine => {
  const [, counted = '', many, ofMany = '', few, ofFew = ''] = chosenFrom.exec(expression) ?? [];
  return (values) => {
    const cases = values.get(counted);
    if (cases === undefined) return undefined;
    if (cases >= Number(many)) return values.get(ofMany);
    return cases >= Number(few) ? values.get(ofFew) : 0;
  };
};

const combining = (expression: string): Combine => {
  if (shareFrom.test(expression)) return shareOf(expression);
  return chosenFrom.test(expression) ? choiceOf(expression) : sum;
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
    combine: sum,
    series: [
      { Id: 'm', Namespace, MetricName, Dimensions, Stat: Statistic ?? ExtendedStatistic ?? 'Average' },
    ] as const,
  }));
const ofSeveral = z
  .object({
    ...common,
    Metrics: z.array(
      z.union([
        z.object({
          Expression: z
            .literal('SUM(METRICS())')
            .or(z.string().regex(shareFrom))
            .or(z.string().regex(chosenFrom)),
        }),
        z.object({
          Id: z.string(),
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
    const stats = Metrics.flatMap((each) => ('MetricStat' in each ? [each] : []));
    const [expression = ''] = Metrics.flatMap((each) => ('Expression' in each ? [each.Expression] : []));
    return {
      ...rest,
      Period: stats[0]?.MetricStat.Period ?? 60,
      combine: combining(expression),
      series: stats.map(({ Id, MetricStat: { Metric, Stat } }) => ({ Id, ...Metric, Stat })),
    };
  });
const watchedSchema = z.union([ofOneMetric, ofSeveral]);

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
  const values = new Map<number, Map<string, number>>();
  for (const each of watched.series) {
    const query = { statistic: each.Stat, periodSeconds: watched.Period, from, to, alignedTo: to };
    for (const { at, value } of metrics.query({ ...seriesOf(each), ...query })) {
      values.set(at, (values.get(at) ?? new Map<string, number>()).set(each.Id, value));
    }
  }
  const newestStart = to - milliseconds;
  return Array.from({ length: watched.EvaluationPeriods + furtherPeriods }, (_, index) =>
    watched.combine(values.get(newestStart - index * milliseconds) ?? new Map()),
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

/**
 * The alarm's state according to the metrics. `undefined` if the alarm keeps its state: data is missing, and the alarm
 * ignores that, or it is missing because nothing was measured before `since`.
 */
export const evaluate = (
  watched: Watched,
  metrics: Pick<Metrics, 'query'>,
  { now, since }: { readonly now: number; readonly since: number },
): { readonly state: AlarmState; readonly reason: string } | undefined => {
  const { EvaluationPeriods, Period, TreatMissingData, Threshold } = watched;
  const needed = watched.DatapointsToAlarm ?? EvaluationPeriods;
  const points = pointsOf(watched, metrics, now);
  const real = points.filter((point) => point !== undefined);
  const isEnough = real.length >= EvaluationPeriods;
  const judged = isEnough ? real.slice(0, EvaluationPeriods) : real;
  const missing = EvaluationPeriods - judged.length;
  if (missing > 0 && TreatMissingData === 'ignore') return undefined;
  const isTooEarly = since > now - (EvaluationPeriods * Period + 60) * 1_000;
  if (missing > 0 && TreatMissingData === 'breaching' && isTooEarly) return undefined;
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
