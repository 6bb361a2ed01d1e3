import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { stripVTControlCharacters } from 'node:util';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  askedText,
  createOutput,
  startProgress,
  visible,
} from '../../../../operator/platform/terminal/output.ts';

const root = fileURLToPath(new URL('../../../../', import.meta.url));

/** Control, formatting and bidirectional characters, lone surrogates, line separators. `\n` matches but is allowed. */
const harmful = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Bidi_Control}]/u;
const harmfulIn = (text: string): string[] =>
  [...text].filter((character) => character !== '\n' && harmful.test(character));

const allHarmful = Array.from({ length: 0x110000 }, (_, codePoint) => String.fromCodePoint(codePoint)).filter(
  (character) => character !== '\n' && harmful.test(character),
);

/**
 * Sequences that, for example, set a title, the clipboard and a link, clear the screen, move the cursor, or make the
 * terminal answer.
 */
const sequences = [
  '\x1b]0;title\x07',
  '\x1b]52;c;Y29weQ==\x1b\\',
  '\x9d8;;https://example.com\x9c',
  '\x1b[2J\x1b[H',
  '\x9b31m',
  '\x1b[6n',
  '\x1bP$q"p\x1b\\',
  '\r\x1b[2Kok',
  '\b\b\bok',
];

const hostile = fc
  .array(
    fc.oneof(
      fc.constantFrom(...sequences),
      fc.constantFrom(...allHarmful),
      fc.string({ unit: 'binary' }),
      fc.string({ unit: 'grapheme' }),
    ),
    { maxLength: 6 },
  )
  .map((pieces) => pieces.join(''));
const key = fc.oneof(hostile, fc.constantFrom('id', 'state', '__proto__'));
const value = fc.oneof(hostile, fc.array(hostile, { maxLength: 3 }), fc.integer(), fc.constant(null));
const nested = fc.dictionary(key, fc.oneof(value, fc.dictionary(key, value, { maxKeys: 3 })), { maxKeys: 4 });
const record = fc.dictionary(key, fc.oneof(value, nested, fc.array(nested, { maxLength: 3 })), {
  maxKeys: 4,
});
const rows = fc.array(fc.dictionary(key, value, { maxKeys: 4 }), { maxLength: 4 });

/** Everything that a command can print, with `stored` in every place. */
const said = (
  stored: { readonly text: string; readonly record: object; readonly rows: readonly Record<string, never>[] },
  {
    json,
    columns,
    colours = false,
  }: { readonly json: boolean; readonly columns?: number | undefined; readonly colours?: boolean },
): { readonly results: string; readonly remarks: string } => {
  const [results, remarks]: [string[], string[]] = [[], []];
  const width = columns === undefined ? {} : { columns };
  const output = createOutput({
    json,
    streams: {
      stdout: { ...width, hasColors: () => colours, write: (text: string) => results.push(text) },
      stderr: { ...width, write: (text: string) => remarks.push(text) },
    },
  });
  const names = [...new Set(stored.rows.flatMap((row) => Object.keys(row)))];
  output.fields(stored.record);
  output.rows(names, stored.rows);
  output.lines(names, stored.rows);
  output.elements([stored.record, stored.text]);
  output.bare(stored.text);
  output.remark(stored.text);
  return { results: results.join(''), remarks: remarks.join('') };
};

/** Drops the spaces at the ends of lines. Coloured output keeps those that come before the end of a colour. */
const withoutEnds = (text: string): string => text.replaceAll(/[^\S\n]+$/gm, '');

const places = fc.record({
  stored: fc.record({ text: hostile, record, rows: rows as fc.Arbitrary<Record<string, never>[]> }),
  json: fc.boolean(),
  columns: fc.option(fc.integer({ min: 5, max: 200 }), { nil: undefined }),
});

describe("stored text on the operator's terminal", () => {
  it('never sends control sequences to the terminal, wherever the text is shown', () => {
    fc.assert(
      fc.property(places, ({ stored, ...options }) => {
        const { results, remarks } = said(stored, options);

        expect(harmfulIn(results)).toEqual([]);
        expect(harmfulIn(remarks)).toEqual([]);
        const coloured = said(stored, { ...options, colours: true }).results;
        expect(withoutEnds(stripVTControlCharacters(coloured))).toBe(withoutEnds(results));
      }),
      { numRuns: 500 },
    );
  });

  it('shows each control, formatting and bidirectional character as its code number', () => {
    expect(allHarmful.length).toBeGreaterThan(2_048 + 200);
    for (const character of allHarmful) {
      const number = `\\u{${character.codePointAt(0)?.toString(16)}}`;
      expect(visible(`a${character}b`)).toBe(`a${number}b`);
    }
  });

  it('is unchanged in JSON, where JSON escapes represent such characters', () => {
    const text = [...allHarmful, ...sequences, '\n'].join(' ').toWellFormed();
    const [output, written] = [[] as string[], createOutput];
    const print = written({
      json: true,
      streams: { stdout: { write: (piece: string) => output.push(piece) }, stderr: { write: () => {} } },
    });

    print.fields({ [text]: text, list: [{ [text]: [text] }] });

    expect(harmfulIn(output.join(''))).toEqual([]);
    expect(JSON.parse(output.join(''))).toEqual({ [text]: text, list: [{ [text]: [text] }] });
  });

  it('is shown unchanged if it contains only letters, symbols and emoji of any script', () => {
    const text = 'Ćevapčići – 北京 – 🏀 – עברית – "\\u{1b}"';

    expect(visible(text)).toBe(text);
  });

  it('cannot change a question or the progress line', () => {
    const texts: string[] = [];
    const stream = { isTTY: true, columns: 200, write: (text: string) => texts.push(text) };
    for (const sequence of [...sequences, ...allHarmful]) {
      expect(harmfulIn(askedText(`Delete ${sequence}?`, 80))).toEqual([]);
      startProgress(stream).show(sequence);
    }

    expect(harmfulIn(texts.join('').replaceAll('\r\x1b[2K', ''))).toEqual([]);
  });
});

describe("the operator's command line", () => {
  // The linter checks that no file uses `console`.
  it('writes to the terminal in only one file', () => {
    const files = globSync('operator/**/*.ts', { cwd: root }).filter(
      (file) => file !== 'operator/platform/terminal/output.ts',
    );
    expect(files.length).toBeGreaterThan(100);

    const around = files.filter((file) =>
      /\bstdout\b|\bstderr\b|node:(console|tty|readline|repl)|\bwriteSync\b|\/dev\/(tty|std|fd)|emitWarning/.test(
        readFileSync(join(root, file), 'utf8'),
      ),
    );

    expect(around).toEqual([]);
  });
});
