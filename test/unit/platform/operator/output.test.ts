import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { amount, shortened } from '../../../../operator/platform/terminal/output.ts';
import { printed } from '../../../support/platform/printed.ts';

const root = fileURLToPath(new URL('../../../../', import.meta.url));

const record = { id: 'club', empty: undefined, keys: [{ id: 'a', state: 'enabled' }, { id: 'b' }] };

describe('the output of a command', () => {
  it('shows lists inside a record as tables', () => {
    const { output, text } = printed({});

    output.fields(record);

    expect(text()).toBe('id     club\nempty\n\nkeys\nid  state\na   enabled\nb\n');
  });

  it.each([false, true])('is a file as it is in a pipe, and harmless on a terminal (--json: %s)', (json) => {
    const pieces = ['\uFEFFid,title\r\n', 'one,"a\u001bb"\r\n'];
    const [pipe, terminal] = [printed({ json }), printed({ json, columns: 80 })];

    pipe.output.file(pieces);
    terminal.output.file(pieces);

    expect(pipe.text()).toBe(pieces.join(''));
    expect(terminal.text()).toBe('id,title\none,"a\\u{1b}b"\n');
  });

  it('is one JSON document with --json, with lists as arrays', () => {
    const { output, text } = printed({ json: true });

    output.rows(['id', 'clients'], [{ id: 'club', clients: ['web', 'app'] }, { id: 'shop' }]);

    expect(JSON.parse(text())).toEqual([
      { id: 'club', clients: ['web', 'app'] },
      { id: 'shop', clients: null },
    ]);
  });

  it('aligns numbers to the right and takes the width of wide letters into account', () => {
    const { output, text } = printed({});

    output.rows(
      ['title', 'count'],
      [
        { title: '決勝', count: 5 },
        { title: 'Gala', count: 12 },
      ],
    );

    expect(text()).toBe('title  count\n決勝       5\nGala      12\n');
  });

  it('wraps cells between words if the table is wider than the terminal', () => {
    const { output, text } = printed({ columns: 24 });

    output.rows(
      ['id', 'title'],
      [
        { id: 'final', title: 'The cup final of the year' },
        { id: 'gala', title: 'Gala' },
      ],
    );

    expect(text()).toBe('id     title\nfinal  The cup final of\n       the year\ngala   Gala\n');
  });

  it('keeps each event of a list in one line of a terminal of 80 columns, with its time in one piece', () => {
    const { output, text } = printed({ columns: 80 });

    output.rows(
      ['event_id', 'status', 'access', 'starts_at', 'title', 'categories', 'stream'],
      ['cup-final', 'league-opener', 'summer-gala'].map((event_id) => ({
        event_id,
        status: 'UPCOMING',
        access: 'paid',
        starts_at: '2026-05-01T18:00:00.000Z',
        title: 'The great final',
        categories: ['football'],
        stream: 'hls',
      })),
      { dispensable: ['starts_at', 'categories', 'stream'] },
    );

    const lines = text().trimEnd().split('\n');
    expect(lines.filter((line) => line.includes('The great final'))).toHaveLength(3);
    expect(lines.filter((line) => /2026-05-01 \d\d:00:00/.test(line))).toHaveLength(3);
    expect(Math.max(...lines.map(({ length }) => length))).toBeLessThanOrEqual(80);
  });

  it('shortens ARNs in a list that is too wide', () => {
    const arn =
      'arn:aws:sns:eu-central-1:111122223333:Marquee-prod-UserDataNotificationsTopic96190FC3-Ab:7c9e6679-7425-40de-944b-e07fc1f90ae7';

    expect(shortened(`${arn}, ${arn}`)).toBe('arn:aws:sns…e07fc1f90ae7, arn:aws:sns…e07fc1f90ae7');
  });

  it('shows a few rows as blocks of fields if their table does not fit', () => {
    const { output, text } = printed({ columns: 12 });

    output.rows(['id', 'first_name'], [{ id: 'a', first_name: 'Annamaria' }, { id: 'b' }]);

    expect(text()).toBe('id\n  a\nfirst name\n  Annamaria\n\nid\n  b\nfirst name\n');
  });

  it('shortens the hashes of many rows on a terminal, with a remark, and never in a pipe', () => {
    const hash = `0x${'12ab'.repeat(16)}`;
    const rows = Array.from({ length: 13 }, (_, nonce) => ({ nonce, hash }));
    const terminal = printed({ columns: 40 });
    const pipe = printed({});

    for (const { output } of [terminal, pipe]) output.rows(['nonce', 'hash'], rows);

    expect(terminal.text()).toContain('0x12ab12…ab12ab');
    expect(terminal.remarks()).toContain('--json');
    expect(pipe.text()).toContain(hash);
  });

  it('shows many rows of many columns as a table, even if words have to be split', () => {
    const columns = [
      'signer',
      'kind',
      'application',
      'contract',
      'token',
      'age',
      'place',
      'attempts',
      'max_fee_gwei',
    ];
    const row = {
      signer: `137#0x${'e8'.repeat(20)}`,
      nonce: 104_100,
      kind: 'update-contract-metadata',
      application: 'acme-fan-club',
      contract: `0x${'ba'.repeat(20)}`,
      token: '7–101',
      age: '12m 5s',
      place: 'nonce used, transaction not found',
      attempts: 2,
      max_fee_gwei: '1000.1',
    };
    const { output, text } = printed({ columns: 80 });

    output.rows(
      ['nonce', ...columns],
      Array.from({ length: 13 }, () => row),
      { dispensable: ['attempts', 'application', 'contract'] },
    );

    const lines = text().split('\n');
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(80);
    expect(lines[0]).toMatch(/^ *nonce +signer +kind/);
    expect(text().match(/104100/g)).toHaveLength(13);
  });

  it('shows one row and many rows in the same table, without the columns that do not fit', () => {
    const row = {
      nonce: 104_100,
      place: 'nonce used, transaction not found',
      contract: `0x${'ba'.repeat(20)}`,
      hash: `0x${'12ab'.repeat(16)}`,
    };
    const columns = ['nonce', 'contract', 'place', 'hash'];
    const [one, many] = [1, 30].map((count) => {
      const terminal = printed({ columns: 80 });
      const rows = Array.from({ length: count }, () => row);
      terminal.output.rows(columns, rows, { dispensable: ['hash'] });
      expect(terminal.remarks()).toContain('--json');
      return terminal.text().split('\n');
    });

    expect(one?.[0]).toMatch(/^ *nonce +contract +place$/);
    expect(many?.slice(0, 2)).toEqual(one?.slice(0, 2));
  });

  it('has at most three lines in a table cell', () => {
    const terminal = printed({ columns: 80 });
    const problem = 'word '.repeat(80).trim();

    terminal.output.rows(['event_id', 'problem'], [{ event_id: 'gala', problem }]);

    expect(terminal.text()).toMatch(/^event id {2}gala\nproblem {3}word/);
  });

  it('rounds amounts to four digits with a unit on a terminal, and keeps them exact in JSON', () => {
    const balance = amount('9999.997693071797589148', 'coins');
    const [people, programs] = [printed({ columns: 80 }), printed({ json: true })];

    for (const { output } of [people, programs]) output.rows(['signer', 'balance'], [{ signer: 1, balance }]);

    expect(people.text()).toBe('signer      balance\n     1  10000 coins\n');
    expect(JSON.parse(programs.text())).toEqual([{ signer: 1, balance: '9999.997693071797589148' }]);
  });

  it('shows booleans as yes or no, times in the local zone, and each field of an object in a record', () => {
    const terminal = printed({ columns: 80 });
    const at = '2026-11-20T09:15:02.123Z';

    terminal.output.fields({ linked: true, at, ott: { streams_at_once: 2, rules: [{ id: 'live' }] } });

    expect(terminal.text()).toMatch(
      /^linked +yes\nat +2026-11-\d\d \d\d:\d\d:02(Z|[+-]\d\d:\d\d)\nott\.streams_at_once +2\n\nott\.rules\nid\nlive\n$/,
    );
    expect(terminal.text()).not.toContain(at);
  });

  it('does not wrap a command that the operator is to copy', () => {
    const terminal = printed({ columns: 40 });
    const command = 'npm run -s operator -- --stage prod transactions show 7 --signer 1';

    terminal.output.bare(`   ${command}`);
    terminal.output.remark(`Follow it:\n${command}`);

    expect([terminal.text(), terminal.remarks()]).toEqual([`   ${command}\n`, `Follow it:\n${command}\n`]);
  });

  it.each([
    ['a table that fits', 80, 3],
    ['a table that is broken', 80, 200],
    ['rows below each other', 30, 3],
  ])('is never wider than the terminal (case: %s)', (_, columns, letters) => {
    const { output, text, remarks } = printed({ columns });
    const words = 'word '.repeat(letters / 3).trim();

    output.rows(['event_id', 'detail'], [{ event_id: 'summer-gala', detail: words }]);
    output.fields({ detail: words });
    output.remark(`${words}\n${words}`);

    const lines = [...text().split('\n'), ...remarks().split('\n')];
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(columns);
  });

  it('has colours only on a terminal with colours', () => {
    const plain = printed({ columns: 80 });
    const coloured = printed({ columns: 80, colours: true });

    for (const { output } of [plain, coloured]) output.rows(['status'], [{ status: 'failed' }]);

    expect(plain.text()).toBe('status\nfailed\n');
    expect(coloured.text()).toBe('\x1b[1mstatus\x1b[22m\n\x1b[31mfailed\x1b[39m\n');
  });

  it('is printed for 80,000 rows without comparing each row with all others', () => {
    const rows = Array.from({ length: 80_000 }, (_, index) => ({
      event_id: `event-${index}`,
      title: `The ${index}th event of a long season`,
      categories: ['football', 'cup'],
    }));
    const { output, text } = printed({ columns: 50 });

    output.rows(['event_id', 'title', 'categories'], rows);

    expect(text().split('\n').length).toBeGreaterThan(80_000);
  });
});

describe('a closed pipe', () => {
  it('ends the command without an error', async () => {
    const child = spawn(process.execPath, ['operator/main.ts', '--help'], {
      cwd: root,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    child.stdout.destroy();
    const [said, [exitCode]] = await Promise.all([text(child.stderr), once(child, 'exit')]);

    expect({ said, exitCode }).toEqual({ said: '', exitCode: 0 });
  });

  it('of a shell pipeline that reads only the first rows ends both programs without an error', async () => {
    // The script prints more than a pipe holds.
    const script = `
      import { createOutput, endQuietlyOnClosedPipe } from './operator/platform/terminal/output.ts';
      endQuietlyOnClosedPipe();
      const rows = Array.from({ length: 8_000 }, (_, index) => ({ event_id: 'event-' + index, title: 'A title' }));
      createOutput({ json: false }).rows(['event_id', 'title'], rows);
    `;
    const command = `"$0" --input-type=module --eval "$1" | head -n 1; echo "\${PIPESTATUS[*]}"`;

    const { stdout, stderr } = await promisify(execFile)('bash', ['-c', command, process.execPath, script], {
      cwd: root,
    });

    expect(stdout.split('\n')).toEqual([expect.stringMatching(/^event id +title$/), '0 0', '']);
    expect(stderr).toBe('');
  });
});
