import { CsvError, parse } from 'csv-parse/sync';
import { OperatorError } from '../operator-error.ts';
import type { Candidate } from './candidate.ts';

/** Columns whose cells are plain text. */
const textColumns = [
  'event_id',
  'title',
  'description',
  'status',
  'access',
  'starts_at',
  'ends_at',
  'image',
  'status_in_file',
] as const;

/** The text columns of an event's stream, and the field of the stream that each column sets. */
const streamTextColumns = {
  stream_type: 'type',
  stream_url: 'url',
  stream_signed_path: 'signed_path',
  stream_available_from: 'available_from',
  stream_available_until: 'available_until',
} as const;

const knownColumns = new Set<string>([
  ...textColumns,
  'categories',
  'geoblocking',
  ...Object.keys(streamTextColumns),
  'stream_geoblocking',
]);

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
 * Reads events from CSV: a header row, then one row for each event. A field whose cell is empty is left out. Categories
 * are separated by `|`. Geoblocking rules are JSON.
 *
 * @throws OperatorError when the file is not CSV, or a column is unknown.
 */
export function* readRows({
  file,
  text,
}: {
  readonly file: string;
  readonly text: string;
}): Generator<Candidate> {
  const [header, ...rows] = parseCsv(file, text);
  const columns = (header?.record ?? []).map((column) => column.trim());
  const doubled = columns.filter((column, index) => columns.indexOf(column) !== index);
  if (doubled.length > 0) {
    throw new OperatorError({
      message: `${file} has duplicate columns: ${[...new Set(doubled)].join(', ')}.`,
    });
  }
  const unknown = columns.filter((column) => !knownColumns.has(column));
  if (unknown.length > 0) {
    throw new OperatorError({
      message: `${file} has unknown columns: ${unknown.join(', ')}. Known columns are ${[...knownColumns].join(', ')}.`,
    });
  }
  for (const row of rows) yield candidateOf(row, columns);
}

const parseCsv = (file: string, text: string): Row[] => {
  try {
    const rows: unknown = parse(text, {
      info: true,
      raw: true,
      // Keeps only the needed parts of each row as soon as it is read, because a file may have many thousands of rows.
      // The casts are needed because csv-parse's types do not include what the options `info` and `raw` add to a
      // record.
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

const candidateOf = ({ record, line }: Row, columns: readonly string[]): Candidate => {
  if (record.length !== columns.length) {
    const mistake = `has ${record.length} cells, but the header has ${columns.length}`;
    return { line, fields: undefined, mistakes: [mistake] };
  }
  const cells = new Map(columns.map((column, index) => [column, record[index] ?? '']));
  const mistakes: string[] = [];
  const text = (column: string) => {
    const cell = cells.get(column) ?? '';
    return cell === '' ? undefined : cell;
  };
  const json = (column: string): unknown => {
    const cell = text(column);
    if (cell === undefined) return undefined;
    try {
      return JSON.parse(cell);
    } catch {
      mistakes.push(`${column}: must be JSON`);
      return undefined;
    }
  };
  const stream = filled({
    ...Object.fromEntries(Object.entries(streamTextColumns).map(([column, field]) => [field, text(column)])),
    geoblocking: json('stream_geoblocking'),
  });
  const fields = filled({
    ...Object.fromEntries(textColumns.map((column) => [column, text(column)])),
    // A spreadsheet cell may contain line breaks, but a title must be one line.
    title: text('title')?.replaceAll(/\s*[\r\n]\s*/g, ' '),
    categories: text('categories')
      ?.split('|')
      .map((category) => category.trim())
      .filter((category) => category !== ''),
    geoblocking: json('geoblocking'),
    stream: Object.keys(stream).length === 0 ? undefined : stream,
  });
  return { line, fields, mistakes };
};

const filled = (fields: Readonly<Record<string, unknown>>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
