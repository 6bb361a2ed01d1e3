import { describe, expect, it } from 'vitest';
import { parseSchedule } from '../../engines/schedule/expression.ts';

describe('a schedule expression', () => {
  it.each([
    ['rate(1 minute)', '2026-11-20T12:00:30Z', '2026-11-20T12:01:30.000Z'],
    ['rate(5 minutes)', '2026-11-20T12:00:00Z', '2026-11-20T12:05:00.000Z'],
    ['rate(1 day)', '2026-11-20T12:00:00Z', '2026-11-21T12:00:00.000Z'],
  ])('%s: the run after %s is at %s', (expression, after, expected) => {
    expect(new Date(parseSchedule(expression)(Date.parse(after))).toISOString()).toBe(expected);
  });

  it.each([
    'rate(1 minutes)',
    'rate(5 minute)',
    'rate(0 minutes)',
    'cron(0 12 * * ? *)',
    'at(2026-11-20T13:00:00)',
    'every minute',
  ])('is rejected if it is %s', (expression) => {
    expect(() => parseSchedule(expression)).toThrow('only rate(…)');
  });
});
