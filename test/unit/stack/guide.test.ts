import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { resourcesOf, templateOf } from '../../support/stack.ts';

const guide = readFileSync(new URL('../../../docs/operator-guide.md', import.meta.url), 'utf8');
const prod = templateOf('prod');
const alarms = resourcesOf(prod, 'AWS::CloudWatch::Alarm').map(
  ([, { Properties }]) => (Properties.Metrics ?? [{ MetricStat: Properties }]) as { MetricStat?: unknown }[],
);

/** A number that the guide names, by the words around it. */
const counted = (words: RegExp): number => Number(words.exec(guide)?.[1]);

describe('the operator guide', () => {
  it('counts the resources and alarms that prod has', () => {
    expect(counted(/\| (\d+) on prod \|/)).toBe(Object.keys(prod.Resources).length);
    expect(counted(/\| (\d+) a stage \|/)).toBe(alarms.length);
  });

  it('counts the alarms and their metrics that are paid for each month', () => {
    const metrics = alarms.flat().filter(({ MetricStat }) => MetricStat !== undefined);

    expect(counted(/on prod: (\d+) alarms/)).toBe(alarms.length);
    expect(counted(/alarms on (\d+) metrics/)).toBe(metrics.length);
  });
});
