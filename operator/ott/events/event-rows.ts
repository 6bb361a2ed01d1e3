import type { FileRow, UnreadField } from '../../../shared/ott/catalogue/file-row.ts';
import { OperatorError } from '../../platform/terminal/operator-error.ts';
import { readTable, type TableRow } from './csv-table.ts';
import { CellError, type Column, columns } from './event-cells.ts';
import { isErrorValue, unescapedCell } from './spreadsheet-escapes.ts';

/** A column of a file. Without a name, it must be empty in every row. */
type FileColumn = { readonly name: string; readonly column: Column } | undefined;

/**
 * Reads events from CSV: a header row, then one row for each event. A column that is missing leaves its field out, and
 * an empty cell clears it, also one that is missing at the end of a row. The items of lists are separated by `|`.
 * Geoblocking rules are JSON. The cells may be separated by commas, semicolons or tabs.
 *
 * @throws OperatorError when the file is not CSV, is empty, or has an unknown column.
 */
export function* readRows({
  file,
  text,
}: {
  readonly file: string;
  readonly text: string;
}): Generator<Omit<FileRow, 'id'>> {
  const [header, ...rows] = readTable({ file, text, isKnown: (name) => columns.has(name) });
  if (header === undefined || rows.length === 0) {
    const found = header === undefined ? 'is empty' : 'has a header row, but no events';
    throw new OperatorError({
      message: `${file} ${found}. A CSV file has a header row with the names of the columns, then one row for each event.`,
    });
  }
  const fileColumns = readHeader(file, header);
  for (const row of rows) yield candidateOf(row, fileColumns);
}

const readHeader = (file: string, { cells }: TableRow): readonly FileColumn[] => {
  const names = cells.map((cell) => cell.trim());
  const named = names.filter((name) => name !== '');
  const doubled = named.filter((name, index) => named.indexOf(name) !== index);
  if (doubled.length > 0) {
    throw new OperatorError({
      message: `${file} has duplicate columns: ${[...new Set(doubled)].join(', ')}.`,
    });
  }
  const unknown = named.filter((name) => !columns.has(name));
  if (unknown.length > 0) {
    throw new OperatorError({
      message: `${file} has unknown columns: ${unknown.join(', ')}. Known columns are ${[...columns.keys()].join(', ')}.`,
    });
  }
  return names.map((name) => {
    const column = columns.get(name);
    return column && { name, column };
  });
};

const candidateOf = (row: TableRow, fileColumns: readonly FileColumn[]): Omit<FileRow, 'id'> => {
  const { cells, line } = row;
  const broken = brokenShape(row, fileColumns);
  if (broken !== undefined) return { line, fields: undefined, mistakes: [{ text: broken }] };
  const mistakes: UnreadField[] = [];
  const fields: Record<string, unknown> = {};
  const stream: Record<string, unknown> = {};
  for (const [index, each] of fileColumns.entries()) {
    if (each === undefined) continue;
    const { name, column } = each;
    const read = readCell(cells[index] ?? '', column);
    (column.isOfStream ? stream : fields)[column.field] = 'mistake' in read ? undefined : read.value;
    if ('mistake' in read)
      mistakes.push({ text: `${name}: ${read.mistake}`, field: name.replace(/^stream_/, 'stream.') });
  }
  if (Object.keys(stream).length > 0) fields.stream = isCleared(stream) ? null : stream;
  return { line, fields, mistakes };
};

/** Why the cells of a row cannot be read as those of the header. */
const brokenShape = (
  { cells, mayBeCut }: TableRow,
  fileColumns: readonly FileColumn[],
): string | undefined => {
  const needed = fileColumns.findLastIndex((each) => each !== undefined) + 1;
  const said = `has ${cells.length} cells, but the header has ${needed}`;
  if (mayBeCut && cells.length < needed) return `${said}: the file may have been cut off here`;
  if (fileColumns.slice(cells.length).some((each) => each?.column.isRequired)) return said;
  const strayed = cells.findIndex((cell, index) => fileColumns[index] === undefined && cell.trim() !== '');
  if (strayed === -1) return undefined;
  return strayed < fileColumns.length
    ? `has a value in column ${strayed + 1}, to which the header gives no name`
    : `${said}: a text that contains the separator must be in quotation marks`;
};

const readCell = (
  cell: string,
  column: Column,
): { readonly value: unknown } | { readonly mistake: string } => {
  if (cell.trim() === '') return { value: null };
  if (isErrorValue(cell))
    return { mistake: `has ${cell.trim()}, with which a spreadsheet program says that it shows no value` };
  try {
    return { value: column.read(unescapedCell(cell)) };
  } catch (cause) {
    if (!(cause instanceof CellError)) throw cause;
    return { mistake: cause.message };
  }
};

/** A row with an empty type and an empty address, and nothing else about a stream, means that there is no stream. */
const isCleared = (stream: Readonly<Record<string, unknown>>): boolean =>
  stream.type === null && stream.url === null && Object.values(stream).every((value) => value === null);
