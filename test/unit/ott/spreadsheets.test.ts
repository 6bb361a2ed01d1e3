import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { checkEvents } from '../../../operator/ott/events/check-events.ts';
import { readEventFile } from '../../../operator/ott/events/event-file.ts';
import { OperatorError } from '../../../operator/platform/terminal/operator-error.ts';
import { readText, textOf } from '../../../operator/platform/terminal/read-file.ts';
import { lowerCase } from '../../../shared/chain/hex.ts';
import { completedRow } from '../../../shared/ott/catalogue/completed-row.ts';
import { anEvent, fileRecord, ticketCollection } from '../../support/ott/builders.ts';
import { importing } from '../../support/ott/importing.ts';
import { inMemoryEvents } from '../../support/ott/in-memory.ts';

const pathOf = (name: string): string => fileURLToPath(new URL(`spreadsheets/${name}`, import.meta.url));

/** The entries of a table as an import understands them, if none of its events is stored. */
const understood = (file: string, text: string) =>
  [...readEventFile({ file, text })].map((entry) => ({
    line: entry.line,
    id: entry.id,
    ...completedRow(entry, undefined, 0),
  }));
const readFixture = async (name: string) => understood(name, await readText(pathOf(name)));
const readCsv = (text: string) => understood('events.csv', text);

const header = 'event_id,title,status,access,starts_at,ends_at';
const row = 'final,The final,LIVE,free,2026-05-01T18:00:00Z,';
const final = { line: 2, id: 'final', event: { title: 'The final', endsAt: null } };

const noValue = (shown: string) =>
  `has ${shown}, with which a spreadsheet program says that it shows no value`;
const noTime = 'must be an ISO 8601 date and time with a zone, such as 2026-05-01T18:00:00Z';

/** What LibreOffice 7.4 saved of one sheet with two events, three rows of errors and a stray space far below them. */
const ofLibreOffice = [
  {
    line: 2,
    id: 'final',
    event: {
      title: 'The final',
      description: 'Line one\n"quoted"; second, line',
      startsAt: '2026-05-01T18:00:00.000Z',
      categories: ['football', 'opera'],
      geoblocking: { enabled: true, mode: 'block', countries: ['US'] },
      stream: { type: 'hls', url: 'https://streams.example.com/final/index.m3u8' },
    },
  },
  {
    line: 4,
    id: 'cafe',
    event: { title: 'Café – "Zürich" €', startsAt: '2026-05-02T16:00:00.000Z', endsAt: null },
  },
  {
    line: 6,
    id: '007',
    mistakes: [`title: ${noValue('#DIV/0!')}`, `description: ${noValue('#N/A')}`, `starts_at: ${noTime}`],
  },
  {
    line: 7,
    id: '1.23456789012346E+019',
    mistakes: [
      `title: ${noValue('#NAME?')}`,
      `description: ${noValue('#NUM!')}`,
      'event_id: must be 1 to 64 letters, digits, hyphens or underscores',
      `starts_at: ${noTime}`,
    ],
  },
  {
    line: 8,
    id: 'ref',
    mistakes: [`title: ${noValue('#REF!')}`, `starts_at: ${noTime}`],
  },
];

/** What the CSV writers of pandas 2, Python 3 and Go wrote of the same two events. */
const ofLibraries = [
  {
    line: 2,
    id: 'final',
    event: {
      title: 'The "final", at last',
      description: 'Line one\nline two; 中文',
      startsAt: '2026-05-01T18:00:00.000Z',
      endsAt: '2026-05-01T20:30:15.250Z',
      categories: ['football', 'opera'],
      geoblocking: { enabled: true, mode: 'block', countries: ['US'] },
    },
  },
  {
    line: 4,
    id: 'gala',
    event: { title: 'Gala', description: null, startsAt: '2026-05-02T18:00:00.000Z', endsAt: null },
  },
];

describe('a table that another program saved', () => {
  it.each(['libreoffice-semicolons.csv', 'libreoffice-utf16-tabs.csv', 'libreoffice-quoted.csv'])(
    'is read without its empty rows and columns, and with one mistake for each wrong cell: %s',
    async (name) => {
      expect(await readFixture(name)).toMatchObject(ofLibreOffice);
    },
  );

  it.each(['pandas.csv', 'pandas-tabs.csv', 'python.csv', 'go.csv'])(
    'is read with its times in the ways in which libraries write them: %s',
    async (name) => {
      expect(await readFixture(name)).toMatchObject(ofLibraries);
    },
  );

  it('is refused with the first line that is not UTF-8 when it was saved as Windows-1252', async () => {
    await expect(readFixture('libreoffice-windows-1252.csv')).rejects.toThrow(
      /is not UTF-8 text \(line 4 has other bytes\): save it as UTF-8/,
    );
  });

  it.each([
    ['an archive, such as .xlsx', Buffer.from('PK\x03\x04rest', 'latin1'), /is no text, but a workbook/],
    ['a workbook of Excel 97', Buffer.from('d0cf11e0a1b11ae1', 'hex'), /is no text, but a workbook/],
    ['half of a UTF-16 character', Buffer.from([0xff, 0xfe, 0x61]), /is not UTF-16LE text/],
  ])('is refused when it is %s', (_, bytes, message) => {
    expect(() => textOf('events.csv', bytes)).toThrow(message);
  });

  it.each([
    ['UTF-8', Buffer.from(header)],
    ['UTF-8 with a byte order mark', Buffer.from(`\uFEFF${header}`)],
    ['UTF-16LE with a byte order mark', Buffer.from(`\uFEFF${header}`, 'utf16le')],
    ['UTF-16LE', Buffer.from(header, 'utf16le')],
    ['UTF-16BE with a byte order mark', Buffer.from(`\uFEFF${header}`, 'utf16le').swap16()],
    ['UTF-16BE', Buffer.from(header, 'utf16le').swap16()],
  ])('is decoded from %s', (_, bytes) => {
    expect(textOf('events.csv', bytes)).toBe(header);
  });
});

describe('a row of a table', () => {
  it.each([
    ['commas only', `${header}\n${row}\n,,,,,\n,,\n`],
    ['semicolons only', `${header}\n${row}\n,,,,,\n`.replaceAll(',', ';')],
    ['spaces and quotation marks', `${header}\n${row}\n , ,"","  ",\u00a0,\n`],
    ['tabs only, before the header too', `\t\t\n${header}\n${row}\n\t\t\t\n`.replaceAll(',', '\t')],
  ])('is no row if it has %s', (_, text) => {
    const line = text.startsWith('\t') ? 3 : 2;

    expect(readCsv(text)).toMatchObject([{ ...final, line }]);
  });

  it.each([
    ['the header goes on with separators', `${header},,,\n${row}\n`],
    ['all rows go on with separators', `${header},,\n${row},,\n`],
    ['only the row goes on with separators', `${header}\n${row},,,\n`],
    [
      'a column without a name is in the middle',
      `${header.replace('title', ',title')}\n${row.replace('The', ',The')}\n`,
    ],
    ['the header alone goes on with separators, and the file ends in the row', `${header},,\n${row}`],
    ['the empty cells at its end are missing', `${header},image,categories\n${row}\n`],
  ])('is read if %s', (_, text) => {
    expect(readCsv(text)).toMatchObject([final]);
  });

  it.each([
    [
      'has a value below no name',
      `${header},,\n${row},,stray\n`,
      'has a value in column 8, to which the header gives no name',
    ],
    [
      'has a text with a separator that is not quoted',
      `${header}\n${row.replace('The', 'The great, the')}2026-05-01T20:00:00Z\n`,
      'has 7 cells, but the header has 6: a text that contains the separator must be in quotation marks',
    ],
    [
      'lacks a cell that must not be empty',
      `${header}\nfinal,The final\n`,
      'has 2 cells, but the header has 6',
    ],
    [
      'is where the file ends',
      `${header},geoblocking\n${row.slice(0, -1)}`,
      'has 5 cells, but the header has 7: the file may have been cut off here',
    ],
  ])('is refused with one message if it %s', (_, text, mistake) => {
    expect(readCsv(text)).toMatchObject([{ line: 2, mistakes: [mistake] }]);
  });

  it.each(['\n', '\r\n', '\r'])('ends with %j, and the next one in another way', (end) => {
    const text = `${header}${end}${row}${end}${row.replace('final', '"fi\nnal"')}\n${row.replace('final', 'third')}\r\n`;

    expect(readCsv(text)).toMatchObject([
      final,
      { line: 3, mistakes: [expect.stringMatching(/^event_id: /)] },
      { line: 5, id: 'third', event: { title: 'The final' } },
    ]);
  });

  it('keeps quotation marks within a text, as a spreadsheet program shows them', () => {
    expect(readCsv(`${header}\n${row.replace('The final', 'The "great" final')}\n`)).toMatchObject([
      { event: { title: 'The "great" final' } },
    ]);
  });

  it.each(['sep=;', '"sep=;"', 'SEP=;', 'sep=;;;;;;', '\uFEFFsep=;'])('follows the hint %j', (hint) => {
    const text = `${hint}\r\n${header}\r\n${row}\r\n`.replaceAll(',', ';');

    expect(readCsv(text)).toMatchObject([{ ...final, line: 3 }]);
  });

  it.each(['|', '\t', '~'])('is separated by %j if the hint says so', (separator) => {
    const text = `sep=${separator}\n${header}\n${row}\n`.replaceAll(',', separator);

    expect(readCsv(text)).toMatchObject([{ ...final, line: 3 }]);
  });
});

describe('a cell of a table', () => {
  const withCells = (cells: Record<string, string>) => {
    const all = {
      event_id: 'final',
      title: 'The final',
      status: 'LIVE',
      access: 'free',
      starts_at: '2026-05-01T18:00:00Z',
      ...cells,
    };
    const lines = [Object.keys(all), Object.values(all)].map((each) =>
      each.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(','),
    );
    const [entry] = readCsv(`${lines.join('\n')}\n`);
    return entry;
  };

  it.each([
    '#REF!',
    '#N/A',
    '#NV',
    '#BEZUG!',
    '#¡REF!',
    'Err:502',
    'Err:508',
    '#ERROR!',
    '########',
    ' #VALUE! ',
  ])('with the error value %j is one mistake, in whichever column', (shown) => {
    for (const column of [
      'title',
      'description',
      'status',
      'starts_at',
      'categories',
      'geoblocking',
      'stream_url',
    ]) {
      expect(
        withCells({ stream_type: 'hls', stream_url: 'https://e.example/a/b', [column]: shown }),
      ).toMatchObject({
        mistakes: [`${column}: ${noValue(shown.trim())}`],
      });
    }
  });

  it.each(['#1 of the league', '#FINAL', 'Err: 502 errors', "'90s night", '# 3', "rock'n'roll"])(
    'with the title %j is read as it is',
    (title) => {
      expect(withCells({ title })).toMatchObject({ event: { title } });
    },
  );

  it.each([
    ['2026-05-01 18:00:00', noTime],
    ['05/01/2026 06:00 PM', noTime],
    ['01.05.2026 18:00', noTime],
    ['46143.75', noTime],
  ])('with the time %j, which a spreadsheet program made of a time, is one mistake', (starts_at, mistake) => {
    expect(withCells({ starts_at, ends_at: '2026-05-01T20:00:00Z' })).toMatchObject({
      mistakes: [`starts_at: ${mistake}`],
    });
  });

  it.each([
    '2026-05-01 18:00:00Z',
    '2026-05-01T18:00Z',
    '2026-05-01 18:00:00 UTC',
    '2026-05-01 20:00:00+0200',
    '2026-05-01 20:00:00.000+02',
    '2026-05-01t18:00:00z',
  ])('with the time %j is read, because its zone is known', (moment) => {
    expect(withCells({ starts_at: moment, schedule: `${moment} LIVE` })).toMatchObject({
      event: {
        startsAt: '2026-05-01T18:00:00.000Z',
        schedule: [{ at: '2026-05-01T18:00:00.000Z', status: 'LIVE' }],
      },
    });
  });

  it('with typographic quotation marks is refused with what to write instead', () => {
    expect(withCells({ geoblocking: '{“enabled”:true}' })).toMatchObject({
      mistakes: ['geoblocking: must be JSON, with straight quotation marks (")'],
    });
  });

  it('that is wrong in a list is named by its number, counted from 1', () => {
    const schedule = '2026-05-01T18:00:00Z LIVE | 2026-05-01 FINISHED';

    expect(withCells({ schedule })).toMatchObject({ mistakes: [`schedule, entry 2, at: ${noTime}`] });
    expect(withCells({ tickets: '0x1', access: 'paid' })).toMatchObject({
      mistakes: [expect.stringMatching(/^tickets, entry 1, contract_address: /)],
    });
  });
});

it('an entry of a list that the stage refuses is named by its number too, in an import and in a check', async () => {
  const coin = lowerCase('0x5FbDB2315678afecb367f032d93F642f64180aa3');
  const event = anEvent({
    access: 'paid',
    tickets: [{ contractAddress: ticketCollection }, { contractAddress: coin }],
  });
  const holdings = { notErc721: async () => [coin] };
  const mistake = 'tickets, entry 2, contract_address: there is no NFT collection (ERC-721) at this address';

  expect(await importing(inMemoryEvents([]), [fileRecord(event)], { holdings })).toMatchObject([
    { reasons: [mistake] },
  ]);
  expect(
    (await checkEvents({ catalogue: inMemoryEvents([event]), holdings }, { signing: 'cookies' })).problems,
  ).toEqual([{ eventId: 'final', problem: mistake }]);
});

describe('a wrong time of an event', () => {
  const record = {
    event_id: 'a',
    title: 'A',
    status: 'LIVE',
    access: 'free',
    starts_at: '2026-05-01T18:00:00Z',
  };
  const mistakesOf = (fields: object) => {
    const [entry] = understood('events.json', JSON.stringify([{ ...record, ...fields }]));
    return entry !== undefined && 'mistakes' in entry ? entry.mistakes : [];
  };
  const stream = { type: 'hls', url: 'https://e.example/a/b' };
  const entries = (...times: string[]) => times.map((at) => ({ at, status: 'LIVE' }));

  it.each<[string, object]>([
    ['starts_at', { starts_at: '9 pm', ends_at: '2026-05-01T20:00:00Z' }],
    ['ends_at', { ends_at: '01.05.2026' }],
    ['starts_at', { starts_at: '9999-12-31T23:59:59-02:00', ends_at: '9999-12-31T00:00:00Z' }],
    [
      'stream.available_from',
      { stream: { ...stream, available_from: 'now', available_until: '2026-05-01T20:00:00Z' } },
    ],
    [
      'stream.available_until',
      { stream: { ...stream, available_from: '2026-05-01T20:00:00Z', available_until: '2' } },
    ],
    ['schedule, entry 2, at', { schedule: entries('2026-05-01T18:00:00Z', 'x', '2026-05-01T19:00:00Z') }],
    ['image', { image: `javascript:\ud800${'x'.repeat(3_000)}` }],
  ])('is one mistake, of %s', (field, fields) => {
    expect(mistakesOf(fields)).toEqual([expect.stringMatching(new RegExp(`^${field}: `))]);
  });
});

it('a table without a name that ends in .csv is read all the same', () => {
  const table = `${header}\n${row}\n`.replaceAll(',', '\t');

  expect(understood('events.tsv', table)).toMatchObject([final]);
  expect(understood('Events.TXT', table)).toMatchObject([final]);
  expect(understood('events.txt', '[]')).toEqual([]);
  expect(() => understood('events.json', table)).toThrow(OperatorError);
});
