import { styleText } from 'node:util';
import type { OutputConfiguration } from 'commander';
import { tableText, wrapped } from './table.ts';

type Value = string | number | boolean | null | undefined;

/** One line of a list. What is undefined or null is shown as empty, and is null in JSON. */
export type Row = Readonly<Record<string, Value | readonly string[]>>;

/** Where commands put what they have to say: results on standard output, remarks on standard error. */
export interface Output {
  /** A list: a table, or rows one below the other where a table is too wide; an array with `--json`. */
  rows(columns: readonly string[], rows: readonly Row[]): void;
  /** A list that may be long: as `rows`, nothing where it is empty, and with `--json` an object on each line. */
  lines(columns: readonly string[], rows: readonly Row[]): void;
  /** One thing: a line for each field and a table for each list of things, or an object with `--json`. */
  record(record: object): void;
  /** A JSON array whatever else is asked for, an element on each line. */
  elements(elements: readonly unknown[]): void;
  /** One text alone on its line, to be used as `$(…)` in a shell. */
  bare(text: string): void;
  /** What a person likes to know and a script does not. */
  remark(text: string): void;
}

interface Streams {
  readonly stdout: {
    /** Where it is a terminal. */
    readonly columns?: number;
    /** Whether it is a terminal with colours, and nobody wants it without (`NO_COLOR`). */
    readonly hasColors?: () => boolean;
    write(text: string): unknown;
  };
  readonly stderr: { readonly columns?: number; write(text: string): unknown };
}

/** One that reads a part and closes the pipe, as `head` does, has what it wants: the rest is for nobody. */
export const endQuietlyOnClosedPipe = (): void => {
  for (const stream of [process.stdout, process.stderr]) {
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE') throw error;
    });
  }
};

/**
 * What a terminal obeys or hides instead of showing it: controls, also those of eight bits, characters that format
 * others or turn their direction, line separators and halves of characters. What users, customers and files bring may
 * hold any of them.
 */
const unseen = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu;

/** A text that can only be read: its lines stay, and any other control is shown by its number, as `\u{1b}`. */
export const visible = (text: string): string =>
  text.replaceAll(unseen, (character) =>
    character === '\n' ? character : `\\u{${character.codePointAt(0)?.toString(16)}}`,
  );

const jsonEscape = (unit: string): string => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;

/** JSON of the same value that can only be read: what `JSON.stringify` leaves as it is, such as U+009B, is `\u009b`. */
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

/** Several things of one kind inside a record: they are shown below it, as a table of their own. */
const isList = (value: unknown): value is readonly Readonly<Record<string, unknown>>[] =>
  Array.isArray(value) &&
  value.length > 0 &&
  value.every((item) => typeof item === 'object' && item !== null && !Array.isArray(item));

const columnsOf = (rows: readonly Readonly<Record<string, unknown>>[]): string[] => [
  ...new Set(rows.flatMap((row) => Object.keys(row))),
];

/** Addresses, hashes and signers' ids, of which both ends tell enough in a long list. */
export const shortened = (cell: string): string =>
  cell.replaceAll(/0x([0-9a-fA-F]{6})[0-9a-fA-F]{28,}([0-9a-fA-F]{6})/g, '0x$1…$2');

/** So many rows are rather shown whole, one below the other, than shortened to a table. */
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

/** Says on standard error why a command failed. */
export const sayFailure = (message: string): void => remarkTo(process.stderr)(message);

/** Help, and what is wrong with a command line. */
export const helpOutput: OutputConfiguration = {
  writeOut: (text) => process.stdout.write(visible(text)),
  writeErr: (text) => process.stderr.write(visible(text)),
};

/** What stands around a question on its lines: a mark before it, the possible answers behind it. */
const roomAround = '? '.length + ' (y/N) '.length;

/** A question's lines, broken between words where the terminal is narrower than they are with what is around them. */
export const askedText = (question: string, columns: number | undefined): string =>
  wrappedLines(visible(question), {
    columns: columns === undefined ? undefined : Math.max(1, columns - roomAround),
  });

/** Whether there is somebody to ask. */
export const canAsk = (): boolean => process.stdin.isTTY === true && process.stderr.isTTY === true;

/** Asks whoever is at the terminal; what is needed for it is loaded where there is somebody. */
export const ask = async (question: string): Promise<boolean> => {
  const { confirm } = await import('@inquirer/prompts');
  const message = askedText(question, process.stderr.columns);
  return confirm({ message, default: false }, { output: process.stderr });
};

/** What goes on while a command works: one line that is written over on a terminal, nothing elsewhere. */
export interface Progress {
  show(text: string): void;
  /** Takes the line away. */
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
