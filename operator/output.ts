import { styleText } from 'node:util';
import type { OutputConfiguration } from 'commander';
import { tableText, wrapped } from './table.ts';

type Value = string | number | boolean | null | undefined;

/** One line of a list. Undefined and null are shown as empty, and are null in JSON. */
export type Row = Readonly<Record<string, Value | object>>;

/** Where commands write: results to standard output, remarks to standard error. */
export interface Output {
  /** A list: a table, or one field below the other where a table is too wide; an array with `--json`. */
  rows(columns: readonly string[], rows: readonly Row[]): void;
  /** A list that may be long: as `rows`, nothing when it is empty, and with `--json` one object on each line. */
  lines(columns: readonly string[], rows: readonly Row[]): void;
  /** One thing: a line for each field and a table for each nested list, or an object with `--json`. */
  record(record: object): void;
  /** A JSON array in any mode, one element on each line. */
  elements(elements: readonly unknown[]): void;
  /** A single text on its line, for `$(…)` in a shell. */
  bare(text: string): void;
  /** Remarks for people, not for scripts. */
  remark(text: string): void;
}

interface Streams {
  readonly stdout: {
    /** The width, when it is a terminal. */
    readonly columns?: number;
    /** Whether it is a terminal with colours and `NO_COLOR` is not set. */
    readonly hasColors?: () => boolean;
    write(text: string): unknown;
  };
  readonly stderr: { readonly columns?: number; write(text: string): unknown };
}

/** A reader that closes the pipe early, such as `head`, has what it wants: the rest is dropped. */
export const endQuietlyOnClosedPipe = (): void => {
  for (const stream of [process.stdout, process.stderr]) {
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE') throw error;
    });
  }
};

/**
 * Characters that a terminal obeys or hides instead of showing: controls (also 8-bit ones), format and direction
 * characters, line separators and lone surrogates. Data from users, customers and files may contain any of them.
 */
const unseen = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu;

/** A text without effect on a terminal: line breaks stay, other controls are shown by number, as `\u{1b}`. */
export const visible = (text: string): string =>
  text.replaceAll(unseen, (character) =>
    character === '\n' ? character : `\\u{${character.codePointAt(0)?.toString(16)}}`,
  );

const jsonEscape = (unit: string): string => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;

/**
 * JSON of the same value without effect on a terminal: characters that `JSON.stringify` leaves, such as U+009B, become
 * `\u009b`.
 */
const visibleJson = (value: unknown, space?: number): string =>
  JSON.stringify(value, null, space).replaceAll(unseen, (character) =>
    character === '\n' ? character : character.split('').map(jsonEscape).join(''),
  );

const shown = (value: unknown): string => {
  if (value === undefined || value === null) return '';
  const isTexts = Array.isArray(value) && value.every((item) => typeof item === 'string');
  const text = isTexts ? value.join(', ') : typeof value === 'object' ? JSON.stringify(value) : String(value);
  return visible(text.replaceAll(/\s*\n\s*/g, ' '));
};

/** The name of a field or of a column. */
const heading = (name: string): string => shown(name.replaceAll('_', ' '));

/** A text whose lines are broken between words where a terminal is narrower. */
export const wrappedLines = (text: string, { columns }: { readonly columns?: number | undefined }): string =>
  columns === undefined
    ? text
    : text
        .split('\n')
        .flatMap((line) => wrapped(line, columns))
        .join('\n');

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

const bareTo =
  (stream: Streams['stdout']) =>
  (text: string): void => {
    stream.write(`${shown(text)}\n`);
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
    record: print,
    elements: elementsTo(stdout),
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

/** Several things of one kind inside a record: shown below it, as a table of their own. */
const isList = (value: unknown): value is readonly Readonly<Record<string, unknown>>[] =>
  Array.isArray(value) &&
  value.length > 0 &&
  value.every((item) => typeof item === 'object' && item !== null && !Array.isArray(item));

const columnsOf = (rows: readonly Readonly<Record<string, unknown>>[]): string[] => [
  ...new Set(rows.flatMap((row) => Object.keys(row))),
];

/** Addresses, hashes and signers' ids: both ends are enough in a long list. */
export const shortened = (cell: string): string =>
  cell.replaceAll(/0x([0-9a-fA-F]{6})[0-9a-fA-F]{28,}([0-9a-fA-F]{6})/g, '0x$1…$2');

/** Up to this many rows are shown in full, one field below the other, rather than shortened to a table. */
const rowsBelowAtMost = 10;

const textOutput = ({ stdout, stderr }: Streams): Output => {
  const width = stdout.columns;
  const hasColours = stdout.hasColors?.() === true;
  const styled = (format: Parameters<typeof styleText>[0], text: string): string =>
    hasColours ? styleText(format, text, { validateStream: false }) : text;
  const toned = (text: string, cell: string): string => {
    const tone = Object.hasOwn(tones, cell) ? tones[cell] : undefined;
    return tone === undefined ? text : styled(tone, text);
  };
  const remark = remarkTo(stderr);

  const fieldsText = (fields: readonly (readonly [string, unknown])[]): string => {
    const named = fields.map(([key, value]) => [heading(key), value] as const);
    const names = Math.max(0, ...named.map(([name]) => name.length));
    return named
      .map(([key, value]) => {
        const cell = shown(value);
        const lines = width === undefined ? [cell] : wrapped(cell, width - names - 2);
        const indented = lines.map((line) => toned(line, cell)).join(`\n${' '.repeat(names + 2)}`);
        const name = styled('bold', key) + ' '.repeat(names - key.length);
        return `${`${name}  ${indented}`.trimEnd()}\n`;
      })
      .join('');
  };

  const listText = (
    columns: readonly string[],
    rows: readonly Readonly<Record<string, unknown>>[],
  ): string => {
    const cells = rows.map((row) => columns.map((column) => shown(row[column])));
    const table = (contents: readonly (readonly string[])[], breaksWords = false) =>
      tableText({
        head: columns.map(heading),
        rows: contents,
        isRightAligned: columns.map(
          (column) =>
            rows.length > 0 && rows.every((row) => row[column] == null || typeof row[column] === 'number'),
        ),
        width,
        breaksWords,
        paint: (text, { isHead, cell }) => (isHead ? styled('bold', text) : toned(text, cell)),
      });
    const whole = table(cells);
    if (whole !== undefined) return whole;
    const short = rows.length > rowsBelowAtMost ? cells.map((row) => row.map(shortened)) : undefined;
    const narrow = short && (table(short) ?? table(short, true));
    if (narrow !== undefined) {
      remark('Addresses and hashes are shortened to fit; --json and a pipe have them whole.');
      return narrow;
    }
    return rows.map((row) => fieldsText(columns.map((column) => [column, row[column]]))).join('\n');
  };

  return {
    rows: (columns, rows) => stdout.write(listText(columns, rows)),
    lines: (columns, rows) => {
      if (rows.length > 0) stdout.write(listText(columns, rows));
    },
    record: (record) => {
      stdout.write(fieldsText(Object.entries(record).filter(([, value]) => !isList(value))));
      for (const [key, value] of Object.entries(record)) {
        if (!isList(value)) continue;
        stdout.write(`\n${styled('bold', heading(key))}\n${listText(columnsOf(value), value)}`);
      }
    },
    elements: elementsTo(stdout),
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

/** Help, and what is wrong with a command line. */
export const helpOutput: OutputConfiguration = {
  writeOut: (text) => process.stdout.write(visible(text)),
  writeErr: (text) => process.stderr.write(visible(text)),
};

/** What surrounds a question on its lines: a mark before it, the possible answers after it. */
const roomAround = '? '.length + ' (y/N) '.length;

/** A question's lines, broken between words to fit the terminal with their surroundings. */
export const askedText = (question: string, columns: number | undefined): string =>
  wrappedLines(visible(question), {
    columns: columns === undefined ? undefined : Math.max(1, columns - roomAround),
  });

/** Whether there is somebody to ask. */
export const canAsk = (): boolean => process.stdin.isTTY === true && process.stderr.isTTY === true;

/** Asks the person at the terminal; the library is loaded only then. */
export const ask = async (question: string): Promise<boolean> => {
  const { confirm } = await import('@inquirer/prompts');
  const message = askedText(question, process.stderr.columns);
  return confirm({ message, default: false }, { output: process.stderr });
};

/** Progress of a command: one line that is overwritten on a terminal, nothing elsewhere. */
export interface Progress {
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

export const startProgress = (stream: Terminal = process.stderr): Progress => {
  if (stream.isTTY !== true) return { show: () => {}, end: () => {} };
  return {
    show: (text) => stream.write(`${eraseLine}${shown(text).slice(0, (stream.columns ?? 80) - 1)}`),
    end: () => stream.write(eraseLine),
  };
};
