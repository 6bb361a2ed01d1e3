import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { resolve } from 'template-runtime/assembly/intrinsics.ts';
import { createAlarmEngine } from 'template-runtime/engines/alarms/engine.ts';
import type { AlarmEngine } from 'template-runtime/engines/alarms/types.ts';
import { createMetrics } from 'template-runtime/engines/metrics/engine.ts';
import type { Metrics } from 'template-runtime/engines/metrics/types.ts';
import { alarm as alarmResource } from 'template-runtime/resources/cloudwatch-alarm.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { localTemplate } from '../../support/local-assembly.ts';

const minute = 60_000;
const folder = mkdtempSync(join(tmpdir(), 'marquee-alarms-'));

/** For each of these metrics, a value that sets off its alarms when it is measured every minute. */
const bad: Readonly<Record<string, number>> = {
  '5XXError': 0.5,
  BalanceCoins: 0.5,
  InFlight: 300,
  IteratorAge: 500_000,
  Latency: 9_000,
  OldestPendingSeconds: 4_000,
};
/** A value above every threshold, for the metrics that count something. */
const manyOf = 2_000;

let now = Date.parse('2026-11-21T12:00:30Z');
let metrics: Metrics;
let alarms: AlarmEngine;
const told: string[] = [];

interface Stat {
  readonly Namespace: string;
  readonly MetricName: string;
  readonly Dimensions?: readonly { readonly Name: string; readonly Value: string }[];
}
type Watched = Stat & {
  readonly EvaluationPeriods: number;
  readonly Period?: number;
  readonly Metrics?: readonly { readonly MetricStat?: { readonly Metric: Stat; readonly Period: number } }[];
};
const statsOf = ({ Metrics: several, ...one }: Watched): Stat[] =>
  several === undefined ? [one] : several.flatMap(({ MetricStat }) => MetricStat?.Metric ?? []);
const keyOf = ({ Namespace, MetricName, Dimensions }: Stat) =>
  JSON.stringify([Namespace, MetricName, Dimensions]);
const periodOf = ({ Metrics: several, Period }: Watched) =>
  Period ?? several?.find(({ MetricStat }) => MetricStat)?.MetricStat?.Period ?? 60;

const open = () =>
  createAlarmEngine({
    stateDirectory: folder,
    metrics,
    clock: () => now,
    messaging: {
      mayPublish: async () => 'allowed',
      publish: async ({ topicArn, message }) => {
        told.push(`${topicArn} ${JSON.parse(message).AlarmName} ${JSON.parse(message).NewStateValue}`);
        return { messageId: 'm' };
      },
    },
    onError: (error) => {
      throw error;
    },
  });

/** Deploys the alarms of the template. Each reference to a resource resolves to its logical id. */
const deploy = async (engine: AlarmEngine): Promise<void> => {
  const scope = {
    ref: (name: string) => name,
    getAtt: (logicalId: string) => logicalId,
  };
  for (const [logicalId, { Type, Properties }] of Object.entries(localTemplate().Resources)) {
    if (Type !== 'AWS::CloudWatch::Alarm') continue;
    const properties = alarmResource.properties.parse(resolve(Properties, scope));
    const place = { stackName: 'S', partition: 'aws', region: 'us-east-1', accountId: '0' };
    const actions = { AlarmActions: ['arn:aws:sns:us-east-1:0:told'], OKActions: [] };
    await alarmResource.deploy({ ...properties, ...actions }, {
      ...place,
      logicalId,
      engines: { alarms: engine },
    } as never);
  }
};

beforeAll(async () => {
  metrics = createMetrics({ stateDirectory: folder, clock: () => now });
  alarms = open();
  await deploy(alarms);
}, 120_000);
afterAll(async () => {
  await alarms.stop();
  metrics.stop();
  rmSync(folder, { recursive: true });
});

const ringing = () =>
  alarms
    .list()
    .filter(({ state }) => state === 'ALARM')
    .map(({ name }) => name);
const watchedOf = (name: string) =>
  alarms.list().find((each) => each.name === name)?.watched as unknown as Watched;

describe("the template's alarms", () => {
  it('are evaluated, but for one whose metric only AWS measures', async () => {
    await alarms.evaluate();

    const left = alarms.list().filter(({ state }) => state === 'INSUFFICIENT_DATA');
    expect(left.map(({ name, stateReason }) => [name.replace(/Alarm[0-9A-F]{8}$/, ''), stateReason])).toEqual(
      [['S-NftAlarmsSignaturesNearQuota', expect.stringMatching(/^Not evaluated: /)]],
    );
    expect(alarms.list().length).toBeGreaterThan(60);
    expect(ringing()).toEqual([]);
  });

  it('ring and tell their topic when their metric says so, and no others; then they end', async () => {
    for (const { name, state } of alarms.list()) {
      if (state === 'INSUFFICIENT_DATA') continue;
      const watched = watchedOf(name);
      const stats = statsOf(watched);
      // Moves the clock far beyond the measurements for the previous alarm.
      now += 3 * 24 * 60 * minute;
      const periodMinutes = periodOf(watched) / 60;
      const minutes = watched.EvaluationPeriods * periodMinutes;
      // An alarm over up to an hour gets a value every minute. For longer ones, two values in each period are enough.
      const step = minutes > 60 ? periodMinutes / 2 : 1;
      for (let back = 1; back <= minutes; back += step) {
        for (const { Namespace, MetricName, Dimensions = [] } of stats) {
          metrics.put({
            namespace: Namespace,
            name: MetricName,
            dimensions: Object.fromEntries(Dimensions.map(({ Name, Value }) => [Name, Value])),
            value: bad[MetricName] ?? manyOf,
            at: now - back * minute,
          });
        }
      }
      const same = alarms
        .list()
        .filter(({ watched: other }) =>
          statsOf(other as unknown as Watched).some((stat) => stats.map(keyOf).includes(keyOf(stat))),
        );
      told.length = 0;

      await alarms.evaluate();

      expect({ name, ringing: ringing().toSorted() }).toEqual({
        name,
        ringing: same.map((each) => each.name).toSorted(),
      });
      expect(told).toContain(`arn:aws:sns:us-east-1:0:told ${name} ALARM`);
    }
    now += 3 * 24 * 60 * minute;
    await alarms.evaluate();
    expect(ringing()).toEqual([]);
  }, 120_000);

  it('that rang before a restart ring on, and tell nobody again', async () => {
    const name = alarms.list().find(({ name: each }) => each.includes('FailedChangesNotEmpty'))?.name ?? '';
    await alarms.setState({ name, state: 'ALARM', reason: 'A test' });
    const since = alarms.list().find((each) => each.name === name)?.stateUpdated;
    told.length = 0;

    const again = open();
    await deploy(again);

    expect(again.list().find((each) => each.name === name)).toMatchObject({
      state: 'ALARM',
      stateReason: 'A test',
      stateUpdated: since,
    });
    expect(told).toEqual([]);
    await again.stop();
  });
});
