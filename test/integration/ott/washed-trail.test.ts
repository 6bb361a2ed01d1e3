import { describe, expect, it } from 'vitest';
import { dynamoDbEditCounts } from '../../../shared/ott/store/edit-counts.ts';
import { dynamoDbEventHistory } from '../../../shared/ott/store/history.ts';
import { anEvent, fileRecord } from '../../support/ott/builders.ts';
import { catalogueCalls } from '../../support/ott/catalogue-calls.ts';
import { newEventTables } from '../../support/ott/event-tables.ts';
import { remedy } from '../../support/platform/remedy.ts';

const newTable = newEventTables();
const start = Date.parse('2026-05-01T10:00:00Z');

const record = (fields: Record<string, unknown> = {}) => ({
  ...fileRecord(anEvent({ id: 'final', status: 'UPCOMING', access: 'paid' })),
  ...fields,
});

/** The calls of somebody who has an editor's key, a minute after each other, and the lines of the function's log. */
const thief = async () => {
  const table = await newTable();
  const lines: object[] = [];
  let now = start;
  let tag = '';
  const calls = catalogueCalls(table, {
    clock: () => now,
    logger: { info: (_, line) => void lines.push(line as object), warn: () => {} },
  });
  return {
    table,
    lines,
    history: () => dynamoDbEventHistory(table).of('final'),
    counted: () => dynamoDbEditCounts(table).lastHour(now),
    passes: (minutes: number) => {
      now += minutes * 60_000;
    },
    put: async (fields: Record<string, unknown>) => {
      now += 1_000;
      const answer = await calls.put('final', record(fields), { 'if-match': tag });
      expect(answer.status).toBe(200);
      tag = String(answer.headers.etag);
    },
    create: async (fields: Record<string, unknown> = {}) => {
      now += 1_000;
      tag = String((await calls.put('final', record(fields))).headers.etag);
    },
    remove: async () => {
      now += 1_000;
      await calls.remove('final');
    },
  };
};

describe('the history of an event whose editor has lost the key', () => {
  it('still says that the event was opened after fifty changes of its title', async () => {
    const { create, put, history } = await thief();
    await create();
    await put({ access: 'free', title: 'Title 0' });

    for (let nth = 1; nth <= 50; nth += 1) await put({ access: 'free', title: `Title ${nth}` });

    const opened = (await history()).filter(({ opens }) => opens.length > 0);
    expect(opened).toMatchObject([{ version: 2, by: 'editor newsroom', opens: ['access'] }]);
    expect(await history()).toHaveLength(51);
    remedy('an-editors-key-changes-many-events');
  });

  it('still says that the event was deleted and created anew as a free one', async () => {
    const { create, put, remove, history } = await thief();
    await create();
    await remove();
    await create({ access: 'free' });

    for (let nth = 1; nth <= 50; nth += 1) await put({ access: 'free', title: `Title ${nth}` });

    expect((await history()).slice(-2)).toMatchObject([
      { kind: 'created', version: 3 },
      { kind: 'deleted', version: 2 },
    ]);
  });
});

describe('the log of the editors’ calls', () => {
  it('has one line for each change, with the key that made it', async () => {
    const { create, put, remove, lines } = await thief();

    await create();
    await put({ access: 'free' });
    await put({ access: 'free' });
    await remove();

    const common = { code: 'EVENT_CHANGED', event_id: 'final', editor: 'newsroom', key_id: 'editor-key' };
    expect(lines).toEqual([
      { ...common, version: 1, kind: 'created', fields: [], opens: [] },
      { ...common, version: 2, kind: 'changed', fields: ['access'], opens: ['access'] },
      { ...common, version: 3, kind: 'deleted', fields: [], opens: [] },
    ]);
  });
});

describe('the count of the changes by a key', () => {
  it('covers the last hour', async () => {
    const { create, put, counted, passes } = await thief();
    const of = (changes: number) => [{ editor: 'newsroom', keyId: 'editor-key', changes }];

    await create();
    passes(30);
    for (let nth = 1; nth <= 5; nth += 1) await put({ title: `Title ${nth}` });
    expect(await counted()).toEqual(of(6));

    passes(45);
    await put({ title: 'Another title' });
    expect(await counted()).toEqual(of(6));

    passes(55);
    expect(await counted()).toEqual(of(1));
    passes(10);
    expect(await counted()).toEqual([]);
  });
});
