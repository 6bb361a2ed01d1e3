import { CsvError, parse } from 'csv-parse/sync';
import type * as z from 'zod';
import type { Event } from '../../../shared/ott/event.ts';
import type { eventRecordSchema } from '../../../shared/ott/event-record.ts';
import { OperatorError } from '../../platform/terminal/operator-error.ts';
import type { Candidate } from './import-entry.ts';

/** Reads a cell that is not empty. @throws SyntaxError for a cell that must be JSON, but is not. */
type ReadCell = (cell: string) => unknown;

const text: ReadCell = (cell) => cell;
/** A spreadsheet cell may contain line breaks, but a title must be one line. */
const line: ReadCell = (cell) => cell.replaceAll(/\s*[\r\n]\s*/g, ' ');
const json: ReadCell = (cell) => JSON.parse(cell);
const list = (cell: string): string[] =>
  cell
    .split('|')
    .map((item) => item.trim())
    .filter((item) => item !== '');

/** Entries such as `2026-05-01T18:00:00Z LIVE`. */
const schedule: ReadCell = (cell) =>
  list(cell).map((entry) => {
    const [at, ...status] = entry.split(/\s+/);
    return { at, status: status.join(' ') };
  });

/** A schedule as a cell has it. */
export const scheduleText = (entries: NonNullable<Event['schedule']>): string =>
  entries.map(({ at, status }) => `${at} ${status}`).join(' | ');

type EventFields = z.input<typeof eventRecordSchema>;

/** How each field of an event is written in a cell. */
const eventCells = {
  event_id: text,
  title: line,
  description: text,
  status: text,
  access: text,
  starts_at: text,
  ends_at: text,
  image: text,
  categories: list,
  geoblocking: json,
  tickets: (cell) => list(cell).map((contract_address) => ({ contract_address })),
  schedule,
  status_in_file: text,
  status_set_at: text,
  ends_at_in_file: text,
  schedule_in_file: schedule,
} satisfies Record<Exclude<keyof EventFields, 'stream'>, ReadCell>;

const streamCells = {
  type: text,
  url: text,
  signed_path: text,
  available_from: text,
  available_until: text,
  available_until_in_file: text,
  geoblocking: json,
} satisfies Record<keyof NonNullable<EventFields['stream']>, ReadCell>;

interface Column {
  readonly field: string;
  readonly isOfStream: boolean;
  readonly read: ReadCell;
}

const knownColumns: ReadonlyMap<string, Column> = new Map([
  ...Object.entries(eventCells).map(([field, read]): [string, Column] => [
    field,
    { field, isOfStream: false, read },
  ]),
  ...Object.entries(streamCells).map(([field, read]): [string, Column] => [
    `stream_${field}`,
    { field, isOfStream: true, read },
  ]),
]);

/** A spreadsheet writes semicolons where the comma is the decimal separator. Names of columns contain none of these. */
const delimiters = [',', ';', '\t'];

interface Row {
  readonly record: readonly string[];
  /** The line where the row begins. */
  readonly line: number;
}

/** A row as csv-parse reads it. */
interface ReadRow extends Pick<Row, 'record'> {
  readonly raw: string;
  readonly info: { readonly lines: number };
}

/**
 * Reads events from CSV: a header row, then one row for each event. A column that is missing leaves its field out, and
 * an empty cell clears it. The items of lists are separated by `|`. Geoblocking rules are JSON. The cells may be
 * separated by commas, semicolons or tabs.
 *
 * @throws OperatorError when the file is not CSV, is empty, or has an unknown column.
 */
export function* readRows({
  file,
  text,
}: {
  readonly file: string;
  readonly text: string;
}): Generator<Candidate> {
  const [header, ...rows] = parseCsv(file, text);
  if (header === undefined || rows.length === 0) {
    const found = header === undefined ? 'is empty' : 'has a header row, but no events';
    throw new OperatorError({
      message: `${file} ${found}. A CSV file has a header row with the names of the columns, then one row for each event.`,
    });
  }
  const columns = header.record.map((column) => column.trim());
  const doubled = columns.filter((column, index) => columns.indexOf(column) !== index);
  if (doubled.length > 0) {
    throw new OperatorError({
      message: `${file} has duplicate columns: ${[...new Set(doubled)].join(', ')}.`,
    });
  }
  const unknown = columns.filter((column) => !knownColumns.has(column));
  if (unknown.length > 0) {
    throw new OperatorError({
      message: `${file} has unknown columns: ${unknown.join(', ')}. Known columns are ${[...knownColumns.keys()].join(', ')}.`,
    });
  }
  for (const row of rows) yield candidateOf(row, columns);
}

const parseCsv = (file: string, text: string): Row[] => {
  try {
    const rows: unknown = parse(text, {
      delimiter: delimiterOf(text),
      info: true,
      raw: true,
      // Reduces each row to the needed parts as soon as it is read, because a file may have many thousands of rows. The
      // casts are needed because csv-parse's types do not include what the options `info` and `raw` add to a record.
      on_record: (read: unknown) => rowOf(read as ReadRow) as never,
      relax_column_count: true,
      skip_empty_lines: true,
      trim: true,
    });
    return rows as Row[];
  } catch (cause) {
    if (!(cause instanceof CsvError)) throw cause;
    throw new OperatorError({ message: `${file} is not valid CSV: ${cause.message}`, cause });
  }
};

const rowOf = ({ record, raw, info }: ReadRow): Row => ({
  record,
  // csv-parse reports the line on which the row ends. Subtracting the number of line breaks within the row gives the
  // row's first line.
  line: info.lines - (raw.trim().match(/\r\n|\n|\r/g)?.length ?? 0),
});

/** The delimiter that is most frequent in the header row. */
const delimiterOf = (text: string): string => {
  const header = /^.*\S.*$/m.exec(text)?.[0] ?? '';
  const counts = delimiters.map((delimiter) => header.split(delimiter).length);
  return delimiters[counts.indexOf(Math.max(...counts))] ?? ',';
};

const candidateOf = ({ record, line: at }: Row, columns: readonly string[]): Candidate => {
  if (record.length !== columns.length) {
    const mistake = `has ${record.length} cells, but the header has ${columns.length}`;
    return { line: at, fields: undefined, mistakes: [mistake] };
  }
  const mistakes: string[] = [];
  const fields: Record<string, unknown> = {};
  const stream: Record<string, unknown> = {};
  for (const [index, name] of columns.entries()) {
    const column = knownColumns.get(name);
    if (column === undefined) continue;
    const cell = record[index] ?? '';
    try {
      (column.isOfStream ? stream : fields)[column.field] = cell === '' ? null : column.read(cell);
    } catch (cause) {
      if (!(cause instanceof SyntaxError)) throw cause;
      mistakes.push(`${name}: must be JSON`);
    }
  }
  if (Object.keys(stream).length > 0) fields.stream = isCleared(stream) ? null : stream;
  return { line: at, fields, mistakes };
};

/** A row with an empty type and an empty address, and nothing else about a stream, means that there is no stream. */
const isCleared = (stream: Readonly<Record<string, unknown>>): boolean =>
  stream.type === null && stream.url === null && Object.values(stream).every((value) => value === null);
