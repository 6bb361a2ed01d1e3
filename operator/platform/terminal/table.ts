import { createRequire } from 'node:module';

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
  /** How many lines a row may have. @default 3: a row of more lines is hard to recognize as one row */
  readonly linesAtMost?: number;
  /** Colours one line of a cell or of a heading. `cell` is the whole text of the cell. */
  readonly paint: (text: string, place: { readonly isHead: boolean; readonly cell: string }) => string;
}

const require = createRequire(import.meta.url);

/** Loading `string-width` takes a tenth of a command's start-up time, so it is loaded only for texts that need it. */
const stringWidth = (text: string): number => {
  const { default: width }: typeof import('string-width') = require('string-width');
  return width(text);
};

/** A space at which a cell is not broken. It is printed as a space. */
export const firmSpace = '\u00a0';

/** Most texts are printable ASCII, in which each character is one column wide. */
const widthOf = (text: string): number =>
  /^[\x20-\x7e\u00a0]*$/.test(text) ? text.length : stringWidth(text);

const longestWord = (text: string): number => {
  if (!text.includes(' ')) return widthOf(text);
  return Math.max(...text.split(' ').map(widthOf));
};

/**
 * Breaks words that are longer than `width` into pieces of at most `width` characters, with spaces between the pieces.
 */
const broken = (text: string, width: number): string =>
  text
    .split(' ')
    .map((word) =>
      widthOf(word) <= width ? word : (word.match(new RegExp(`.{1,${width}}`, 'gu')) ?? []).join(' '),
    )
    .join(' ');

/** Lines of at most `width` columns, broken between words. A word longer than `width` gets a line of its own. */
export const wrapped = (text: string, width: number): string[] => {
  if (widthOf(text) <= width) return [text];
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    const longer = line === '' ? word : `${line} ${word}`;
    if (line === '' || widthOf(longer) <= width) line = longer;
    else {
      lines.push(line);
      line = word;
    }
  }
  return [...lines, line];
};

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
  const { head, rows, isRightAligned, width, paint, breaksWords = false, linesAtMost = 3 } = options;
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
    const pieces = cells.map((cell, column) => {
      const columns = widths[column] ?? 0;
      return wrapped(breaksWords ? broken(cell, columns) : cell, columns);
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
