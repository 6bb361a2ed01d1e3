import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readEventFile } from '../../../operator/ott/events/event-file.ts';
import { elementsOf } from '../../../operator/ott/events/json-elements.ts';
import { OperatorError } from '../../../operator/platform/terminal/operator-error.ts';
import { completedRow } from '../../../shared/ott/catalogue/completed-row.ts';
import type { FileRow } from '../../../shared/ott/catalogue/file-row.ts';
import { parseExactJson } from '../../../shared/platform/parsing/json.ts';

const minimal = {
  event_id: 'one',
  title: 'One',
  status: 'LIVE',
  access: 'free',
  starts_at: '2026-05-01T20:00:00+02:00',
};
/** An entry as an import understands it, if no event with its id is stored. */
const understood = (entry: FileRow) => ({
  line: entry.line,
  id: entry.id,
  ...completedRow(entry, undefined, 0),
});
const readText = (text: string) => [...readEventFile({ file: 'events.json', text })].map(understood);
const readJson = (value: unknown) => readText(JSON.stringify(value));
const readCsv = (text: string) => [...readEventFile({ file: 'events.CSV', text })].map(understood);

describe('a JSON file of events', () => {
  it('is read with defaults for missing fields and with times in UTC', () => {
    const [entry] = readJson([minimal]);

    expect(entry).toEqual({
      line: 1,
      id: 'one',
      event: {
        id: 'one',
        title: 'One',
        status: 'LIVE',
        access: 'free',
        startsAt: '2026-05-01T18:00:00.000Z',
        description: null,
        endsAt: null,
        image: null,
        categories: [],
        hand: {},
      },
      hasStatus: true,
    });
  });

  it.each([
    ['event_id', { event_id: 'a b' }],
    ['event_id', { event_id: undefined }],
    ['event_id', { event_id: 'a\u202eb' }],
    ['title', { title: ' ' }],
    ...['\x1b]0;x\x07', 'a\x9b31m', 'a\u202eb', 'a\u2066b', 'a\u200fb', 'a\nb', 'a\u2028b', '\ud800'].flatMap(
      (text): [string, object][] => [
        ['title', { title: text }],
        ['categories, entry 2', { categories: ['football', text] }],
      ],
    ),
    ['status', { status: 'live' }],
    ['access', { access: 'gold' }],
    ['starts_at', { starts_at: '2026-05-01T20:00:00' }],
    ['ends_at', { ends_at: '2026-05-01T17:59:59Z' }],
    ['description', { description: '\ud800' }],
    ['image', { image: 'javascript:alert(1)' }],
    ['image', { image: 'https://e.example/\ud800' }],
    ['categories, entry 1', { categories: [''] }],
    ['geoblocking.countries, entry 1', { geoblocking: { enabled: true, mode: 'block', countries: ['UK'] } }],
    [
      'stream.available_until',
      {
        stream: {
          type: 'hls',
          url: 'https://e.example/a/b',
          available_from: '2026-05-01T00:00:00Z',
          available_until: '2026-05-01T00:00:00Z',
        },
      },
    ],
    [
      'stream.available_from',
      { stream: { type: 'hls', url: 'https://e.example/a/b', available_from: '2026-05-01T00:00:00' } },
    ],
    ['stream.url', { stream: { type: 'hls', url: `https://e.example/${'ä'.repeat(200)}` } }],
    ['geoblocking.countries', { geoblocking: { enabled: true, mode: 'allow', countries: [] } }],
    ['geoblocking.mode', { geoblocking: { enabled: true, countries: ['CH'] } }],
    ['stream.url', { stream: { type: 'hls', url: 'https://e.example/a/\ud800' } }],
    ['stream.url', { stream: { type: 'hls', url: 'nowhere' } }],
    ['stream.type', { stream: { type: 'rtmp', url: 'https://example.com' } }],
    ['price', { price: 3 }],
    ['title', { title: '\u200B' }],
    ['title', { title: 'Caf\uFFFD' }],
    ['description', { description: 'a\u0000b' }],
    ['categories, entry 1', { categories: ['\u2060'] }],
  ])('is reported with a mistake that starts with %s when that field is wrong', (path, fields) => {
    const [entry] = readJson([{ ...minimal, ...fields }]);

    expect(entry).toMatchObject({ line: 1, mistakes: [expect.stringMatching(new RegExp(`^${path}(: |$)`))] });
  });

  it('is reported with the right way to write a boolean when it contains a quoted one', () => {
    const geoblocking = { enabled: 'true', mode: 'block', countries: ['CH'] };

    expect(readJson([{ ...minimal, geoblocking }])).toMatchObject([
      { mistakes: ['geoblocking.enabled: must be true or false, without quotation marks'] },
    ]);
  });

  it('accepts letters of every script and joined characters', () => {
    const title = 'Ćevapčići – مباراة‌ها – 👨‍👩‍👧 – כדורגל';

    expect(readJson([{ ...minimal, title, categories: [title] }])).toMatchObject([
      { event: { title, categories: [title] } },
    ]);
  });

  it('accepts any content in a disabled geoblocking rule, and null for an absent field', () => {
    const [off, none] = readJson([
      { ...minimal, geoblocking: { enabled: false, mode: 'maybe', countries: [] } },
      { ...minimal, event_id: 'two', geoblocking: null, stream: null },
    ]);

    expect(off).toMatchObject({ event: { geoblocking: { enabled: false, countries: [] } } });
    expect(none).toMatchObject({ event: { id: 'two' } });
    expect(none).toMatchObject({ event: { geoblocking: undefined } });
  });

  it('is read with its valid events, and with the line of each invalid one', () => {
    const text = `[
  {"event_id": "good", "title": "[{,\\"", "status": "VOD", "access": "paid", "starts_at": "2026-05-01T18:00:00Z"},

  {
    "event_id": "bad", "title": "Bad", "status": "VOD", "access": "paid", "starts_at": "tomorrow"
  },  17,
  {"event_id": "good", "title": "Twice", "status": "VOD", "access": "paid", "starts_at": "2026-05-01T18:00:00Z"}
]`;

    const entries = readText(text);

    expect(entries).toMatchObject([
      { line: 2, id: 'good', event: { title: '[{,"' } },
      { line: 4, id: 'bad', mistakes: [expect.stringMatching(/^starts_at: /)] },
      { line: 6, id: undefined, mistakes: ['must be an object'] },
      { line: 7, id: 'good', event: { title: 'Twice' } },
    ]);
  });

  it('is rejected exactly when JSON.parse rejects it, for 500 randomly damaged files', () => {
    fc.assert(
      fc.property(
        fc.array(fc.jsonValue(), { maxLength: 4 }).map((elements) => JSON.stringify(elements)),
        fc.nat(),
        fc.constantFrom('', ',', '[', ']', '{', '}', '"', ' ', '\n', '1'),
        fc.boolean(),
        (whole, at, piece, isReplaced) => {
          const place = at % (whole.length + 1);
          const text = whole.slice(0, place) + piece + whole.slice(place + (isReplaced ? 1 : 0));
          const isArray = () => {
            try {
              return Array.isArray(parseExactJson(text));
            } catch {
              return false;
            }
          };

          if (isArray()) expect(readText(text)).toHaveLength(JSON.parse(text).length);
          else expect(() => readText(text)).toThrow(OperatorError);
        },
      ),
      { numRuns: 500 },
    );
  });

  it.each(['', '{}', '[{]', '[1,]', '[1 2]', '[1]]', 'null'])(
    'is rejected as a whole when its text is %j',
    (text) => {
      expect(() => readText(text)).toThrow(OperatorError);
    },
  );

  it('is read with the correct line number of each element, for random elements', () => {
    fc.assert(
      fc.property(fc.array(fc.jsonValue(), { maxLength: 8 }), (elements) => {
        const text = JSON.stringify(elements, null, 2);
        let line = 2;
        const expected = elements.map((element) => {
          const own = line;
          line += JSON.stringify(element, null, 2).split('\n').length;
          return own;
        });

        expect([...elementsOf(text)].map((element) => element.line)).toEqual(expected);
        expect([...elementsOf(text)].map((element) => JSON.parse(element.text))).toEqual(JSON.parse(text));
      }),
    );
  });
});

describe('a CSV file of events', () => {
  const header =
    'event_id,title,description,status,access,starts_at,ends_at,image,categories,geoblocking,stream_type,stream_url,stream_geoblocking';

  it('is read with empty cells as absent fields', () => {
    const rule = '"{""enabled"":true,""mode"":""allow"",""countries"":[""CH""]}"';
    const entries = readCsv(
      [
        header,
        `one,"One, or more","Two\nlines",LIVE,paid,2026-05-01T18:00:00Z,,,football| opera,${rule},hls,https://streams.example.com/1.m3u8,`,
        'two,Two,,VOD,free,2026-05-01T18:00:00Z,,,,,,,',
      ].join('\r\n'),
    );

    expect(entries).toMatchObject([
      {
        line: 2,
        event: {
          id: 'one',
          title: 'One, or more',
          description: 'Two\nlines',
          categories: ['football', 'opera'],
          geoblocking: { enabled: true, mode: 'allow', countries: ['CH'] },
          stream: { type: 'hls', url: 'https://streams.example.com/1.m3u8' },
        },
      },
      { line: 4, event: { id: 'two', description: null, categories: [] } },
    ]);
    expect(entries[1]).toMatchObject({ event: { stream: undefined } });
    expect(entries[1]).toMatchObject({ event: { geoblocking: undefined } });
  });

  it('is read with the line of each invalid row', () => {
    const entries = readCsv(
      [
        'event_id,title,status,access,starts_at,geoblocking',
        'one,"two\nlines",LIVE,free,2026-05-01T18:00:00Z,',
        '',
        'two,Two,LIVE,free,2026-05-01T18:00:00Z,{broken',
        'three,Three,LIVE',
        'four,Four,SOON,free,never,',
      ].join('\n'),
    );

    expect(entries).toMatchObject([
      { line: 2, event: { id: 'one', title: 'two lines' } },
      { line: 5, mistakes: ['geoblocking: must be JSON'] },
      { line: 6, mistakes: ['has 3 cells, but the header has 6'] },
      { line: 7, mistakes: [expect.stringMatching(/^status: /), expect.stringMatching(/^starts_at: /)] },
    ]);
  });

  it.each([
    ['a column is unknown', 'event_id,titel\none,One'],
    ['a column comes twice', 'event_id,title,title\none,One,Eins'],
    ['a quote stays open', 'event_id,title\none,"One'],
    ['it is empty', ''],
    ['it has nothing but line breaks', '\n\n'],
    ['it has no events', 'event_id,title\n'],
  ])('is rejected as a whole when %s', (_, text) => {
    expect(() => readCsv(text)).toThrow(OperatorError);
  });

  it.each([';', '\t'])('is read with the delimiter %j', (delimiter) => {
    const rows = [
      ['event_id', 'title', 'status', 'access', 'starts_at', 'categories'],
      ['one', 'One, two', 'LIVE', 'free', '2026-05-01T18:00:00Z', 'football|opera'],
    ];

    expect(readCsv(rows.map((cells) => cells.join(delimiter)).join('\r\n'))).toMatchObject([
      { id: 'one', event: { title: 'One, two', categories: ['football', 'opera'] } },
    ]);
  });
});
