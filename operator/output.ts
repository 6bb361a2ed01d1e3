import Table from 'cli-table3';

/** One line of a list. What is undefined or null is shown as empty, and is null in JSON. */
export type Row = Readonly<Record<string, string | number | boolean | null | undefined>>;

/** Where commands put what they have to say: results on standard output, remarks on standard error. */
export interface Output {
  /** A list: a table, or rows one below the other where a table of few is too wide; an array with `--json`. */
  rows(columns: readonly string[], rows: readonly Row[]): void;
  /** A list that may be long: as `rows`, nothing where it is empty, and with `--json` an object on each line. */
  lines(columns: readonly string[], rows: readonly Row[]): void;
  /** One thing: a line for each field and a table for each list of things, or an object with `--json`. */
  record(record: Readonly<Record<string, unknown>>): void;
  /** What a person likes to know and a script does not. */
  remark(text: string): void;
}

interface Streams {
  /** `columns` where it is a terminal. */
  readonly stdout: { readonly columns?: number; write(text: string): unknown };
  readonly stderr: { write(text: string): unknown };
}

const shown = (value: unknown): string => {
  if (value === undefined || value === null) return '';
  if (Array.isArray(value) && value.every((item) => typeof item === 'string')) return value.join(', ');
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
};

const jsonOutput = ({ stdout, stderr }: Streams): Output => {
  const print = (value: unknown) => stdout.write(`${JSON.stringify(value, null, 2)}\n`);
  return {
    rows: (columns, rows) =>
      print(rows.map((row) => Object.fromEntries(columns.map((column) => [column, row[column] ?? null])))),
    lines: (columns, rows) => {
      for (const row of rows) {
        const fields = columns.map((column) => [column, row[column] ?? null]);
        stdout.write(`${JSON.stringify(Object.fromEntries(fields))}\n`);
      }
    },
    record: print,
    remark: (text) => stderr.write(`${text}\n`),
  };
};

const noBorders = {
  top: '',
  'top-mid': '',
  'top-left': '',
  'top-right': '',
  bottom: '',
  'bottom-mid': '',
  'bottom-left': '',
  'bottom-right': '',
  left: '',
  'left-mid': '',
  mid: '',
  'mid-mid': '',
  right: '',
  'right-mid': '',
  middle: '  ',
};

const tableText = (
  columns: readonly string[],
  rows: readonly Readonly<Record<string, unknown>>[],
): string => {
  const table = new Table({
    head: columns.map((column) => column.replaceAll('_', ' ')),
    chars: noBorders,
    style: { head: [], border: [], 'padding-left': 0, 'padding-right': 0 },
  });
  for (const row of rows) table.push(columns.map((column) => shown(row[column])));
  return `${table.toString().replaceAll(/ +$/gm, '')}\n`;
};

/** Several things of one kind inside a record: they are shown below it, as a table of their own. */
const isList = (value: unknown): value is readonly Readonly<Record<string, unknown>>[] =>
  Array.isArray(value) &&
  value.length > 0 &&
  value.every((item) => typeof item === 'object' && item !== null && !Array.isArray(item));

const columnsOf = (rows: readonly Readonly<Record<string, unknown>>[]): string[] => [
  ...new Set(rows.flatMap((row) => Object.keys(row))),
];

const fieldsText = (fields: readonly (readonly [string, unknown])[]): string => {
  const width = Math.max(0, ...fields.map(([key]) => key.length));
  return fields
    .map(([key, value]) =>
      `${key.replaceAll('_', ' ').padEnd(width)}  ${shown(value)}`.trimEnd().concat('\n'),
    )
    .join('');
};

/** So many rows may be shown one below the other where a table does not fit. */
const rowsBelowAtMost = 10;

const listText = (
  columns: readonly string[],
  rows: readonly Readonly<Record<string, unknown>>[],
  width: number | undefined,
): string => {
  const table = tableText(columns, rows);
  const isTooWide = width !== undefined && table.split('\n').some((line) => line.length > width);
  if (!isTooWide || rows.length > rowsBelowAtMost) return table;
  return rows.map((row) => fieldsText(columns.map((column) => [column, row[column]]))).join('\n');
};

const textOutput = ({ stdout, stderr }: Streams): Output => ({
  rows: (columns, rows) => stdout.write(listText(columns, rows, stdout.columns)),
  lines: (columns, rows) => {
    if (rows.length > 0) stdout.write(listText(columns, rows, stdout.columns));
  },
  record: (record) => {
    stdout.write(fieldsText(Object.entries(record).filter(([, value]) => !isList(value))));
    for (const [key, value] of Object.entries(record)) {
      if (!isList(value)) continue;
      stdout.write(`\n${key.replaceAll('_', ' ')}\n${listText(columnsOf(value), value, stdout.columns)}`);
    }
  },
  remark: (text) => stderr.write(`${text}\n`),
});

export const createOutput = ({
  json,
  streams = process,
}: {
  readonly json: boolean;
  readonly streams?: Streams;
}): Output => (json ? jsonOutput(streams) : textOutput(streams));
