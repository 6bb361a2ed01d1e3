import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import * as z from 'zod';
import type { Event } from '../../shared/ott/events/event.ts';
import { eventRecord } from '../../shared/ott/events/event-record.ts';
import { itemsOf } from '../../shared/ott/store/event-items.ts';
import { anEvent } from '../../test/support/ott/builders.ts';
import { embeddedTables } from './embedded-tables.ts';
import type { Measurement } from './measurement.ts';

const stored = 120_000;
const tableName = 'events';

const anEventOf = (index: number): Event =>
  anEvent({
    id: `event-${index}`,
    startsAt: new Date(Date.UTC(2026, 0, 1) + index * 60_000).toISOString(),
    endsAt: null,
    stream: { type: 'hls', url: `https://streams.example.com/events/event-${index}/index.m3u8` },
  });

const eventsFrom = (first: number, count: number, change: Partial<Event> = {}): Event[] =>
  Array.from({ length: count }, (_, index) => ({ ...anEventOf(first + index), ...change }));

const resultSchema = z.object({
  seconds: z.number(),
  megabytes: z.number(),
  outcomes: z.record(z.string(), z.number()),
});

/** Runs an import in a separate process, with the heap limits of the operator's commands. */
const importing = async (
  { endpoint, directory }: { readonly endpoint: string; readonly directory: string },
  events: readonly Event[],
  options: readonly string[] = [],
) => {
  const file = join(directory, 'events.json');
  writeFileSync(
    file,
    `[\n${events.map((event) => JSON.stringify(eventRecord(event, Date.now()))).join(',\n')}\n]\n`,
  );
  const program = fileURLToPath(new URL('import-process.ts', import.meta.url));
  const words = ['--max-semi-space-size=2', program, endpoint, tableName, file, ...options];
  const child = spawn(process.execPath, words, { stdio: ['ignore', 'pipe', 'inherit'] });
  const [printed] = await Promise.all([text(child.stdout), once(child, 'exit')]);
  return resultSchema.parse(JSON.parse(printed));
};

const outcomeOf = (outcomes: Readonly<Record<string, number>>): string =>
  Object.entries(outcomes)
    .map(([outcome, count]) => `${count} ${outcome}`)
    .join(', ');

/** What the history of events takes of an import, and that an import of twice as many changes takes twice as long. */
const measureHistory = async (place: Parameters<typeof importing>[0]): Promise<Measurement[]> => {
  const changed = (first: number, count: number) => eventsFrom(first, count, { title: 'Once more' });
  const without = await importing(place, changed(0, 10_000), ['--without-history']);
  const written = await importing(place, changed(10_000, 10_000));
  const twice = await importing(place, changed(20_000, 20_000));
  const ratio = written.seconds / without.seconds;
  const growth = twice.seconds / written.seconds;
  return [
    { name: 'import of 10,000 changed events without their history', value: without.seconds, unit: 's' },
    {
      name: '  with their history, relative to that (at most 2)',
      value: ratio,
      unit: '×',
      holds: ratio <= 2,
    },
    {
      name: 'import of 20,000 changed events, relative to 10,000 (at most 2.5)',
      value: growth,
      unit: '×',
      holds: growth <= 2.5,
    },
    {
      name: '  memory, relative to 10,000 (at most 1.3)',
      value: twice.megabytes / written.megabytes,
      unit: '×',
      holds: twice.megabytes <= 1.3 * written.megabytes,
    },
  ];
};

/**
 * Measures imports into a large catalogue. The time must depend only on the size of the file. The memory must be almost
 * the same for any size of the file and of the catalogue.
 */
export const measureImports = async (): Promise<Measurement[]> => {
  const directory = mkdtempSync(join(tmpdir(), 'marquee-import-'));
  try {
    await using tables = await embeddedTables([
      {
        declaredAs: 'Events',
        tableName,
        items: (function* () {
          for (let index = 0; index < stored; index += 1)
            yield* itemsOf(anEventOf(index), { version: 1, now: Date.now() });
        })(),
      },
    ]);
    const cases = [
      { name: '3 events', events: eventsFrom(stored - 2, 3, { title: 'Changed' }), seconds: 3 },
      { name: '20,000 unchanged events', events: eventsFrom(0, 20_000), seconds: 15 },
      { name: '100,000 unchanged events', events: eventsFrom(0, 100_000), megabytes: 300 },
    ];
    const measurements: Measurement[] = [];
    for (const { name, events, seconds, megabytes } of cases) {
      const measured = await importing({ endpoint: tables.endpoint, directory }, events);
      measurements.push(
        {
          name: `import of ${name} into 120,000: ${outcomeOf(measured.outcomes)}`,
          value: measured.seconds,
          unit: `s${seconds === undefined ? '' : ` (at most ${seconds})`}`,
          ...(seconds !== undefined && { holds: measured.seconds <= seconds }),
        },
        {
          name: '  memory at most',
          value: measured.megabytes,
          unit: `MB${megabytes === undefined ? '' : ` (at most ${megabytes})`}`,
          ...(megabytes !== undefined && { holds: measured.megabytes <= megabytes }),
        },
      );
    }
    return [...measurements, ...(await measureHistory({ endpoint: tables.endpoint, directory }))];
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
};
