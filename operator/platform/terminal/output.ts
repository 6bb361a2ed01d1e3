import { styleText } from 'node:util';
import type { OutputConfiguration } from 'commander';
import { tableText } from './table.ts';
import { firmSpace, longestWord, widthOf, wrapped } from './wrapped.ts';

type Value = string | number | boolean | null | undefined;

/** One row of a list. Undefined and null are shown as empty cells, and are null in JSON. */
export type Row = Readonly<Record<string, Value | object>>;

/** A value with one form for people, `text`, and another for programs: the exact value in JSON. */
export class Shown {
  readonly text: string;
  readonly isNumber: boolean;
  readonly #exact: Value;

  constructor(
    exact: Value,
    { text, isNumber = false }: { readonly text: string; readonly isNumber?: boolean },
  ) {
    this.#exact = exact;
    this.text = text;
    this.isNumber = isNumber;
  }

  toJSON(): Value {
    return this.#exact;
  }
}

/** A decimal number with four significant digits, followed by its unit unless a heading names the unit. */
export const fourDigits = (exact: string, unit = ''): string =>
  `${Number(exact).toLocaleString('en', { maximumSignificantDigits: 4, useGrouping: false })} ${unit}`.trimEnd();

/** An amount of money or a fee: people see four digits and the unit, and JSON has the exact decimal number. */
export const amount = (exact: string, unit?: string): Shown =>
  new Shown(exact, { text: fourDigits(exact, unit), isNumber: true });

export interface ListOptions {
  /**
   * Columns that may be left out, starting with the last, until the table fits the terminal. If that is not enough, long
   * texts are cut. A list that is too wide and has no such columns is shown with shortened values if it has many rows.
   * Otherwise, each field has its own line.
   */
  readonly dispensable?: readonly string[];
}

/** A time of the business-to-business API, which is in UTC and does not say so. JSON keeps it as it is. */
export const utc = (exact: string): Shown => new Shown(exact, { text: `${exact}Z` });

/** Where commands write: results to standard output, remarks to standard error. */
export interface Output {
  /** A list: a table, or one field per line where a table would be too wide. With `--json` it is an array. */
  rows(columns: readonly string[], rows: readonly Row[], options?: ListOptions): void;
  /**
   * A list that may be long. It is shown like `rows`, but an empty list prints nothing, and `--json` prints one object
   * per line.
   */
  lines(columns: readonly string[], rows: readonly Row[], options?: ListOptions): void;
  /** One object: a line for each field and a table for each nested list, or JSON with `--json`. */
  fields(object: object): void;
  /** A JSON array, with or without `--json`; one element per line. */
  elements(elements: readonly unknown[]): void;
  /** A text file for other programs, in pieces; it is changed only for a terminal, which shows it without harm. */
  file(pieces: Iterable<string>): void;
  /** A single text, such as a command to paste or a value that a shell reads with `$(…)`. */
  bare(text: string): void;
  /** Remarks for people, not for scripts. */
  remark(text: string): void;
}

interface Streams {
  readonly stdout: {
    /** The width of the terminal; absent when the stream is no terminal. */
    readonly columns?: number;
    /** Whether the stream is a terminal with colours and `NO_COLOR` is not set. */
    readonly hasColors?: () => boolean;
    write(text: string): unknown;
  };
  readonly stderr: { readonly columns?: number; write(text: string): unknown };
}

/** When a reader such as `head` closes the pipe early, the rest of the output is dropped without an error. */
export const endQuietlyOnClosedPipe = (): void => {
  for (const stream of [process.stdout, process.stderr]) {
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE') throw error;
    });
  }
};

/**
 * Characters that a terminal acts on or hides instead of showing: control characters (8-bit ones, too), format and
 * direction characters, line separators and lone surrogates. Data from users, customers and files may contain any of
 * them.
 */
const unseen = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu;

/**
 * Makes a text harmless to a terminal: line breaks stay, and the other characters of `unseen` are replaced with their
 * code, such as `\u{1b}`.
 */
export const visible = (text: string): string =>
  text.replaceAll(unseen, (character) =>
    character === '\n' ? character : `\\u{${character.codePointAt(0)?.toString(16)}}`,
  );

const jsonEscape = (unit: string): string => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;

/**
 * JSON that is harmless to a terminal: characters that `JSON.stringify` does not escape, such as U+009B, are escaped as
 * well (`\u009b`).
 */
const visibleJson = (value: unknown, space?: number): string =>
  JSON.stringify(value, null, space).replaceAll(unseen, (character) =>
    character === '\n' ? character : character.split('').map(jsonEscape).join(''),
  );

const shown = (value: unknown): string => {
  if (value === undefined || value === null) return '';
  if (value instanceof Shown) return visible(value.text);
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  const isTexts = Array.isArray(value) && value.every((item) => typeof item === 'string');
  const text = isTexts ? value.join(', ') : typeof value === 'object' ? JSON.stringify(value) : String(value);
  return visible(text.replaceAll(/\s*\n\s*/g, ' '));
};

/**
 * The heading of a field or a column, with spaces for underscores. Dotted names, which come from nested objects, stay
 * as they are.
 */
const heading = (name: string): string => shown(name.includes('.') ? name : name.replaceAll('_', ' '));

/**
 * Whether a line is a command for a shell. Such a line is not wrapped: pasting it would run only the part before the
 * break.
 */
const isCommand = (line: string): boolean => line.trimStart().startsWith('npm run ');

/** A terminal reports a width of 0 if it does not know its width, for example in a container without a window. */
const knownWidth = (columns: number | undefined): number | undefined => (columns === 0 ? undefined : columns);

/** Wraps the lines of a text between words to fit the terminal. Commands are not wrapped. */
export const wrappedLines = (
  text: string,
  { columns: reported }: { readonly columns?: number | undefined },
): string => {
  const columns = knownWidth(reported);
  if (columns === undefined) return text;
  return text
    .split('\n')
    .flatMap((line) => (isCommand(line) ? [line] : wrapped(line, columns)))
    .join('\n');
};

const remarkTo =
  (stream: Streams['stderr']) =>
  (text: string): void => {
    stream.write(`${wrappedLines(visible(text), stream)}\n`);
  };

const elementsTo =
  (stream: Streams['stdout']) =>
  (elements: readonly unknown[]): void => {
    const lines = elements.map((element) => visibleJson(element));
    stream.write(lines.length === 0 ? '[]\n' : `[\n${lines.join(',\n')}\n]\n`);
  };

const fileTo =
  (stream: Streams['stdout']) =>
  (pieces: Iterable<string>): void => {
    const isTerminal = stream.columns !== undefined;
    for (const piece of pieces) {
      const shownPiece = () => visible(piece.replace(/^\uFEFF/, '').replaceAll('\r\n', '\n'));
      stream.write(isTerminal ? shownPiece() : piece);
    }
  };

const bareTo =
  (stream: Streams['stdout']) =>
  (text: string): void => {
    stream.write(`${wrappedLines(shown(text), stream)}\n`);
  };

const jsonOutput = ({ stdout, stderr }: Streams): Output => {
  const print = (value: unknown) => stdout.write(`${visibleJson(value, 2)}\n`);
  return {
    rows: (columns, rows) =>
      print(rows.map((row) => Object.fromEntries(columns.map((column) => [column, row[column] ?? null])))),
    lines: (columns, rows) => {
      for (const row of rows) {
        const fields = columns.map((column) => [column, row[column] ?? null]);
        stdout.write(`${visibleJson(Object.fromEntries(fields))}\n`);
      }
    },
    fields: print,
    elements: elementsTo(stdout),
    file: fileTo(stdout),
    bare: bareTo(stdout),
    remark: remarkTo(stderr),
  };
};

const tones: Readonly<Record<string, 'green' | 'yellow' | 'red'>> = {
  confirmed: 'green',
  delivered: 'green',
  enabled: 'green',
  final: 'green',
  LIVE: 'green',
  mined: 'green',
  OK: 'green',
  ok: 'green',
  playable: 'green',
  ended: 'yellow',
  pending: 'yellow',
  pool: 'yellow',
  waiting: 'yellow',
  ALARM: 'red',
  failed: 'red',
  gap: 'red',
  gone: 'red',
  refused: 'red',
  stuck: 'red',
};

/** Whether a field of a record is a list of objects, which is shown below the other fields as a table. */
const isList = (value: unknown): value is readonly Readonly<Record<string, unknown>>[] =>
  Array.isArray(value) &&
  value.length > 0 &&
  value.every((item) => typeof item === 'object' && item !== null && !Array.isArray(item));

/** The columns of these rows, without those that are empty in every row. */
const columnsOf = (rows: readonly Readonly<Record<string, unknown>>[]): string[] => [
  ...new Set(rows.flatMap((row) => Object.keys(row).filter((column) => row[column] != null))),
];

/** The fields of a record. A field of a nested object gets a dotted name, such as `ott.streams_at_once`. */
const fieldsOf = (object: object): [string, unknown][] =>
  Object.entries(object).flatMap(([name, value]): [string, unknown][] => {
    const isNested = typeof value === 'object' && value !== null && !Array.isArray(value);
    if (!isNested || value instanceof Shown) return [[name, value]];
    return fieldsOf(value).map(([inner, each]) => [`${name}.${inner}`, each]);
  });

const isNumeric = (value: unknown): boolean =>
  value == null ||
  typeof value === 'number' ||
  (value instanceof Shown && value.isNumber) ||
  (typeof value === 'string' && /^\d+(\.\d+)?$/.test(value));

const two = (number: number): string => String(number).padStart(2, '0');

/** A time in the form for people at a terminal: local time to the second, with the offset of the time zone. */
const localTime = (iso: string): string => {
  const at = new Date(iso);
  const offset = -at.getTimezoneOffset();
  const [hours, minutes] = [Math.trunc(Math.abs(offset) / 60), Math.abs(offset) % 60];
  const zone = offset === 0 ? 'Z' : `${offset < 0 ? '-' : '+'}${two(hours)}:${two(minutes)}`;
  const day = `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`;
  return `${day} ${two(at.getHours())}:${two(at.getMinutes())}:${two(at.getSeconds())}${zone}`;
};

const isMoment = (text: string): boolean => /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/.test(text);

/**
 * Shortens addresses, hashes and identifiers to their first and last six digits, and ARNs to their service and their last
 * twelve letters, which are enough in a long list.
 */
export const shortened = (cell: string): string =>
  cell
    .replaceAll(/\b(arn:[\w-]+:[\w-]+):[^\s,]{20,}([^\s,]{12})(?![^\s,])/g, '$1…$2')
    .replaceAll(/(0x|\b)([0-9a-fA-F]{6})[0-9a-fA-F]{20,}([0-9a-fA-F]{6})\b/g, '$1$2…$3');

/**
 * A list that is too wide and has no dispensable columns is shown with one field per line, up to this many rows. A
 * stage has at most this many signers, so all their fields are always shown.
 */
const rowsBelowAtMost = 12;

/** How far a value is indented that is shown below the name of its field. */
const below = 2;

const textOutput = ({ stdout, stderr }: Streams): Output => {
  const width = knownWidth(stdout.columns);
  const hasColours = stdout.hasColors?.() === true;
  const styled = (format: Parameters<typeof styleText>[0], text: string): string =>
    hasColours ? styleText(format, text, { validateStream: false }) : text;
  const toned = (text: string, cell: string): string => {
    const tone = Object.hasOwn(tones, cell) ? tones[cell] : undefined;
    return tone === undefined ? text : styled(tone, text);
  };
  const remark = remarkTo(stderr);

  const cellText = (value: unknown): string => {
    const text = shown(value);
    return width !== undefined && isMoment(text) ? localTime(text) : text;
  };

  /** A time in a list stays in one line: broken in two, each row would have two. */
  const listedText = (value: unknown): string => {
    const text = cellText(value);
    return isMoment(shown(value)) ? text.replaceAll(' ', firmSpace) : text;
  };

  /**
   * Whether a value has a word, such as a hash, that would be broken beside the field's name, and is whole below it.
   */
  const isBelow = (cell: string, beside: number): boolean => {
    if (width === undefined || widthOf(cell) <= width - beside) return false;
    const longest = longestWord(cell);
    return longest > width - beside && longest <= width - below;
  };

  const fieldsText = (fields: readonly (readonly [string, unknown])[]): string => {
    const named = fields.map(([key, value]) => [heading(key), value] as const);
    const names = Math.max(0, ...named.map(([name]) => widthOf(name)));
    return named
      .map(([key, value]) => {
        const cell = cellText(value);
        const beside = names + 2;
        const shownBelow = isBelow(cell, beside);
        const indent = shownBelow ? below : beside;
        const lines = width === undefined ? [cell] : wrapped(cell, width - indent);
        const indented = lines.map((line) => toned(line, cell)).join(`\n${' '.repeat(indent)}`);
        const space = shownBelow ? `\n${' '.repeat(below)}` : ' '.repeat(beside - widthOf(key));
        return `${`${styled('bold', key)}${space}${indented}`.trimEnd()}\n`;
      })
      .join('');
  };

  const listText = (
    all: readonly string[],
    rows: readonly Readonly<Record<string, unknown>>[],
    { dispensable = [] }: ListOptions = {},
  ): string => {
    const texts = new Map(all.map((column) => [column, rows.map((row) => listedText(row[column]))]));
    const right = new Set(
      all.filter((column) => rows.length > 0 && rows.every((row) => isNumeric(row[column]))),
    );
    const table = (
      columns: readonly string[],
      { isShort = false, breaksWords = false, hangs = false, cutsCells = false, linesAtMost = 3 } = {},
    ) =>
      tableText({
        linesAtMost,
        head: columns.map(heading),
        // The first column, which names the row, is not shortened: operators paste it into the next command.
        rows: rows.map((_, row) =>
          columns.map((column, index) => {
            const text = texts.get(column)?.[row] ?? '';
            return isShort && index > 0 ? shortened(text) : text;
          }),
        ),
        isRightAligned: columns.map((column) => right.has(column)),
        width,
        breaksWords,
        hangs,
        cutsCells,
        paint: (text, { isHead, cell }) => (isHead ? styled('bold', text) : toned(text, cell)),
      });
    const narrower = Array.from({ length: dispensable.length + 1 }, (_, count) => {
      const left = new Set(dispensable.slice(dispensable.length - count));
      return all.filter((column) => !left.has(column));
    });
    const cut = (): void => {
      if (rows.length === 0) return;
      remark('Columns or values are cut to fit the terminal. To see all of them, use --json or a pipe.');
    };
    // A column less is easier to read than a second line in each row.
    for (const columns of narrower) {
      const text = table(columns, { linesAtMost: 1 });
      if (text === undefined) continue;
      if (columns.length < all.length) cut();
      return text;
    }
    const whole = table(all);
    if (whole !== undefined) return whole;
    if (dispensable.length > 0 || rows.length > rowsBelowAtMost) {
      const fewest = narrower.at(-1) ?? all;
      const tries = [
        ...narrower.map((columns) => ({ columns })),
        ...narrower.map((columns) => ({ columns, isShort: true })),
        ...narrower.map((columns) => ({ columns, isShort: true, hangs: true })),
        { columns: fewest, isShort: true, breaksWords: true },
        { columns: fewest, isShort: true, breaksWords: true, hangs: true },
        // Only lists that may lose columns may lose the ends of long texts.
        ...(dispensable.length === 0
          ? []
          : [
              { columns: fewest, isShort: true, hangs: true, cutsCells: true },
              { columns: fewest, isShort: true, breaksWords: true, hangs: true, cutsCells: true },
            ]),
      ];
      for (const { columns, ...form } of tries) {
        const text = table(columns, form);
        if (text === undefined) continue;
        cut();
        return text;
      }
    }
    return rows.map((row) => fieldsText(all.map((column) => [column, row[column]]))).join('\n');
  };

  return {
    rows: (columns, rows, options) => stdout.write(listText(columns, rows, options)),
    lines: (columns, rows, options) => {
      if (rows.length > 0) stdout.write(listText(columns, rows, options));
    },
    fields: (object) => {
      const fields = fieldsOf(object);
      stdout.write(fieldsText(fields.filter(([, value]) => !isList(value))));
      for (const [key, value] of fields) {
        if (!isList(value)) continue;
        stdout.write(`\n${styled('bold', heading(key))}\n${listText(columnsOf(value), value)}`);
      }
    },
    elements: elementsTo(stdout),
    file: fileTo(stdout),
    bare: bareTo(stdout),
    remark,
  };
};

export const createOutput = ({
  json,
  streams = process,
}: {
  readonly json: boolean;
  readonly streams?: Streams;
}): Output => (json ? jsonOutput(streams) : textOutput(streams));

/** Writes to standard error why a command failed. */
export const sayFailure = (message: string): void => remarkTo(process.stderr)(message);

/** Where commander writes help texts, and errors in the command line. */
export const helpOutput: OutputConfiguration = {
  writeOut: (text) => process.stdout.write(visible(text)),
  writeErr: (text) => process.stderr.write(visible(text)),
};

/** The width of what the prompt prints around a question: a mark before the question, the possible answers after it. */
const roomAround = '? '.length + ' (y/N) '.length;

/**
 * A question, with line breaks only between words. Its lines leave room for what the prompt prints before and after it.
 */
export const askedText = (question: string, reported: number | undefined): string => {
  const columns = knownWidth(reported);
  return wrappedLines(visible(question), {
    columns: columns === undefined ? undefined : Math.max(1, columns - roomAround),
  });
};

/** Whether there is a terminal on which to ask. */
export const canAsk = (): boolean => process.stdin.isTTY === true && process.stderr.isTTY === true;

/** Asks the person at the terminal. The prompt library is loaded only when there is a question. */
export const ask = async (question: string): Promise<boolean> => {
  const { confirm } = await import('@inquirer/prompts');
  const message = askedText(question, process.stderr.columns);
  return confirm({ message, default: false }, { output: process.stderr });
};

/** The progress of a command: one line that is overwritten on a terminal, nothing elsewhere. */
export interface ProgressLine {
  show(text: string): void;
  /** Removes the line. */
  end(): void;
}

interface Terminal {
  readonly isTTY?: boolean;
  readonly columns?: number;
  write(text: string): unknown;
}

const eraseLine = '\r\x1b[2K';

export const startProgress = (stream: Terminal = process.stderr): ProgressLine => {
  if (stream.isTTY !== true) return { show: () => {}, end: () => {} };
  return {
    show: (text) =>
      stream.write(`${eraseLine}${shown(text).slice(0, (knownWidth(stream.columns) ?? 80) - 1)}`),
    end: () => stream.write(eraseLine),
  };
};
