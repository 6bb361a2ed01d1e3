import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createMetrics } from '../../engines/metrics/engine.ts';
import type { Metrics } from '../../engines/metrics/types.ts';

const minute = 60_000;
const start = Date.parse('2026-11-21T12:00:00Z');

let stateDirectory: string;
let now: number;
let metrics: Metrics;

const open = (maximumBytes?: number) =>
  createMetrics({ stateDirectory, clock: () => now, ...(maximumBytes !== undefined && { maximumBytes }) });

beforeEach(() => {
  stateDirectory = mkdtempSync(join(tmpdir(), 'metrics-'));
  now = start;
  metrics = open();
});
afterEach(() => {
  metrics.stop();
  rmSync(stateDirectory, { recursive: true });
});

const series = { namespace: 'Shop', name: 'Seconds', dimensions: { signer: '1', service: 'nft' } };
const put = (value: number, at = now) => metrics.put({ ...series, value, at });
const query = (statistic: string, { from = start, to = now + minute, periodSeconds = 60 } = {}) =>
  metrics.query({ ...series, statistic, periodSeconds, from, to });
const valuesOf = (statistic: string) => query(statistic).map(({ value }) => value);

describe('metrics', () => {
  it('are summarized by statistics for each minute', () => {
    for (const value of [1, 2, 9]) put(value);

    expect(valuesOf('Sum')).toEqual([12]);
    expect(valuesOf('Average')).toEqual([4]);
    expect(valuesOf('Minimum')).toEqual([1]);
    expect(valuesOf('Maximum')).toEqual([9]);
    expect(valuesOf('SampleCount')).toEqual([3]);
  });

  it('include percentiles that are accurate to 5 %', () => {
    for (let value = 1; value <= 1_000; value += 1) put(value);

    for (const [statistic, exact] of [
      ['p50', 500],
      ['p95', 950],
      ['p99', 990],
    ] as const) {
      expect(Math.abs((valuesOf(statistic)[0] ?? 0) / exact - 1)).toBeLessThan(0.05);
    }
    expect(valuesOf('p100')).toEqual([1_000]);
  });

  it('are summed over longer periods, which begin at multiples of their length', () => {
    for (const [offset, value] of [
      [0, 1],
      [4, 2],
      [5, 4],
    ] as const) {
      put(value, start + offset * minute);
    }

    const points = query('Sum', { to: start + 10 * minute, periodSeconds: 300 });

    expect(points).toEqual([
      { at: start, value: 3 },
      { at: start + 5 * minute, value: 4 },
    ]);
  });

  it('are separate for different dimensions, in whatever order the dimensions are named', () => {
    put(1);
    metrics.put({ ...series, dimensions: { service: 'nft', signer: '1' }, value: 2, at: now });
    metrics.put({ ...series, dimensions: { signer: '2', service: 'nft' }, value: 4, at: now });

    expect(valuesOf('Sum')).toEqual([3]);
    expect(metrics.list()).toHaveLength(2);
  });

  it('keep the values from before a restart in the same minute', () => {
    put(1);
    metrics.stop();
    metrics = open();
    put(3);

    expect(valuesOf('Sum')).toEqual([4]);
    expect(valuesOf('Minimum')).toEqual([1]);
  });

  it('are deleted after a week', () => {
    put(1);
    now += 8 * 24 * 60 * minute;
    put(2);
    metrics.stop();
    metrics = open();

    expect(valuesOf('Sum')).toEqual([2]);
  });

  it('lose their oldest values if there are too many', () => {
    for (let count = 0; count < 2_000; count += 1) put(count, now + count * minute);
    now += 2_000 * minute;
    metrics.stop();
    metrics = open(60_000);

    const kept = valuesOf('Maximum');
    expect(kept.length).toBeGreaterThan(100);
    expect(kept.length).toBeLessThan(1_900);
    expect(kept.at(-1)).toBe(1_999);
  });

  it('cannot be queried with an unknown statistic', () => {
    expect(() => query('Median')).toThrow(/Median/);
  });
});
