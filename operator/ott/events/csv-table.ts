import { CsvError, parse } from 'csv-parse/sync';
import { OperatorError } from '../../platform/terminal/operator-error.ts';

export interface TableRow {
  readonly cells: readonly string[];
  /** The line where the row begins. */
  readonly line: number;
  /** Whether the file ends in this row without a line break, so that the rest may be missing. */
  readonly mayBeCut: boolean;
}

/** A row as csv-parse reads it. */
interface ReadRow {
  readonly record: readonly string[];
  readonly raw: string;
  readonly info: { readonly lines: number };
}

/** Programs write a comma, or a semicolon where the comma is the decimal separator, or tabs. */
const separators = [',', ';', '\t'];

/**
 * A first line that names the separator, as Excel writes and reads it. Other programs take it for a row, with cells.
 */
const separatorHint = /^\uFEFF?("?)sep=(.)\1[,;\t ]*(?:\r\n|\n|\r|$)/i;

/**
 * Reads a table as spreadsheet programs do: rows in which no cell has anything are no rows, the separator is found out,
 * and quotation marks within a text are part of it. Lines may end in LF, CRLF or CR, each in its own way.
 *
 * @throws OperatorError when the file is not CSV.
 */
export const readTable = ({
  file,
  text,
  isKnown,
}: {
  readonly file: string;
  readonly text: string;
  /** Whether a column of this name is expected. Tells which separator the file has. */
  readonly isKnown: (column: string) => boolean;
}): readonly TableRow[] => {
  const [hint = '', , named] = separatorHint.exec(text) ?? [];
  // A file that was joined or saved twice may have two byte order marks.
  const body = text.slice(hint.length).replace(/^\uFEFF+/, '');
  const firstLine = hint === '' ? 0 : 1;
  const endsInRow = !/[\r\n]$/.test(text);
  try {
    const rows: unknown = parse(body, {
      delimiter: named ?? separatorOf(body, isKnown),
      info: true,
      raw: true,
      // Reduces each row to the needed parts as soon as it is read, because a file may have many thousands of rows. The
      // casts are needed because csv-parse's types do not include what the options `info` and `raw` add to a record.
      on_record: (read: unknown) => rowOf(read as ReadRow, firstLine) as never,
      record_delimiter: ['\r\n', '\n', '\r'],
      relax_column_count: true,
      relax_quotes: true,
      skip_empty_lines: true,
      trim: true,
    });
    return (rows as Omit<TableRow, 'mayBeCut'>[])
      .map((row, index, all) => ({ ...row, mayBeCut: endsInRow && index === all.length - 1 }))
      .filter(({ cells }) => cells.some((cell) => cell.trim() !== ''));
  } catch (cause) {
    if (!(cause instanceof CsvError)) throw cause;
    throw new OperatorError({ message: `${file} is not valid CSV: ${cause.message}`, cause });
  }
};

const rowOf = ({ record, raw, info }: ReadRow, firstLine: number): Omit<TableRow, 'mayBeCut'> => ({
  cells: record,
  // csv-parse reports the line on which the row ends. Subtracting the number of line breaks within the row gives the
  // row's first line.
  line: firstLine + info.lines - (raw.trim().match(/\r\n|\n|\r/g)?.length ?? 0),
});

/** The separator with which the header names the most columns that are known, or else has the most cells. */
const separatorOf = (text: string, isKnown: (column: string) => boolean): string => {
  const header = /^.*\w.*$/m.exec(text)?.[0] ?? '';
  const worth = (separator: string): number => {
    const names = header.split(separator).map((name) => name.replaceAll('"', '').trim());
    return names.filter(isKnown).length * header.length + names.length;
  };
  const [best = ','] = separators.toSorted((a, b) => worth(b) - worth(a));
  return best;
};
