import { describe, expect, it } from 'vitest';
import { ChainUnavailableError } from '../../../shared/chain/errors.ts';
import { dynamoDbCatalogue } from '../../../shared/ott/store/catalogue.ts';
import { dynamoDbEventHistory } from '../../../shared/ott/store/history.ts';
import { anEvent, fileRecord } from '../../support/ott/builders.ts';
import { catalogueCalls, ifMatch } from '../../support/ott/catalogue-calls.ts';
import { newEventTables } from '../../support/ott/event-tables.ts';
import { nextQuery } from '../../support/platform/next-page.ts';

const cdn = 'https://cdn.example.com';
const recordAt = (id: string, path: string, fields: Record<string, unknown> = {}) => ({
  ...fileRecord(
    anEvent({ id, status: 'UPCOMING', stream: { type: 'hls', url: `${cdn}/${path}/index.m3u8` } }),
  ),
  ...fields,
});
const aRecord = (id = 'final', fields: Record<string, unknown> = {}) => recordAt(id, id, fields);

const newTable = newEventTables();

describe('an editor', () => {
  it('creates an event, reads it, replaces it, sets its status and deletes it', async () => {
    const table = await newTable();
    const calls = catalogueCalls(table);

    const created = await calls.put('final', aRecord());
    const read = await calls.get('final');
    const { description, ...shorter } = aRecord('final', { title: 'The great final' });
    const replaced = await calls.put('final', shorter, ifMatch(read));
    const live = await calls.setStatus('final', { status: 'LIVE' });
    const kept = await calls.remove('final', ifMatch(live));
    await calls.setStatus('final', { status: 'FINISHED' });
    const removed = await calls.remove('final');

    expect([created.status, created.body]).toEqual([201, aRecord()]);
    expect([read.status, read.body, read.headers.etag]).toEqual([200, aRecord(), created.headers.etag]);
    expect(replaced.body).toEqual({ ...aRecord('final', { title: 'The great final' }), description: null });
    expect(live.body).toMatchObject({ status: 'LIVE', status_in_file: 'UPCOMING' });
    expect([kept.status, kept.body]).toMatchObject([409, { message: 'EVENT_IS_LIVE' }]);
    expect([removed.status, (await calls.get('final')).status]).toEqual([204, 404]);
    expect(await dynamoDbEventHistory(table).of('final')).toMatchObject([
      { kind: 'deleted', by: 'editor newsroom', version: 5, fields: [] },
      { kind: 'changed', fields: ['status'] },
      { kind: 'changed', fields: ['status', 'status_in_file'] },
      { kind: 'changed', fields: ['title', 'description'] },
      { kind: 'created', version: 1, fields: [] },
    ]);
  });

  it('lists hidden events too, page by page, each once', async () => {
    const table = await newTable();
    const calls = catalogueCalls(table);
    const ids = Array.from({ length: 23 }, (_, index) => `event-${index}`);
    await dynamoDbCatalogue(table).write(
      ids.map((id, index) => ({
        after: anEvent({
          id,
          status: (['UPCOMING', 'LIVE', 'CANCELLED'] as const)[index % 3] ?? 'VOD',
          startsAt: `2026-05-${10 + (index % 7)}T18:00:00.000Z`,
          endsAt: null,
        }),
      })),
    );

    const found: { readonly event_id: string; readonly starts_at: string }[] = [];
    for (let query: Record<string, string> | undefined = { limit: '5' }; query !== undefined; ) {
      const page = await calls.list(query);
      found.push(...(page.body as typeof found));
      query = nextQuery(page);
    }

    expect(found.map(({ event_id }) => event_id).sort()).toEqual(ids.toSorted());
    const starts = found.map(({ starts_at }) => starts_at);
    expect(starts).toEqual(starts.toSorted().toReversed());
  });
});

describe('a PUT of an event', () => {
  it('needs a precondition, and gets the present tag in the response if that does not hold', async () => {
    const calls = catalogueCalls(await newTable());

    const without = await calls.put('final', aRecord(), {});
    const missing = await calls.put('final', aRecord(), { 'if-match': '*' });
    const created = await calls.put('final', aRecord());
    // As after a lost answer.
    const repeated = await calls.put('final', aRecord());
    const weak = await calls.put('final', aRecord(), { 'if-match': `W/${created.headers.etag}` });
    const listed = await calls.put('final', aRecord(), { 'if-match': `"other", ${created.headers.etag}` });
    const any = await calls.put('final', aRecord('final', { title: 'Any' }), { 'if-match': '*' });
    const stale = await calls.put('final', aRecord(), ifMatch(created));

    expect([without.status, without.body]).toMatchObject([428, { message: 'PRECONDITION_REQUIRED' }]);
    expect([missing.status, missing.headers.etag]).toEqual([412, undefined]);
    expect([repeated.status, repeated.headers.etag]).toEqual([412, created.headers.etag]);
    expect(weak.status).toBe(412);
    // The event stays as it is, so its tag does, too.
    expect([listed.status, listed.headers.etag]).toEqual([200, created.headers.etag]);
    expect([stale.status, stale.headers.etag]).toEqual([412, any.headers.etag]);
  });

  it.each([
    ['If-Match', { 'if-match': 'abc' }],
    ['If-Match', { 'if-match': '' }],
    ['If-Match', { 'if-match': '"a" "b"' }],
    ['If-None-Match', { 'if-none-match': '"a"' }],
  ])('is refused for a malformed %s', async (path, headers) => {
    const answer = await catalogueCalls(await newTable()).put('final', aRecord(), headers);

    expect([answer.status, answer.body]).toMatchObject([400, { errors: [{ path }] }]);
  });

  it.each<[string, Record<string, unknown>]>([
    ['event_id', { event_id: 'other' }],
    ['status', { status: 'SOON' }],
    ['title', { title: undefined }],
    ['surprise', { surprise: 1 }],
    ['stream.surprise', { stream: { ...aRecord().stream, surprise: 1 } }],
    ['stream.url', { stream: { type: 'hls', url: `${cdn}/a/../index.m3u8` } }],
    ['stream.signed_path', { stream: { type: 'hls', url: `${cdn}/a/b.m3u8`, signed_path: `${cdn}/*` } }],
    [
      'stream.available_until',
      {
        stream: {
          ...aRecord().stream,
          available_from: '2026-05-02T00:00:00Z',
          available_until: '2026-05-01T00:00:00Z',
        },
      },
    ],
    ['ends_at', { ends_at: '2020-01-01T00:00:00Z' }],
    [
      'schedule',
      {
        schedule: [
          { at: '2026-05-01T20:00:00Z', status: 'VOD' },
          { at: '2026-05-01T18:00:00Z', status: 'LIVE' },
        ],
      },
    ],
    [
      'tickets[0].contract_address',
      { access: 'paid', tickets: [{ contract_address: `0x${'1'.repeat(40)}` }] },
    ],
  ])('is refused with an error that names %s, and changes nothing', async (path, fields) => {
    const table = await newTable();
    const calls = catalogueCalls(table, { holdings: { notErc721: async (contracts) => contracts } });

    const answer = await calls.put('final', aRecord('final', fields));

    expect([answer.status, answer.body]).toMatchObject([400, { errors: [{ path }] }]);
    expect((await calls.get('final')).status).toBe(404);
  });

  it('is refused if it is too large', async () => {
    const table = await newTable();
    const calls = catalogueCalls(table);
    const categories = (name: string) => Array.from({ length: 50 }, (_, index) => `${name} ${index}`);

    const body = await calls.put('final', aRecord('final', { description: 'x'.repeat(40_000) }));
    const before = await calls.put('final', aRecord('final', { categories: categories('old') }));
    const writes = await calls.put(
      'final',
      aRecord('final', { categories: categories('new') }),
      ifMatch(before),
    );

    expect([body.status, before.status]).toEqual([413, 201]);
    expect([writes.status, writes.body]).toMatchObject([400, { errors: [{ path: 'categories' }] }]);
  });

  it('gets 503 if the chain cannot be asked whether its tickets are tokens', async () => {
    const calls = catalogueCalls(await newTable(), {
      holdings: { notErc721: () => Promise.reject(new ChainUnavailableError({ message: 'out' })) },
    });
    const ticketed = { access: 'paid', tickets: [{ contract_address: `0x${'1'.repeat(40)}` }] };

    expect((await calls.put('final', aRecord('final', ticketed))).body).toMatchObject({
      message: 'CHAIN_UNAVAILABLE',
    });
    expect((await calls.put('other', aRecord('other'))).status).toBe(201);
  });

  it('changes all but the tickets of an event while the chain cannot be asked', async () => {
    const table = await newTable();
    const ticketed = { access: 'paid', tickets: [{ contract_address: `0x${'1'.repeat(40)}` }] };
    const created = await catalogueCalls(table).put('final', aRecord('final', ticketed));
    const calls = catalogueCalls(table, {
      holdings: { notErc721: () => Promise.reject(new ChainUnavailableError({ message: 'out' })) },
    });

    const geoblocking = { enabled: true, mode: 'block', countries: ['DE'] };
    const blocked = await calls.put(
      'final',
      aRecord('final', { ...ticketed, geoblocking }),
      ifMatch(created),
    );
    const { tickets, ...without } = { ...aRecord('final', ticketed), access: 'free' };
    const freed = await calls.put('final', without, ifMatch(blocked));

    expect([blocked.status, blocked.body]).toMatchObject([200, { geoblocking }]);
    expect(freed.status).toBe(200);
  });

  it('is accepted as soon as the collection of its tickets is deployed', async () => {
    let isDeployed = false;
    const calls = catalogueCalls(await newTable(), {
      holdings: { notErc721: async (contracts) => (isDeployed ? [] : contracts) },
    });
    const ticketed = { access: 'paid', tickets: [{ contract_address: `0x${'1'.repeat(40)}` }] };

    const early = await calls.put('final', aRecord('final', ticketed));
    isDeployed = true;

    expect(early.status).toBe(400);
    expect((await calls.put('final', aRecord('final', ticketed))).status).toBe(201);
  });

  it('is refused with the tag of an event of the same id that has been deleted since', async () => {
    const calls = catalogueCalls(await newTable());
    const first = await calls.put('final', aRecord());
    await calls.remove('final');
    const second = await calls.put('final', aRecord());

    const answers = await Promise.all([
      calls.put('final', aRecord('final', { title: 'Late' }), ifMatch(first)),
      calls.remove('final', ifMatch(first)),
      calls.setStatus('final', { status: 'LIVE' }, ifMatch(first)),
    ]);

    expect(answers.map(({ status }) => status)).toEqual([412, 412, 412]);
    expect((await calls.get('final')).headers.etag).toBe(second.headers.etag);
  });

  it('writes the event, its path and its history all together or not at all', async () => {
    const table = await newTable();
    const writes: string[][] = [];
    const client = {
      ...table.client,
      transactWrite: async (input: Parameters<typeof table.client.transactWrite>[0]) => {
        writes.push(
          (input.TransactItems ?? []).map(({ Put, Update }) => String(Put?.Item?.pk ?? Update?.Key?.pk)),
        );
        return table.client.transactWrite(input);
      },
    };

    await catalogueCalls({ ...table, client }).put('final', aRecord());

    expect(writes).toEqual([
      [
        ...['EVENT#final', 'CATEGORY#final#football', 'HISTORY#final#1', 'HISTORY#final#end'],
        'PATHS#cdn.example.com',
      ],
    ]);
  });
});

describe('the concurrent changes of several editors', () => {
  it('are not lost: with the same tag only one is accepted, and without a tag all are', async () => {
    const table = await newTable();
    const calls = catalogueCalls(table);
    const created = await calls.put('final', aRecord());
    const titles = Array.from({ length: 6 }, (_, index) => `Title ${index}`);

    const tagged = await Promise.all(
      titles.map((title) => calls.put('final', aRecord('final', { title }), ifMatch(created))),
    );
    const untagged = await Promise.all(
      (['LIVE', 'FINISHED', 'VOD', 'LIVE'] as const).map((status) => calls.setStatus('final', { status })),
    );

    expect(tagged.map(({ status }) => status).sort()).toEqual([200, 412, 412, 412, 412, 412]);
    expect(untagged.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
  });
});

describe('ids that no event can have', () => {
  it.each(['a/b', '..', 'ä', '#', '%', ' ', 'x'.repeat(65), 'y'.repeat(4_000)])(
    '%j is not found',
    async (id) => {
      const calls = catalogueCalls(await newTable());
      const path = encodeURIComponent(id);

      expect((await calls.get(path)).status).toBe(404);
      expect((await calls.remove(path)).status).toBe(404);
      expect((await calls.setStatus(path, { status: 'LIVE' })).status).toBe(404);
      expect((await calls.put(path, { ...aRecord(), event_id: id })).body).toMatchObject({
        errors: [{ path: 'event_id' }],
      });
    },
  );
});

describe('a key that belongs to no editor', () => {
  it.each(['customer-key', 'unknown-key'])('gets 403 for %s, whatever it sends', async (key) => {
    const table = await newTable();
    const calls = catalogueCalls(table, { key });

    const answers = await Promise.all([
      calls.get('final'),
      calls.list(),
      calls.put('final', 'not JSON'),
      calls.put('final', aRecord()),
      calls.remove('final'),
      calls.setStatus('final', {}),
    ]);

    expect(answers.map(({ status }) => status)).toEqual([403, 403, 403, 403, 403, 403]);
  });
});

describe('a schedule', () => {
  it('determines the status that an editor reads, unless an editor sets it: until the next entry, or for good if it is CANCELLED', async () => {
    let now = Date.parse('2026-05-01T17:00:00Z');
    const calls = catalogueCalls(await newTable(), { clock: () => now });
    const schedule = [
      { at: '2026-05-01T18:00:00.000Z', status: 'LIVE' },
      { at: '2026-05-01T20:00:00.000Z', status: 'FINISHED' },
    ];
    const statusOf = async (id = 'final') => ((await calls.get(id)).body as { status: string }).status;

    await calls.put('final', aRecord('final', { schedule }));
    await calls.put('taken-down', aRecord('taken-down', { schedule }));
    await calls.setStatus('taken-down', { status: 'CANCELLED' });
    now = Date.parse('2026-05-01T18:00:00Z');
    expect([await statusOf(), await statusOf('taken-down')]).toEqual(['LIVE', 'CANCELLED']);
    expect((await calls.remove('final')).body).toMatchObject({ message: 'EVENT_IS_LIVE' });

    const read = await calls.get('final');
    const same = await calls.put('final', read.body, ifMatch(read));
    expect(same.body).toEqual(read.body);
    await calls.setStatus('final', { status: 'UPCOMING' });
    const byHand = await calls.get('final');
    await calls.put('final', { ...(byHand.body as object), title: 'Delayed' }, ifMatch(byHand));
    expect(await statusOf()).toBe('UPCOMING');
    now = Date.parse('2026-05-01T20:00:00Z');
    expect([await statusOf(), await statusOf('taken-down')]).toEqual(['FINISHED', 'CANCELLED']);
  });
});
