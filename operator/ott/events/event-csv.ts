import type { Fields } from '../../../shared/ott/catalogue/file-row.ts';
import { columns } from './event-cells.ts';
import { escapedCell } from './spreadsheet-escapes.ts';

/** Excel reads a file as UTF-8 only if it begins with this mark. */
const byteOrderMark = '\uFEFF';

/** A cell between commas (RFC 4180). Spaces at its ends stay only between quotation marks. */
const quoted = (cell: string): string =>
  /[",;\t\r\n]|^\s|\s$/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;

const hasNone = (value: unknown): boolean => value === undefined || value === null || isEmptyList(value);
const isEmptyList = (value: unknown): boolean => Array.isArray(value) && value.length === 0;

/**
 * The records of events as a CSV table with all columns, which `events import` reads and spreadsheet programs open. A
 * field of which this release does not know the column is left out: an import keeps it.
 */
export function* csvOf(records: Iterable<Fields>): Generator<string> {
  yield `${byteOrderMark}${[...columns.keys()].join(',')}\r\n`;
  for (const record of records) {
    const stream = (record.stream ?? {}) as Fields;
    const cells = Array.from(columns.values(), ({ field, isOfStream, write }) => {
      const value = (isOfStream ? stream : record)[field];
      return hasNone(value) ? '' : quoted(escapedCell(write(value)));
    });
    yield `${cells.join(',')}\r\n`;
  }
}
