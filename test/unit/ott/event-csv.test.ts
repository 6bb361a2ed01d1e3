import fc from 'fast-check';
import { expect, it } from 'vitest';
import { csvOf } from '../../../operator/ott/events/event-csv.ts';
import { readEventFile } from '../../../operator/ott/events/event-file.ts';
import { readText } from '../../../operator/platform/terminal/read-file.ts';
import { completedRow } from '../../../shared/ott/catalogue/completed-row.ts';
import type { Event } from '../../../shared/ott/events/event.ts';
import { isOneLine, isVisible, keptTexts } from '../../../shared/platform/parsing/texts.ts';
import { anEvent, fileRecord } from '../../support/ott/builders.ts';

const tableOf = (events: readonly Event[]): string => [...csvOf(events.map(fileRecord))].join('');
const eventsIn = (text: string) =>
  [...readEventFile({ file: 'export.csv', text })].map((entry) => {
    const completed = completedRow(entry, undefined, 0);
    return 'event' in completed ? completed.event : completed.mistakes;
  });

/** Texts that CSV, lists in cells or spreadsheet programs could take for something else. */
const odd = fc.constantFrom(
  ...[
    '',
    ' ',
    "'",
    "''",
    "'=",
    '=1+1',
    '-',
    '- first',
    '+49',
    '@home',
    '"',
    '"a"',
    ',',
    ';',
    '\t',
    '|',
    '\\',
    '\\|',
  ],
  ...[
    '\\\\',
    '#',
    "'007",
    '007',
    '1e5',
    '3/4',
    '1-2',
    'TRUE',
    'false',
    'May 1',
    'SEPT2',
    '50 %',
    '$5',
    '(3)',
    '9 pm',
  ],
  ...['sep=;', '[', '{}', '\uFEFF', '\u00a0', 'ä', '🏀', 'null'],
);
const text = fc
  .array(fc.oneof(odd, fc.string({ unit: 'grapheme', maxLength: 6 })), { maxLength: 4 })
  .map((parts) => parts.join(''));
const isReadable = (one: string): boolean =>
  isVisible(one) && isOneLine(one) && keptTexts(one).mistakes.length === 0 && !/\p{Bidi_Control}/u.test(one);
const readable = text.filter(isReadable);
const lines = fc
  .array(fc.oneof(text, fc.constantFrom('\n', '\t')), { maxLength: 5 })
  .map((parts) => parts.join(''));

it('an export to CSV is read as the events that were exported, whatever their texts', () => {
  fc.assert(
    fc.property(
      fc.array(
        fc.record({
          id: fc.oneof(
            fc.stringMatching(/^[A-Za-z0-9_-]{1,12}$/),
            fc.constantFrom('007', '-1', '1e5', '2026-05-01', '12345678901234567890', 'TRUE', 'MARCH1'),
          ),
          title: readable,
          description: fc.option(lines.filter((one) => keptTexts(one).mistakes.length === 0)),
          categories: fc.array(readable, { maxLength: 3 }),
        }),
        { minLength: 1, maxLength: 4 },
      ),
      (fields) => {
        const events = fields.map((each) => anEvent(each));

        expect(eventsIn(tableOf(events))).toEqual(events);
      },
    ),
    { numRuns: 500 },
  );
});

it('an export to CSV that LibreOffice opened and saved again, with semicolons, has the same events', async () => {
  const file = new URL('spreadsheets/libreoffice-saved-export.csv', import.meta.url);

  expect(eventsIn(await readText(file.pathname))).toMatchObject([
    {
      id: 'final',
      title: '=1+1, the "final"',
      description: '- first\n+ second\n  @third; "q"',
      categories: ['foot|ball', 'cup\\final', '1-2', 'TRUE'],
      schedule: [
        { at: '2026-05-01T18:00:00.000Z', status: 'LIVE' },
        { at: '2026-05-01T20:00:00.000Z', status: 'FINISHED' },
      ],
      stream: { url: 'https://streams.example.com/final/index.m3u8' },
    },
    { id: '007', title: "'Twas", categories: ['007'] },
    { id: '2026-05-01', title: "'=x", description: '', categories: ['3/4'] },
    { id: '12345678901234567890', title: '+49 123', description: "'" },
    { id: '1E5', title: '1.50' },
  ]);
});

it('an export to CSV begins with the mark by which Excel reads it as UTF-8, and has CRLF between its rows', () => {
  expect(tableOf([anEvent()])).toMatch(/^\uFEFFevent_id,title,.*\r\nfinal,The final,.*\r\n$/s);
});
