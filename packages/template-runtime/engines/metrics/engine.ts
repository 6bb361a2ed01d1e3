import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import * as z from 'zod';
import { add, type Bucket, emptyBucket, merge, statisticOf } from './bucket.ts';
import { keptMinutes } from './kept-metrics.ts';
import type { Datum, Metrics, Point, Series } from './types.ts';

export interface MetricsOptions {
  readonly stateDirectory: string;
  /** Milliseconds since the epoch. */
  readonly clock: () => number;
  /** @default 20_000_000 */
  readonly maximumBytes?: number;
}

const minuteMilliseconds = 60_000;
/** Measurements are written to the database at this interval. `kill -9` may lose those since the last write. */
const flushMilliseconds = 5_000;
const tidyMilliseconds = 10 * minuteMilliseconds;

interface Open {
  readonly series: number;
  readonly minute: number;
  readonly bucket: Bucket;
  isSaved: boolean;
}

const bucketRow = z.object({
  minute: z.number(),
  count: z.number(),
  sum: z.number(),
  min: z.number(),
  max: z.number(),
  steps: z.string(),
});
const bucketRows = z.array(bucketRow);
const seriesRows = z.array(z.object({ namespace: z.string(), name: z.string(), dimensions: z.string() }));

const bucketOf = ({ count, sum, min, max, steps }: z.infer<typeof bucketRow>): Bucket => ({
  count,
  sum,
  min,
  max,
  steps: new Map(JSON.parse(steps)),
});

const dimensionsText = (dimensions: Datum['dimensions']): string =>
  JSON.stringify(Object.entries(dimensions).sort(([a], [b]) => (a < b ? -1 : 1)));

const openDatabase = (file: string): DatabaseSync => {
  const database = new DatabaseSync(file);
  database.exec(`
    PRAGMA auto_vacuum = FULL;
    PRAGMA journal_mode = WAL;
    PRAGMA synchronous = NORMAL;
    CREATE TABLE IF NOT EXISTS series (
      id INTEGER PRIMARY KEY, namespace TEXT, name TEXT, dimensions TEXT, UNIQUE (namespace, name, dimensions));
    CREATE TABLE IF NOT EXISTS bucket (
      series INTEGER, minute INTEGER, count REAL, sum REAL, min REAL, max REAL, steps TEXT,
      PRIMARY KEY (series, minute)) WITHOUT ROWID;
    CREATE INDEX IF NOT EXISTS bucket_minute ON bucket (minute);
  `);
  return database;
};

export const createMetrics = (options: MetricsOptions): Metrics => {
  const { stateDirectory, clock, maximumBytes = 20_000_000 } = options;
  const database = openDatabase(join(stateDirectory, 'metrics.sqlite'));
  const insertSeries = database.prepare(
    'INSERT INTO series (namespace, name, dimensions) VALUES (?, ?, ?) ON CONFLICT DO NOTHING',
  );
  const selectSeries = database.prepare(
    'SELECT id FROM series WHERE namespace = ? AND name = ? AND dimensions = ?',
  );
  const selectBuckets = database.prepare(
    'SELECT * FROM bucket WHERE series = ? AND minute >= ? AND minute < ? ORDER BY minute',
  );
  const replaceBucket = database.prepare('REPLACE INTO bucket VALUES (?, ?, ?, ?, ?, ?, ?)');
  /**
   * Ids of series, keyed by namespace, name and dimensions. If the same dimensions come in a different order, they get
   * a second entry with the same id.
   */
  const ids = new Map<string, number>();
  const open = new Map<string, Open>();

  const find = ({ namespace, name, dimensions }: Series): number | undefined => {
    const key = JSON.stringify([namespace, name, dimensions]);
    const known = ids.get(key);
    if (known !== undefined) return known;
    const row = selectSeries.get(namespace, name, dimensionsText(dimensions)) as
      | { readonly id: number }
      | undefined;
    if (row !== undefined) ids.set(key, row.id);
    return row?.id;
  };

  const ensure = (series: Series): number => {
    const known = find(series);
    if (known !== undefined) return known;
    insertSeries.run(series.namespace, series.name, dimensionsText(series.dimensions));
    return ensure(series);
  };

  const openBucket = (series: number, minute: number): Open => {
    const key = `${series} ${minute}`;
    const found = open.get(key);
    if (found !== undefined) return found;
    const [row] = bucketRows.parse(selectBuckets.all(series, minute, minute + 1));
    const opened = { series, minute, bucket: row ? bucketOf(row) : emptyBucket(), isSaved: true };
    open.set(key, opened);
    return opened;
  };

  const flush = (): void => {
    const now = Math.floor(clock() / minuteMilliseconds);
    database.exec('BEGIN');
    for (const [key, each] of open) {
      const { series, minute, bucket } = each;
      if (!each.isSaved) {
        const { count, sum, min, max, steps } = bucket;
        replaceBucket.run(series, minute, count, sum, min, max, JSON.stringify([...steps]));
        each.isSaved = true;
      }
      if (minute < now - 1) open.delete(key);
    }
    database.exec('COMMIT');
  };

  const usedBytes = (): number => {
    const { bytes } = database
      .prepare(
        'SELECT (page_count - freelist_count) * page_size AS bytes FROM pragma_page_count(), pragma_freelist_count(), pragma_page_size()',
      )
      .get() as { readonly bytes: number };
    return bytes;
  };

  /**
   * Deletes records that are too old. Then, while the database is still too large, deletes the records of the oldest
   * tenth of the time span that it covers.
   */
  const tidy = (): void => {
    flush();
    const forget = database.prepare('DELETE FROM bucket WHERE minute < ?');
    const now = Math.floor(clock() / minuteMilliseconds);
    forget.run(now - keptMinutes);
    while (usedBytes() > maximumBytes) {
      const { oldest } = database.prepare('SELECT min(minute) AS oldest FROM bucket').get() as {
        readonly oldest: number | null;
      };
      if (oldest === null) break;
      forget.run(oldest + Math.max(1, Math.floor((now - oldest) / 10)));
    }
  };

  tidy();
  const timers = [setInterval(flush, flushMilliseconds), setInterval(tidy, tidyMilliseconds)];
  for (const timer of timers) timer.unref();

  return {
    put: (datum) => {
      if (!Number.isFinite(datum.value)) return;
      const opened = openBucket(ensure(datum), Math.floor(datum.at / minuteMilliseconds));
      add(opened.bucket, datum.value);
      opened.isSaved = false;
    },

    query: ({ statistic, periodSeconds, from, to, alignedTo = 0, ...series }) => {
      statisticOf(emptyBucket(), statistic);
      const id = find(series);
      if (id === undefined) return [];
      flush();
      const [first, end] = [Math.floor(from / minuteMilliseconds), Math.ceil(to / minuteMilliseconds)];
      const rows = bucketRows.parse(selectBuckets.all(id, first, end));
      const offset = (alignedTo / 1_000) % periodSeconds;
      const periods = new Map<number, Bucket>();
      for (const row of rows) {
        const seconds = row.minute * 60;
        const at = (seconds - ((seconds - offset) % periodSeconds)) * 1_000;
        const period = periods.get(at) ?? emptyBucket();
        merge(period, bucketOf(row));
        periods.set(at, period);
      }
      return [...periods].map(([at, bucket]): Point => ({ at, value: statisticOf(bucket, statistic) }));
    },

    list: () =>
      seriesRows.parse(database.prepare('SELECT * FROM series').all()).map(({ dimensions, ...named }) => ({
        ...named,
        dimensions: Object.fromEntries(JSON.parse(dimensions)),
      })),

    stop: () => {
      for (const timer of timers) clearInterval(timer);
      flush();
      database.close();
    },
  };
};
