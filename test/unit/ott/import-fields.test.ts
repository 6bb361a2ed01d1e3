import { readFileSync } from 'node:fs';
import { parse } from 'csv-parse/sync';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { csvOf } from '../../../operator/ott/events/event-csv.ts';
import { readEventFile } from '../../../operator/ott/events/event-file.ts';
import { importEventFile } from '../../../operator/ott/events/import-event-file.ts';
import { checksummed, lowerCase } from '../../../shared/chain/hex.ts';
import { completedRow } from '../../../shared/ott/catalogue/completed-row.ts';
import type { Event } from '../../../shared/ott/events/event.ts';
import { eventRecordSchema, storedEventSchema } from '../../../shared/ott/events/event-record.ts';
import { eventAnswer, eventAnswerSchema } from '../../../shared/ott/http/answers.ts';
import { catalogueEventAnswer, catalogueEventSchema } from '../../../shared/ott/http/catalogue-answers.ts';
import { anEvent, fileRecord, present } from '../../support/ott/builders.ts';
import { inMemoryEvents } from '../../support/ott/in-memory.ts';
import { newEvents, oldEvents } from '../../support/ott/release-writes.ts';

const rule = (country: string) =>
  ({ enabled: true, mode: 'block', countries: [country] }) satisfies Event['geoblocking'];
const collection = lowerCase('0x5FbDB2315678afecb367f032d93F642f64180aa3');

const now = Date.parse('2026-05-01T18:30:00Z');

const everyField = {
  access: 'paid',
  status: 'UPCOMING',
  endsAt: '2026-05-01T19:30:00.000Z',
  schedule: [
    { at: '2026-05-01T18:00:00.000Z', status: 'LIVE' },
    { at: '2026-05-01T19:30:00.000Z', status: 'FINISHED' },
  ],
  categories: ['football', 'cup'],
  geoblocking: rule('DE'),
  tickets: [{ contractAddress: collection }],
  stream: {
    type: 'hls',
    url: 'https://streams.example.com/final/index.m3u8',
    signedPath: 'https://streams.example.com/final/*',
    availableFrom: '2026-05-01T17:00:00.000Z',
    availableUntil: '2026-05-01T20:30:00.000Z',
    geoblocking: rule('FR'),
  },
  hand: {
    status: { value: 'LIVE', at: '2026-05-01T18:10:00.000Z' },
    endsAt: '2026-05-01T20:00:00.000Z',
    schedule: [
      { at: '2026-05-01T18:00:00.000Z', status: 'LIVE' },
      { at: '2026-05-01T20:00:00.000Z', status: 'FINISHED' },
    ],
    availableUntil: '2026-05-01T21:00:00.000Z',
  },
} satisfies Partial<Event>;
/** An event that has every field. */
const full = anEvent(everyField);
type Fields = Readonly<Record<string, unknown>>;
const { stream: fullStream, ...flat } = fileRecord(full) as Fields;

/** The fields of an event and of its stream, as import files name them. */
const schema = z.toJSONSchema(eventRecordSchema, { io: 'input', unrepresentable: 'any' });
const namesIn = (part: unknown): string[] => {
  const { properties, anyOf = [], $ref } = part as { properties?: Fields; anyOf?: unknown[]; $ref?: string };
  if ($ref !== undefined) return namesIn(schema.$defs?.[$ref.replace('#/$defs/', '')]);
  return properties === undefined ? anyOf.flatMap(namesIn) : Object.keys(properties);
};
const eventFields = namesIn(schema).filter((name) => name !== 'stream');
const streamFields = namesIn(schema.properties?.stream);

/** Each field by its name in CSV, with the value that `full` has. */
const columns = new Map<string, unknown>([
  ...eventFields.map((name): [string, unknown] => [name, flat[name]]),
  ...streamFields.map((name): [string, unknown] => [`stream_${name}`, (fullStream as Fields)[name]]),
]);
const cellOf = (column: string, value: unknown): string => {
  if (typeof value === 'string') return value;
  if (column === 'categories') return (value as string[]).join('|');
  if (column === 'tickets') return checksummed(collection);
  if (column === 'schedule') return '2026-05-01T18:00:00Z LIVE | 2026-05-01T20:00:00Z FINISHED';
  if (column === 'schedule_in_file') return '2026-05-01T18:00:00Z LIVE | 2026-05-01T19:30:00Z FINISHED';
  return JSON.stringify(value);
};
const csvWith = (cells: ReadonlyMap<string, string>): string =>
  [[...cells.keys()], [...cells.values()].map((cell) => `"${cell.replaceAll('"', '""')}"`)]
    .map((row) => row.join(','))
    .join('\n');
const jsonOf = (cells: ReadonlyMap<string, unknown>): string => {
  const record: Record<string, unknown> = {};
  const stream: Record<string, unknown> = {};
  for (const [column, value] of cells) {
    if (column.startsWith('stream_')) stream[column.slice('stream_'.length)] = value;
    else record[column] = value;
  }
  return JSON.stringify([{ ...record, stream }]);
};

/** The event that is stored after the import of a file into a catalogue with `full`. */
const imported = async (file: string, text: string) => {
  const catalogue = inMemoryEvents([full]);
  const rows = await importEventFile(
    { catalogue, clock: () => now, holdings: { notErc721: async () => [] }, showProgress: () => {} },
    {
      entries: readEventFile({ file, text }),
      signing: 'cookies',
      overwriteStatus: false,
      deleteMissing: false,
      force: [],
      dryRun: false,
    },
  );
  return { row: rows[0], stored: await catalogue.find('final') };
};

describe('every field of an event', () => {
  it('is set in the example event of these tests', () => {
    const names = (fields: unknown) => Object.keys(fields as Fields).sort();

    expect([names(flat), names(fullStream)]).toEqual([eventFields.sort(), streamFields.sort()]);
  });

  it('has its own name in the event and is read from the record', () => {
    expect(full).toMatchObject(everyField);
  });

  it('is in the response only if the schema of the response has it', () => {
    const shown = eventAnswer({ event: present(full), isBlockedWhenLive: true });

    expect(Object.keys(shown).sort()).toEqual(Object.keys(eventAnswerSchema.shape).sort());
  });

  it('is in what editors read, as the schema of their response has it', () => {
    const shown = catalogueEventAnswer(full, now);

    expect(Object.keys(shown).sort()).toEqual(Object.keys(catalogueEventSchema.shape).sort());
    expect(catalogueEventSchema.parse(shown)).toEqual(shown);
  });

  it('is a column in events.md', () => {
    const guide = readFileSync(new URL('../../../docs/events.md', import.meta.url), 'utf8');
    const [, table = ''] = guide.split('Events can also be imported from a CSV file');
    const named = new Set([...(table.split('```')[0] ?? '').matchAll(/`(\w+)`/g)].map(([, name]) => name));

    expect([...columns.keys()].filter((column) => !named.has(column))).toEqual([]);
  });

  it('is set in the example events that are kept with each release', () => {
    const kept = [...oldEvents(now), ...newEvents(now)].map((event) => fileRecord(event) as Fields);
    const names = kept.flatMap(({ stream = {}, ...fields }) => [
      ...Object.keys(fields),
      ...Object.keys(stream as Fields).map((name) => `stream_${name}`),
    ]);

    expect([...columns.keys()].filter((column) => !names.includes(column))).toEqual([]);
  });

  it('is reported as loosened only if it is in the list of restrictions', async () => {
    // An import reports when it loosens one of these fields. A new field belongs to one of the two lists.
    const restricting = [
      'access',
      'geoblocking',
      'stream_geoblocking',
      'stream_available_from',
      'stream_available_until',
    ];
    const restrictingNobody = [
      ...['event_id', 'title', 'description', 'status', 'starts_at', 'ends_at', 'image', 'categories'],
      ...['tickets', 'schedule', 'status_in_file', 'status_set_at', 'ends_at_in_file', 'schedule_in_file'],
      ...['stream_type', 'stream_url', 'stream_signed_path', 'stream_available_until_in_file'],
    ];
    expect([...columns.keys()].sort()).toEqual([...restricting, ...restrictingNobody].sort());

    for (const column of columns.keys()) {
      const { row } = await imported('events.json', jsonOf(new Map(columns).set(column, null)));
      if (row?.outcome !== 'changed') continue;
      const field = column.replace(/^stream_/, 'stream.');
      expect(row.loosens ?? []).toEqual(restricting.includes(column) ? [field] : []);
    }
  });

  /** If a file contains a value of its own, the mark of a value that was set by hand is removed. */
  const withoutMark = (column: string): string[] =>
    column.endsWith('_in_file') ? [column, column.replace('_in_file', '')] : [column];

  const optional = [...columns.keys()].filter((column) => column !== 'event_id');

  it.each(optional)('%s keeps the stored value if a CSV file has no such column', async (column) => {
    const cells = new Map([...columns].map(([name, value]) => [name, cellOf(name, value)]));
    for (const name of withoutMark(column)) cells.delete(name);

    const { row, stored } = await imported('events.csv', csvWith(cells));

    expect([row?.outcome, row?.reasons, stored]).toEqual(['unchanged', [], full]);
  });

  it.each(optional)('%s keeps the stored value if a JSON event has no such field', async (column) => {
    const values = new Map(columns);
    for (const name of withoutMark(column)) values.delete(name);

    const { row, stored } = await imported('events.json', jsonOf(values));

    expect([row?.outcome, row?.reasons, stored]).toEqual(['unchanged', [], full]);
  });

  it("status_set_at keeps the stored value for null, so that an older export does not end the operator's status", async () => {
    const { row, stored } = await imported(
      'events.json',
      jsonOf(new Map(columns).set('status_set_at', null)),
    );

    expect([row?.outcome, stored]).toEqual(['unchanged', full]);
  });

  const clearable = optional.filter((column) => column !== 'status_set_at');

  it.each(clearable)('%s is cleared, or rejected, by an empty cell and by null alike', async (column) => {
    const cells = new Map([...columns].map(([name, value]) => [name, cellOf(name, value)]));
    const byCell = await imported('events.csv', csvWith(cells.set(column, '')));
    const byNull = await imported('events.json', jsonOf(new Map(columns).set(column, null)));

    expect(byCell.row?.outcome).toBe(byNull.row?.outcome);
    expect(byCell.stored).toEqual(byNull.stored);
    const field = column.replace(/^stream_/, 'stream.');
    if (byCell.row?.outcome === 'refused') {
      expect(byCell.row.reasons.join()).toContain(`${field}: `);
      expect(byCell.stored).toEqual(full);
    } else {
      expect(byCell.row?.fields.map((change) => change.field)).toContain(field);
    }
  });

  it('is read from a CSV file with all columns', async () => {
    const cells = new Map([...columns].map(([name, value]) => [name, cellOf(name, value)]));
    const [entry] = readEventFile({ file: 'new.csv', text: csvWith(cells) });

    expect(entry).toMatchObject({ line: 2, id: 'final' });
    expect((await imported('new.csv', csvWith(cells))).row?.outcome).toBe('unchanged');
  });

  it('is in a cell of its own in an export to CSV, from which the same event is read', async () => {
    const text = [...csvOf([fileRecord(full)])].join('');

    const [header = [], cells = []] = parse(text, { bom: true });
    expect([...header].sort()).toEqual([...columns.keys()].sort());
    expect(header.filter((_, index) => cells[index] === '')).toEqual([]);
    const [entry] = readEventFile({ file: 'export.csv', text });
    expect(entry && completedRow(entry, undefined, 0)).toMatchObject({ event: full });
    expect((await imported('export.csv', text)).row?.outcome).toBe('unchanged');
  });

  it('except the id can be left out, so that a file can change one field of many events', async () => {
    const { row, stored } = await imported('events.csv', 'event_id,title\nfinal,The cup final');

    expect(row?.outcome).toBe('changed');
    expect(stored).toEqual({ ...full, title: 'The cup final' });
  });
});

it('a stored event is read with its ticket collections in lower case, in whatever case they were stored', () => {
  const stored = {
    ...fileRecord(anEvent(everyField)),
    tickets: [{ contract_address: checksummed(collection) }],
  };

  expect(storedEventSchema.parse(stored).event.tickets).toEqual([{ contractAddress: collection }]);
});
