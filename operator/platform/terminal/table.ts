import { beginning, firmSpace, longestWord, widthOf, wrapped } from './wrapped.ts';

/**
 * If words may be broken, every column except the first may shrink to this width, or to the longest word of its heading
 * if that is wider.
 */
const narrowest = 7;

export interface TableOptions {
  /** The headings. Each row has one cell for each heading. */
  readonly head: readonly string[];
  readonly rows: readonly (readonly string[])[];
  readonly isRightAligned: readonly boolean[];
  /** The terminal's width. @default unlimited */
  readonly width: number | undefined;
  /** Puts the columns closer together, and breaks words if the table would be too wide otherwise. @default false */
  readonly breaksWords?: boolean;
  /**
   * Gives a first cell that is much longer than the others a line of its own, above the rest of its row. So one long id
   * leaves the others their table. @default false
   */
  readonly hangs?: boolean;
  /** Ends a cell that needs more than `linesAtMost` lines with `…`, instead of giving up. @default false */
  readonly cutsCells?: boolean;
  /** How many lines a row may have. @default 3: a row of more lines is hard to recognize as one row */
  readonly linesAtMost?: number;
  /** Colours one line of a cell or of a heading. `cell` is the whole text of the cell. */
  readonly paint: (text: string, place: { readonly isHead: boolean; readonly cell: string }) => string;
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0);

/**
 * Column widths that fit into `room`. The widest columns shrink first, but no column shrinks below its width in
 * `least`. `undefined` when even the least widths do not fit.
 */
const fitted = (
  natural: readonly number[],
  least: readonly number[],
  room: number,
): readonly number[] | undefined => {
  if (sum(natural) <= room) return natural;
  if (sum(least) > room) return undefined;
  const capped = (cap: number) =>
    natural.map((width, column) => Math.max(least[column] ?? 0, Math.min(width, cap)));
  let cap = Math.max(...natural);
  while (sum(capped(cap)) > room) cap -= 1;
  return capped(cap);
};

/**
 * A table as text; `undefined` when it cannot be narrow enough, or when a row would need more than `linesAtMost` lines.
 * The running time is proportional to the number of rows.
 */
export const tableText = (options: TableOptions): string | undefined => {
  const { head, rows, isRightAligned, width, paint } = options;
  const { breaksWords = false, hangs = false, cutsCells = false, linesAtMost = 3 } = options;
  const gap = breaksWords ? ' ' : '  ';
  const natural = head.map(widthOf);
  const least = head.map(longestWord);
  for (const row of rows) {
    row.forEach((cell, column) => {
      natural[column] = Math.max(natural[column] ?? 0, widthOf(cell));
      if (width !== undefined) least[column] = Math.max(least[column] ?? 0, longestWord(cell));
    });
  }
  if (breaksWords) {
    head.forEach((heading, column) => {
      if (column > 0) least[column] = Math.min(least[column] ?? 0, Math.max(narrowest, longestWord(heading)));
    });
  }
  if (hangs && width !== undefined) {
    least[0] = Math.min(least[0] ?? 0, Math.max(longestWord(head[0] ?? ''), Math.floor(width / 3)));
  }
  const room = (width ?? Number.POSITIVE_INFINITY) - gap.length * (head.length - 1);
  const widths = fitted(natural, least, room);
  if (widths === undefined) return undefined;

  const padded = (piece: string, column: number, cell: string, isHead: boolean): string => {
    const padding = ' '.repeat(Math.max(0, (widths[column] ?? 0) - widthOf(piece)));
    if (piece === '') return padding;
    const painted = paint(piece.replaceAll(firmSpace, ' '), { isHead, cell });
    return isRightAligned[column] ? padding + painted : painted + padding;
  };
  /** The lines of a row, each with its line break. */
  const rowText = (cells: readonly string[], isHead = false): string | undefined => {
    const [first = '', ...others] = cells;
    if (hangs && longestWord(first) > (widths[0] ?? 0)) {
      const rest = rowText(['', ...others]);
      return rest === undefined ? undefined : `${paint(first, { isHead, cell: first })}\n${rest}`;
    }
    const pieces = cells.map((cell, column) => {
      const columns = widths[column] ?? 0;
      const lines = wrapped(cell, columns, { breaksWords });
      if (!cutsCells || lines.length <= linesAtMost) return lines;
      return [...lines.slice(0, linesAtMost - 1), beginning(lines[linesAtMost - 1] ?? '', columns)];
    });
    const height = Math.max(1, ...pieces.map(({ length }) => length));
    if (height > linesAtMost) return undefined;
    let text = '';
    for (let line = 0; line < height; line += 1) {
      const row = cells.map((cell, column) => padded(pieces[column]?.[line] ?? '', column, cell, isHead));
      text += `${row.join(gap).trimEnd()}\n`;
    }
    return text;
  };
  let table = '';
  for (const [index, row] of [head, ...rows].entries()) {
    const text = rowText(row, index === 0);
    if (text === undefined) return undefined;
    table += text;
  }
  return table;
};
