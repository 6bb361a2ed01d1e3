import { CloudWatchClient } from '@aws-sdk/client-cloudwatch';
import { describe, expect, it } from 'vitest';
import { faultsIn } from '../../../operator/stage/metrics/faults.ts';
import { metricsReader } from '../../../operator/stage/metrics/read-metrics.ts';
import { stageMetrics } from '../../../operator/stage/metrics/stage-metrics.ts';
import { circuitOpen, daysLeft, lowSince } from '../../../operator/stage/status/stage-now.ts';

const stage = {
  stage: 'prod',
  topicArn: 'arn:aws:sns:us-east-1:1:topic',
  publisherFunction: 'publisher',
  eventPublisherFunction: 'event-publisher',
};
const signers = (count: number) => Array.from({ length: count }, (_, index) => index + 1);

/** A client that counts the metrics of each request. */
const aCloudWatch = () => {
  const asked: number[] = [];
  const send = async ({ input }: { readonly input: { readonly MetricDataQueries: readonly unknown[] } }) => {
    asked.push(input.MetricDataQueries.length);
    return { MetricDataResults: [{ Id: 'm0', Timestamps: [new Date(60_000)], Values: [7] }] };
  };
  return { asked, client: Object.assign(new CloudWatchClient({ region: 'us-east-1' }), { send }) };
};

describe('the requests for metrics to CloudWatch', () => {
  it('contain at most a hundred metrics, even with the maximum number of signers', () => {
    const queries = stageMetrics({ ...stage, signers: signers(12) });

    expect(queries.length).toBeLessThanOrEqual(100);
    expect(new Set(queries.map(({ id }) => id)).size).toBe(queries.length);
  });

  it('are sent once a minute, however often the metrics are shown', async () => {
    const { asked, client } = aCloudWatch();
    let now = 0;
    const reader = metricsReader({
      client,
      queries: stageMetrics({ ...stage, signers: [1] }),
      clock: () => now,
    });

    const [first] = await Promise.all([reader.read('hour'), reader.read('hour')]);
    now = 59_999;
    expect(await reader.read('hour')).toBe(first);
    expect(asked).toHaveLength(1);
    now = 60_000;
    await reader.read('hour');

    expect(asked).toHaveLength(2);
    expect(first?.points.get('deploy_Count')).toEqual([{ at: 60_000, value: 7 }]);
  });

  it('contain at most a hundred metrics a minute, and further reads wait for the next minute', async () => {
    const { asked, client } = aCloudWatch();
    let now = 0;
    const queries = stageMetrics({ ...stage, signers: signers(12) });
    const reader = metricsReader({ client, queries, clock: () => now });

    expect(await reader.read('hour')).toBeDefined();
    expect(await reader.read('day')).toBeUndefined();
    now = 60_000;
    expect(await reader.read('day')).toBeDefined();

    expect(asked).toEqual([queries.length, queries.length]);
  });
});

describe("the forecast of a signer's funds", () => {
  const at = (minutes: number, value: number) => ({ at: minutes * 60_000, value });

  it('follows from the spending so far and ignores deposits', () => {
    expect(daysLeft([at(0, 10), at(30, 9), at(40, 59)], at(60, 58))).toBeCloseTo(58 / (2 * 24));
  });

  it('is 0 days when the last balance is 0', () => {
    expect(daysLeft([at(0, 10_000), at(30, 9_999)], at(60, 0))).toBe(0);
  });

  it('includes the time since which the funds have been low', () => {
    expect(lowSince([at(0, 1), at(10, 9), at(20, 4), at(30, 0)], 5)).toBe(
      new Date(20 * 60_000).toISOString(),
    );
    expect(lowSince([at(0, 1), at(10, 2)], 5)).toBe(new Date(0).toISOString());
    expect(lowSince([at(0, 9)], 5)).toBeUndefined();
    expect(lowSince(undefined, 5)).toBeUndefined();
  });

  it.each([
    ['nothing was measured', undefined],
    ['nothing was measured within the hour', [at(-60 * 24 * 3, 20), at(-60 * 24, 12), at(-1, 10.5)]],
    ['none went', [at(0, 10), at(30, 10)]],
  ])('does not exist when %s', (_, balances) => {
    expect(daysLeft(balances, at(60, 10))).toBeUndefined();
  });
});

describe('the circuit state of an outside service', () => {
  const minute = (at: number, value: number) => ({ at: at * 60_000, value });

  it.each([
    ['nothing was told of it', [], 'no'],
    ['it was open long ago', [minute(1, 1)], 'no'],
    ['all environments leave it alone', [minute(5, 0.5), minute(6, 1)], 'yes'],
    ['some environments leave it alone', [minute(6, 0.5)], 'at times'],
    ['it was open and is asked again', [minute(5, 1), minute(6, 0)], 'at times'],
    ['it is asked again for long', [minute(1, 1), minute(6, 0)], 'no'],
  ])('is shown from the metrics when %s', (_, told, isOpen) => {
    expect(circuitOpen(told, 2 * 60_000)).toBe(isOpen);
  });
});

describe('the periods of faults', () => {
  const minute = 60_000;
  const measured = (points: Readonly<Record<string, readonly (readonly [number, number])[]>>) =>
    faultsIn({
      at: 10 * minute,
      range: 'hour',
      points: new Map(
        Object.entries(points).map(([id, all]) => [
          id,
          all.map(([minutes, value]) => ({ at: minutes * minute, value })),
        ]),
      ),
    });

  it('join adjacent periods with failures, and list what failed and how often', () => {
    const faults = measured({
      failed: [
        [1, 2],
        [2, 0],
        [5, 1],
      ],
      mint_5XXError: [
        [1, 1],
        [2, 3],
      ],
      circuit_rpc: [[3, 0.5]],
    });

    expect(faults).toEqual([
      {
        from: minute,
        to: 4 * minute,
        what: ['mint answered 5XX: 4', 'notifications failed: 2', 'circuit open: rpc'],
      },
      { from: 5 * minute, to: 6 * minute, what: ['notifications failed: 1'] },
    ]);
  });

  it('do not include rejected requests and successful requests', () => {
    expect(measured({ mint_4XXError: [[1, 5]], mint_Count: [[1, 9]], failed: [[1, 0]] })).toEqual([]);
  });

  it('are computed from metrics that are requested anyway', () => {
    const ids = stageMetrics({ ...stage, signers: [1] }).map(({ id }) => id);

    const found = measured(Object.fromEntries(ids.map((id) => [id, [[1, 1]]])));

    expect(found[0]?.what).toHaveLength(6 + 1 + 2 + 4);
  });
});
