import { expect, it } from 'vitest';
import { evaluate, watchedBy } from '../../engines/alarms/evaluation.ts';

const minute = 60_000;
const now = Date.parse('2026-11-21T12:00:30Z');
const newest = now - 30_000 - minute;

const declared = {
  Namespace: 'Shop',
  MetricName: 'Refused',
  Period: 60,
  Statistic: 'Sum',
  EvaluationPeriods: 3,
  Threshold: 1,
  ComparisonOperator: 'GreaterThanOrEqualToThreshold',
};

/** Takes points in AWS's notation, oldest first: `X` breaches the threshold, `0` does not, `-` is missing. */
const stateOf = (points: string, more: object = {}) => {
  const watched = watchedBy({ watched: { ...declared, ...more } });
  if (typeof watched === 'string') throw new Error(watched);
  const found = [...points.replaceAll(' ', '')]
    .toReversed()
    .flatMap((sign, back) =>
      sign === '-' ? [] : [{ at: newest - back * minute, value: sign === 'X' ? 1 : 0 }],
    );
  return evaluate(watched, { query: () => found }, { now, since: 0 })?.state;
};

// The rules of "Configuring how CloudWatch alarms treat missing data". If there are fewer real points than evaluation
// periods, the missing points are filled in. Otherwise, only the real points are evaluated.
it.each([
  ['0 - X - X', {}, 'OK', 'OK', 'OK', 'OK'],
  ['- - - - 0', {}, 'OK', undefined, 'OK', 'OK'],
  ['- - - - -', {}, 'INSUFFICIENT_DATA', undefined, 'ALARM', 'OK'],
  ['0 X X - X', {}, 'ALARM', 'ALARM', 'ALARM', 'ALARM'],
  ['- - X - -', {}, 'ALARM', undefined, 'ALARM', 'OK'],
  ['0 0 X 0 X', { DatapointsToAlarm: 2 }, 'ALARM', 'ALARM', 'ALARM', 'ALARM'],
  ['0 - - - X', { DatapointsToAlarm: 2 }, 'OK', undefined, 'ALARM', 'OK'],
])(
  'an alarm with the data points %s and the settings %o gets the documented states',
  (points, more, missing, ignore, breaching, notBreaching) => {
    const answers = ['missing', 'ignore', 'breaching', 'notBreaching'].map((TreatMissingData) =>
      stateOf(points, { ...more, TreatMissingData }),
    );

    expect(answers).toEqual([missing, ignore, breaching, notBreaching]);
  },
);

it('an alarm on a metric that only AWS measures or with an unknown expression is not evaluated', () => {
  expect(watchedBy({ watched: { ...declared, Namespace: 'AWS/Usage' } })).toBe(
    'the local runtime does not measure AWS/Usage Refused',
  );
  expect(watchedBy({ watched: { EvaluationPeriods: 1, Metrics: [{ Id: 'e', Expression: 'a / b' }] } })).toBe(
    "the local runtime does not support the alarm's comparison operator or expression",
  );
});

it('an alarm does not treat the time before the runtime started as missing data', () => {
  const watched = watchedBy({ watched: { ...declared, TreatMissingData: 'breaching' } });
  if (typeof watched === 'string') throw new Error(watched);
  const state = (minutesAgo: number) =>
    evaluate(watched, { query: () => [] }, { now, since: now - minutesAgo * minute })?.state;

  expect([state(0), state(3), state(5)]).toEqual([undefined, undefined, 'ALARM']);
});
