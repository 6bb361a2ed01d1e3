import { describe, expect, it } from 'vitest';
import { parseSchedule } from '../../engines/schedule/expression.ts';

const next = (expression: string, after: string): string | undefined => {
  const time = parseSchedule(expression)(Date.parse(after));
  return time === undefined ? undefined : new Date(time).toISOString();
};

describe('schedule expression', () => {
  it.each([
    ['rate(1 minute)', '2026-11-20T12:00:30Z', '2026-11-20T12:01:30.000Z'],
    ['rate(5 minutes)', '2026-11-20T12:00:00Z', '2026-11-20T12:05:00.000Z'],
    ['rate(1 day)', '2026-11-20T12:00:00Z', '2026-11-21T12:00:00.000Z'],
    ['cron(0 12 * * ? *)', '2026-11-20T12:00:00Z', '2026-11-21T12:00:00.000Z'],
    ['cron(0/15 * * * ? *)', '2026-11-20T12:16:10Z', '2026-11-20T12:30:00.000Z'],
    ['cron(0 8 1 * ? *)', '2026-11-20T12:00:00Z', '2026-12-01T08:00:00.000Z'],
    ['cron(0 18 ? * MON-FRI *)', '2026-11-20T18:00:00Z', '2026-11-23T18:00:00.000Z'],
    ['cron(30 6 ? JAN SUN 2027)', '2026-11-20T18:00:00Z', '2027-01-03T06:30:00.000Z'],
    ['at(2026-11-20T13:00:00)', '2026-11-20T12:00:00Z', '2026-11-20T13:00:00.000Z'],
    ['at(2026-11-20T13:00:00)', '2026-11-20T13:00:00Z', undefined],
  ])('%s after %s is %s', (expression, after, expected) => {
    expect(next(expression, after)).toBe(expected);
  });

  it.each([
    'rate(1 minutes)',
    'rate(5 minute)',
    'rate(0 minutes)',
    'cron(0 12 * * * *)',
    'cron(0 12 * * ?)',
    'cron(61 12 * * ? *)',
    'cron(0 12 L * ? *)',
    'at(tomorrow)',
    'every minute',
  ])('refuses %s', (expression) => {
    expect(() => parseSchedule(expression)).toThrow();
  });
});
