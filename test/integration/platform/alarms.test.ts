import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createAlarmEngine } from 'template-runtime/engines/alarms/engine.ts';
import type { AlarmEngine } from 'template-runtime/engines/alarms/types.ts';
import { createMetrics } from 'template-runtime/engines/metrics/engine.ts';
import type { Metrics } from 'template-runtime/engines/metrics/types.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { deployAlarms } from '../../support/platform/template-alarms.ts';

const minute = 60_000;
const folder = mkdtempSync(join(tmpdir(), 'marquee-alarms-'));

/** For each of these metrics, a value that sets off its alarms when it is measured every minute. */
const bad: Readonly<Record<string, number>> = {
  '5XXError': 4,
  LowestBalanceCoins: 0.5,
  LongestQueue: 300,
  IteratorAge: 500_000,
  Latency: 9_000,
  OldestUnfinishedSeconds: 4_000,
  // Far fewer failures than SNS counts.
  AttemptsFailed: 1,
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
  readonly TreatMissingData: string;
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

beforeAll(async () => {
  metrics = createMetrics({ stateDirectory: folder, clock: () => now });
  alarms = open();
  await deployAlarms(alarms);
});
afterAll(async () => {
  await alarms.stop();
  metrics.stop();
  rmSync(folder, { recursive: true });
});

/** What is measured each minute of a healthy stage without traffic, for the last minutes. */
const putHealthy = (except: readonly string[] = []) => {
  for (let back = 1; back <= 15; back += 1) {
    for (const [name, value] of Object.entries({
      OldestUnfinishedSeconds: 0,
      LongestQueue: 0,
      LowestBalanceCoins: 100,
      RpcUnavailable: 0,
      RpcEndpointsSilent: 0,
    })) {
      if (except.includes(name)) continue;
      const at = now - back * minute;
      metrics.put({ namespace: 'Marquee/local', name, dimensions: { service: 'nft' }, value, at });
    }
    if (back % 5 !== 0) continue;
    for (const name of ['ChecksFailed', 'PartsOff', 'KeysUnusable']) {
      const at = now - back * minute;
      metrics.put({ namespace: 'Marquee/local', name, dimensions: { service: 'canary' }, value: 0, at });
    }
  }
};

const ringing = () =>
  alarms
    .list()
    .filter(({ state }) => state === 'ALARM')
    .map(({ name }) => name);
const watchedOf = (name: string) =>
  alarms.list().find((each) => each.name === name)?.watched as unknown as Watched;

describe('the alarms of the template on the local system', () => {
  it('are evaluated, except one whose metric only AWS measures', async () => {
    // The alarm needs a few minutes of measurements before it can decide whether the canary is silent.
    now += 10 * minute;
    putHealthy();

    await alarms.evaluate();

    const left = alarms.list().filter(({ state }) => state === 'INSUFFICIENT_DATA');
    expect(left.map(({ name, stateReason }) => [name.replace(/Alarm[0-9A-F]{8}$/, ''), stateReason])).toEqual(
      [['S-NftAlarmsSignaturesNearQuota', expect.stringMatching(/^Not evaluated: /)]],
    );
    expect(alarms.list().length).toBeGreaterThan(60);
    expect(ringing()).toEqual([]);
  });

  it('go off and publish to their topic only for their own metric, and then end', async () => {
    for (const { name, state } of alarms.list()) {
      const watched = watchedOf(name);
      if (state === 'INSUFFICIENT_DATA' || watched.TreatMissingData === 'breaching') continue;
      const stats = statsOf(watched);
      // Moves the clock far beyond the measurements for the previous alarm.
      now += 3 * 24 * 60 * minute;
      putHealthy(stats.map(({ MetricName }) => MetricName));
      const same = alarms
        .list()
        .filter(
          ({ watched: other }) =>
            other.TreatMissingData !== 'breaching' &&
            statsOf(other as unknown as Watched).some((stat) => stats.map(keyOf).includes(keyOf(stat))),
        );
      const periods = same.map((each) => periodOf(watchedOf(each.name)) / 60);
      const minutes = Math.max(
        ...same.map((each, index) => watchedOf(each.name).EvaluationPeriods * (periods[index] ?? 1)),
      );
      // An alarm over up to an hour gets a value every minute. For longer ones, two values in each period are enough.
      const step = minutes > 60 ? Math.min(...periods) / 2 : 1;
      for (let back = 1; back <= minutes; back += step) {
        for (const { Namespace, MetricName, Dimensions = [] } of stats) {
          for (let call = 0; call < (MetricName === 'Latency' ? 20 : 1); call += 1) {
            metrics.put({
              namespace: Namespace,
              name: MetricName,
              dimensions: Object.fromEntries(Dimensions.map(({ Name, Value }) => [Name, Value])),
              value: bad[MetricName] ?? manyOf,
              at: now - back * minute,
            });
          }
        }
      }
      told.length = 0;

      await alarms.evaluate();

      expect({ name, ringing: ringing().toSorted() }).toEqual({
        name,
        ringing: same.map((each) => each.name).toSorted(),
      });
      expect(told).toContain(`arn:aws:sns:us-east-1:0:told ${name} ALARM`);
    }
    now += 3 * 24 * 60 * minute;
    putHealthy();
    await alarms.evaluate();
    expect(ringing()).toEqual([]);
  });

  it('for slow answers stay off for a handful of calls, and for one slow call of a few', async () => {
    const [name = ''] = alarms
      .list()
      .flatMap((each) => (each.name.includes('SlowAnswers') ? [each.name] : []));
    const [{ Namespace = '', Dimensions = [] } = {}] = statsOf(watchedOf(name));
    const isOnAfter = async (latencies: readonly number[]): Promise<boolean> => {
      now += 3 * 24 * 60 * minute;
      putHealthy();
      for (let back = 1; back <= 25; back += 5) {
        for (const value of latencies)
          metrics.put({
            namespace: Namespace,
            name: 'Latency',
            dimensions: Object.fromEntries(Dimensions.map((each) => [each.Name, each.Value])),
            value,
            at: now - back * minute,
          });
      }
      await alarms.evaluate();
      return ringing().includes(name);
    };
    const [fast, slow] = [100, 9_000];

    expect(await isOnAfter(Array(5).fill(slow))).toBe(false);
    expect(await isOnAfter([...Array(30).fill(fast), slow])).toBe(false);
    expect(await isOnAfter(Array(30).fill(slow))).toBe(true);
    expect(await isOnAfter([...Array(150).fill(fast), slow, slow, slow])).toBe(true);
  });

  it('for the schedule’s measurements go off when these measurements stop', async () => {
    now += 3 * 24 * 60 * minute;
    putHealthy();
    await alarms.evaluate();
    const before = ringing();

    now += 7 * minute;
    await alarms.evaluate();

    expect(before).toEqual([]);
    expect(ringing().toSorted()).toEqual([
      expect.stringContaining('CanarySilent'),
      expect.stringContaining('NobodyWatches'),
    ]);
    putHealthy();
    await alarms.evaluate();
  });

  it('for a low balance stay on while no endpoint returns the balances', async () => {
    now += 3 * 24 * 60 * minute;
    for (const back of [1, 2, 3]) {
      const dimensions = { service: 'nft' };
      const at = now - back * minute;
      metrics.put({ namespace: 'Marquee/local', name: 'LowestBalanceCoins', dimensions, value: 0.5, at });
    }
    await alarms.evaluate();

    now += 60 * minute;
    await alarms.evaluate();
    const whileUnknown = ringing();
    putHealthy();
    await alarms.evaluate();

    expect(whileUnknown).toContainEqual(expect.stringContaining('BalanceLow'));
    expect(ringing()).toEqual([]);
  });

  it('that were on before a restart stay on, and publish nothing again', async () => {
    const name = alarms.list().find(({ name: each }) => each.includes('FailedChangesNotEmpty'))?.name ?? '';
    await alarms.setState({ name, state: 'ALARM', reason: 'A test' });
    const since = alarms.list().find((each) => each.name === name)?.stateUpdated;
    told.length = 0;

    const again = open();
    await deployAlarms(again);

    expect(again.list().find((each) => each.name === name)).toMatchObject({
      state: 'ALARM',
      stateReason: 'A test',
      stateUpdated: since,
    });
    expect(told).toEqual([]);
    await again.stop();
  });
});
