import stringWidth from 'string-width';
import { describe, expect, it } from 'vitest';
import { utc } from '../../../../operator/platform/terminal/output.ts';
import { printed } from '../../../support/platform/printed.ts';

const columns = ['event_id', 'status', 'access', 'starts_at', 'title', 'categories', 'stream'];
const options = { dispensable: ['starts_at', 'categories', 'stream'] };
const row = (event_id: string, title: string) => ({
  event_id,
  status: 'UPCOMING',
  access: 'paid',
  starts_at: '2026-05-01T18:00:00.000Z',
  title,
  categories: ['football'],
  stream: 'hls',
});
const longId = 'a-very-long-identifier-of-an-event-2026-11-30-1234567890-round';
const cup = '天皇杯 JFA 第105回全日本サッカー選手権大会 「決勝」町田ゼルビア対ヴィッセル神戸 国立競技場';

const widest = (text: string) => Math.max(...text.split('\n').map((line) => stringWidth(line)));

describe('a narrow terminal', () => {
  it('shows the other events of a list in a table if one has a long id, which has a line of its own', () => {
    const { output, text } = printed({ columns: 80 });

    output.rows(columns, [row('cup-final', 'Cup final'), row(longId, 'Quarter-final of the north')], options);

    expect(text()).toMatch(/^event id +status +access/);
    expect(text()).toMatch(/^cup-final +UPCOMING +paid/m);
    expect(text()).toMatch(new RegExp(`^${longId}\n +UPCOMING +paid`, 'm'));
    expect(widest(text())).toBeLessThanOrEqual(80);
  });

  it('cuts the end of a long title, with a remark, instead of taking the table from all events', () => {
    const { output, text, remarks } = printed({ columns: 80 });
    const rows = [
      row('cup-final', 'Cup final'),
      row('longest', 'word '.repeat(50).trim()),
      row('jp', cup.repeat(3)),
    ];

    output.rows(columns, rows, options);

    expect(text()).toMatch(/^cup-final +UPCOMING +paid +Cup final$/m);
    expect(text().match(/…$/gm)).toHaveLength(2);
    expect(widest(text())).toBeLessThanOrEqual(80);
    expect(remarks()).toContain('--json');
  });

  it.each([80, 60])('breaks a text without spaces between its words (%i columns)', (width) => {
    const { output, text } = printed({ columns: width });

    output.rows(columns, [row('jp-final', cup), row('gala', 'Gala')], options);
    output.fields({ event_id: 'jp-final', description: cup.replaceAll(' ', '') });

    expect(text()).toMatch(/^event id +status +access/);
    expect(text()).not.toMatch(/「\n/);
    expect(text()).not.toMatch(/\n +」/);
    expect(text().replaceAll(/\s/g, '')).toContain(`description${cup.replaceAll(' ', '')}`);
    expect(widest(text())).toBeLessThanOrEqual(width);
  });

  it('breaks wide letters by their width if words have to be split', () => {
    const { output, text } = printed({ columns: 40 });
    const rows = Array.from({ length: 13 }, () => ({
      id: 'a',
      first: '가'.repeat(20),
      second: 'b'.repeat(30),
    }));

    output.rows(['id', 'first', 'second'], rows, { dispensable: [] });

    expect(text()).toMatch(/^id first +second/);
    expect(widest(text())).toBeLessThanOrEqual(40);
  });

  it('aligns the values of a record behind names in wide letters', () => {
    const { output, text } = printed({ columns: 80 });

    output.fields({ user_data: { 会員番号: '12', club_id: '13' } });

    expect(text()).toBe('user_data.会員番号  12\nuser_data.club_id   13\n');
  });

  it('shows a hash that does not fit beside its name in the next line, whole', () => {
    const { output, text } = printed({ columns: 80 });
    const hash = `0x${'12ab'.repeat(16)}`;

    output.fields({ transaction_hash: hash, related: ['demo', hash] });

    expect(text()).toBe(`transaction hash\n  ${hash}\nrelated\n  demo, ${hash}\n`);
  });

  it('does not say that an empty list is cut', () => {
    const { output, text, remarks } = printed({ columns: 40 });

    output.rows(columns, [], options);

    expect(text()).toMatch(/^event id +status/);
    expect(remarks()).toBe('');
  });

  it('shows the time of a change of a user in the local zone, and as it is in JSON', () => {
    const [people, programs] = [printed({ columns: 80 }), printed({ json: true })];
    const exact = '2026-11-20T09:15:02.123456';

    for (const { output } of [people, programs]) output.fields({ changed_at: utc(exact) });

    expect(people.text()).toMatch(/^changed at {2}2026-11-\d\d \d\d:\d\d:02(Z|[+-]\d\d:\d\d)\n$/);
    expect(JSON.parse(programs.text())).toEqual({ changed_at: exact });
  });
});
