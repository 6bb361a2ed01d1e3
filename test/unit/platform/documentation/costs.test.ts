import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { countedUnits } from '../../../../operator/stage/scale/counted-units.ts';
import { guideFile } from '../../../../tools/bench/cost/guide.ts';
import { idleDollars, idleTable, idleUnits } from '../../../../tools/bench/cost/idle.ts';
import { costTables, totals, withIdleTable, withTables } from '../../../../tools/bench/cost/tables.ts';
import { templateOf } from '../../../support/platform/stack.ts';

describe('the costs in the operator guide', () => {
  const guide = readFileSync(guideFile, 'utf8');

  it('equal the counted units times the prices', () => {
    expect(withTables(guide, costTables(countedUnits()))).toBe(guide);
  });

  it('use the gas that an operator reads before funding a signer', () => {
    const { mint, batch } = countedUnits().gas;
    const rounded = (gas: number) => `${Math.round(gas / 1_000)},000`;

    const chain = readFileSync(new URL('../../../../docs/operator-guide.md', import.meta.url), 'utf8');
    const text = chain.replaceAll(/\s+/g, ' ');
    expect(text).toContain(`about ${rounded(mint)} gas for the first token that an address receives`);
    expect(text).toContain(`about ${rounded(batch / 95)} for each token in a batch of 95`);
  });

  it('of a month without any requests are counted from the templates', () => {
    const stages = { prod: templateOf('prod'), staging: templateOf('staging') };

    expect(withIdleTable(guide, idleTable(stages))).toBe(guide);
  });

  it('of a month without any requests include every unit that AWS bills', () => {
    const stat = { MetricStat: {} };
    const own = (MetricName: string, Statistic: string) => ({
      Type: 'AWS::CloudWatch::Alarm',
      Properties: { Namespace: 'Marquee/prod', MetricName, Statistic, Dimensions: [{ Name: 'service' }] },
    });
    const template = {
      Resources: {
        one: { Type: 'AWS::CloudWatch::Alarm', Properties: { MetricName: 'Errors' } },
        sum: {
          Type: 'AWS::CloudWatch::Alarm',
          Properties: { Metrics: [stat, stat, { Expression: 'm0 + m1' }] },
        },
        measured: own('OldestUnfinishedSeconds', 'Maximum'),
        unmeasured: own('OldestUnfinishedSeconds', 'SampleCount'),
        counted: own('EntryFailed', 'Sum'),
        logged: {
          Type: 'AWS::CloudWatch::Alarm',
          Properties: { Namespace: 'Marquee/prod', MetricName: 'EndpointsFailing', Statistic: 'Maximum' },
        },
        acl: { Type: 'AWS::WAFv2::WebACL', Properties: { Rules: [{}, {}] } },
        key: { Type: 'AWS::KMS::Key' },
      },
    };

    expect(idleUnits(template)).toEqual({
      alarmMetric: 7,
      measure: 1,
      key: 1,
      secret: 0,
      webAcl: 1,
      firewallRule: 2,
      dashboard: 0,
    });
    expect(idleDollars(template)).toBeCloseTo(0.7 + 0.3 + 1 + 5 + 2);
  });

  it('stay below a fixed maximum for each row', () => {
    const dollars = totals(countedUnits());

    expect(dollars['A million mints']).toBeLessThanOrEqual(30);
    expect(dollars['A million mints, each with an `Idempotency-Key`']).toBeLessThanOrEqual(31.5);
    expect(
      dollars[
        'A million changes to user data: five applications are notified of each change and read the data in batches of 100 users'
      ],
    ).toBeLessThanOrEqual(42);
    expect(
      dollars['Fifty million requests for a compressed list of 50 events, from viewers who are signed in'],
    ).toBeLessThanOrEqual(335);
  });
});
