import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { resourcesOf, templateOf } from '../../support/stack.ts';

const guide = readFileSync(new URL('../../../docs/operator-guide.md', import.meta.url), 'utf8');
const prod = templateOf('prod');
const alarms = resourcesOf(prod, 'AWS::CloudWatch::Alarm').map(
  ([, { Properties }]) => (Properties.Metrics ?? [{ MetricStat: Properties }]) as { MetricStat?: unknown }[],
);

/** How far a number of the guide, found by the words around it, is from what is so: a few more change nothing. */
const offBy = (words: RegExp, actual: number): number =>
  Math.abs(Number(words.exec(guide)?.[1]) - actual) / actual;
const little = 0.05;

describe('the operator guide', () => {
  it('counts the resources and alarms that prod has', () => {
    expect(offBy(/\| (\d+) on prod \|/, Object.keys(prod.Resources).length)).toBeLessThan(little);
    expect(offBy(/\| (\d+) a stage \|/, alarms.length)).toBeLessThan(little);
  });

  it('counts the alarms and their metrics that are paid for each month', () => {
    const metrics = alarms.flat().filter(({ MetricStat }) => MetricStat !== undefined);

    expect(offBy(/on prod: (\d+) alarms/, alarms.length)).toBeLessThan(little);
    expect(offBy(/alarms on (\d+) metrics/, metrics.length)).toBeLessThan(little);
  });
});
