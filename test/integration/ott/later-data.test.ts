import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { extendEvent } from '../../../operator/ott/events/extend-event.ts';
import { dynamoDbHeldTokens } from '../../../shared/nft/store/held-tokens.ts';
import { nftItem } from '../../../shared/nft/store/nft-items.ts';
import { setEventStatus } from '../../../shared/ott/catalogue/set-event-status.ts';
import type { Event } from '../../../shared/ott/events/event.ts';
import { isUnderstood } from '../../../shared/ott/events/later-fields.ts';
import { dynamoDbCatalogue } from '../../../shared/ott/store/catalogue.ts';
import { dynamoDbEvents } from '../../../shared/ott/store/events.ts';
import type { Geoblocking } from '../../../shared/ott/viewers/geoblocking.ts';
import { logger } from '../../../shared/platform/logger.ts';
import { anEvent, anOttApplication, aReservedToken, fileRecord } from '../../support/ott/builders.ts';
import { ottCalls } from '../../support/ott/calls.ts';
import { importing } from '../../support/ott/importing.ts';
import { toldEntitlement } from '../../support/ott/in-memory.ts';
import { createTables, startDatabase, type TestDatabase } from '../../support/platform/dynamodb.ts';
import { refusal } from '../../support/platform/refusal.ts';

type Json = Record<string, unknown>;
type Change = (record: Json & { stream: Json }) => unknown;

const open: Geoblocking = { enabled: true, mode: 'block', countries: ['CH'] };
const at = (path: string) => ({ type: 'hls', url: `https://cdn.example.com/${path}/a.m3u8` }) as const;
const ticket = { contractAddress: '0x5FbDB2315678afecb367f032d93F642f64180aa3' } as const;
const vip = { headers: { authorization: 'Bearer vera@web' } };

/** Fields that a later release could store in an event, beside those that this release knows. */
const laterFields: readonly (readonly [string, Partial<Event>, Change])[] = [
  ['the event', {}, (record) => Object.assign(record, { members_only: true })],
  ['its stream', {}, ({ stream }) => Object.assign(stream, { devices: ['tv'] })],
  [
    'its ticket',
    { access: 'paid', tickets: [ticket] },
    (record) => Object.assign((record.tickets as Json[])[0] as Json, { token_ids: ['7'] }),
  ],
  ['its rule', { geoblocking: open }, (record) => Object.assign(record.geoblocking as Json, { cities: [] })],
  [
    'its switched-off rule',
    { geoblocking: { enabled: false } },
    (record) => Object.assign(record.geoblocking as Json, { exempts: 'nobody' }),
  ],
  [
    'the rule of its stream',
    { stream: { type: 'hls', url: 'https://streams.example.com/final/index.m3u8', geoblocking: open } },
    ({ stream }) => Object.assign(stream.geoblocking as Json, { cities: [] }),
  ],
];

const unreadable: readonly (readonly [string, Change])[] = [
  ['another kind of stream', ({ stream }) => Object.assign(stream, { type: 'webrtc' })],
  ['another status', (record) => Object.assign(record, { status: 'ARCHIVED' })],
  ['another access', (record) => Object.assign(record, { access: 'members' })],
  [
    'more entries of the schedule',
    (record) =>
      Object.assign(record, {
        schedule: Array.from({ length: 11 }, (_, hour) => ({
          at: new Date(Date.UTC(2026, 4, 1, hour)).toISOString(),
          status: 'LIVE',
        })),
      }),
  ],
  ['another kind of rule', (record) => Object.assign(record, { geoblocking: { enabled: 'in-cities' } })],
];

describe('an event that a later release has stored', () => {
  let database: TestDatabase;
  let count = 0;
  beforeAll(async () => {
    database = await startDatabase();
  });
  afterAll(() => database.stop());
  afterEach(() => {
    vi.restoreAllMocks();
  });

  const setUp = async (catalogue: readonly Event[]) => {
    count += 1;
    const { Events: tableName } = await createTables(database, ['Events'], `later-${count}`);
    const store = { client: database.documents, tableName };
    const events = { ...dynamoDbEvents(store), ...dynamoDbCatalogue(store) };
    await events.write(catalogue.map((after) => ({ after })));
    const items = async () =>
      ((await database.documents.scan({ TableName: tableName })).Items ?? []).filter(
        ({ event }) => event !== undefined,
      ) as (Json & { event: string })[];
    /** Changes the record of the event in each of its items, and adds an attribute to them. */
    const storeLater = async (id: string, change: Change) => {
      for (const item of await items()) {
        const record = JSON.parse(item.event);
        if (record.event_id !== id) continue;
        change(record);
        await database.documents.put({
          TableName: tableName,
          Item: { ...item, event: JSON.stringify(record), later_attribute: 'kept' },
        });
      }
    };
    const calls = ottCalls({
      events,
      applications: [anOttApplication()],
      entitlement: toldEntitlement(() => ({ outcome: 'success', vip: true })),
      geolocation: { countryOf: async () => ({ outcome: 'answered', country: 'DE' }) },
      signer: {
        signing: 'cookies',
        sign: async ({ stream: { url } }) => ({ url, expiresAt: null, cookies: [] }),
      },
    });
    return { events, items, storeLater, calls, told: vi.spyOn(logger, 'warn').mockReturnValue() };
  };

  it.each(laterFields)(
    'with an unknown field of %s is listed, but cannot be played',
    async (what, fields, change) => {
      const id = what.replaceAll(/\W/g, '-');
      const { calls, storeLater, told } = await setUp([
        anEvent({ id, ...fields }),
        anEvent({ id: 'known', stream: at('known') }),
      ]);
      expect((await calls.stream(id, vip)).status).toBe(200);

      await storeLater(id, change);

      const both = [
        expect.objectContaining({ event_id: 'known' }),
        expect.objectContaining({ event_id: id }),
      ];
      for (const request of [{}, { query: { category: 'football' } }]) {
        const list = await calls.list(request);
        expect([list.status, list.body]).toEqual([200, expect.arrayContaining(both)]);
      }
      expect((await calls.get(id)).status).toBe(200);
      for (const request of [{}, vip]) {
        const answer = await calls.stream(id, request);
        const code = fields.access === 'paid' && request !== vip ? 'LOGIN_REQUIRED' : 'STREAM_NOT_AVAILABLE';
        expect(answer.body).toMatchObject({ message: code });
      }
      expect(told.mock.calls).toEqual([
        [
          'Stored by a later release',
          { code: 'LATER_DATA', kind: 'event', id, unknown: [expect.any(String)] },
        ],
      ]);
    },
  );

  it.each(unreadable)('with %s is omitted, and logged once', async (what, change) => {
    const id = what.replaceAll(' ', '-');
    const { calls, events, storeLater, told } = await setUp([
      anEvent({ id, stream: at(id) }),
      anEvent({ id: 'known', stream: at('known') }),
    ]);
    await storeLater(id, change);

    for (let repeat = 0; repeat < 2; repeat += 1) {
      expect((await calls.list()).body).toMatchObject([{ event_id: 'known' }]);
      expect((await calls.get(id)).body).toMatchObject({ message: 'EVENT_NOT_FOUND' });
      expect((await calls.stream(id, vip)).body).toMatchObject({ message: 'EVENT_NOT_FOUND' });
    }
    expect(told).toHaveBeenCalledOnce();

    const all = [];
    for await (const { event } of events.all()) all.push(event.id);
    expect(all).toEqual(['known']);
    const rows = await importing(events, [fileRecord(anEvent({ id, stream: at(id) }))]);
    expect(rows).toMatchObject([{ outcome: 'failed', reasons: [expect.stringContaining('later release')] }]);
  });

  it.each([...unreadable, ...laterFields.slice(0, 2).map(([what, , change]) => [what, change] as const)])(
    'is not opened by the signature of an event above it (%s)',
    async (_, change) => {
      const { calls, storeLater } = await setUp([
        anEvent({ id: 'above', stream: { ...at('live'), availableUntil: '2026-05-01T20:00:00.000Z' } }),
        anEvent({ id: 'below', stream: { ...at('live/b'), availableFrom: '2026-05-01T20:00:00.000Z' } }),
      ]);
      expect((await calls.stream('above')).status).toBe(200);

      await storeLater('below', change);

      expect((await calls.stream('above')).body).toEqual(
        refusal({ status: 404, message: 'STREAM_NOT_AVAILABLE' }),
      );
    },
  );

  it.each(laterFields)('keeps an unknown field of %s when it is changed', async (_, fields, change) => {
    const { events, items, storeLater } = await setUp([anEvent(fields)]);
    await storeLater('final', change);
    const stored = async () =>
      (await items()).map(({ pk, event, later_attribute }) => ({
        pk,
        later_attribute,
        record: JSON.parse(event),
      }));
    const [before] = await stored();
    const now = Date.parse('2026-05-01T19:00:00.000Z');

    await setEventStatus({ catalogue: events, clock: () => now }, { id: 'final', status: 'FINISHED' });
    await setEventStatus({ catalogue: events, clock: () => now }, { id: 'final', status: 'LIVE' });
    await extendEvent({ catalogue: events, clock: () => now }, { id: 'final', minutes: 5, signing: 'none' });
    await importing(events, [{ event_id: 'final', title: 'Renamed' }]);

    const expected = {
      ...before?.record,
      title: 'Renamed',
      hand: {
        status: { value: 'LIVE', at: '2026-05-01T19:00:00.000Z' },
        ends_at: '2026-05-01T20:05:00.000Z',
      },
    };
    const after = await stored();
    expect(after.map(({ pk }) => pk).sort()).toEqual(['CATEGORY#final#football', 'EVENT#final']);
    for (const { later_attribute, record } of after) {
      expect(record).toEqual(expected);
      expect(later_attribute).toBe('kept');
    }
    const again = await importing(events, [{ event_id: 'final', title: 'Renamed' }]);
    expect(again).toMatchObject([{ outcome: 'unchanged' }]);
  });

  it('loses an attribute that it no longer needs', async () => {
    const { events, items } = await setUp([anEvent({ geoblocking: open })]);
    await importing(events, [{ event_id: 'final', geoblocking: null, stream: null }]);
    for (const item of await items()) {
      const { life, ...rest } = item;
      expect(Object.keys(rest).sort()).toEqual(['event', 'pk', 'place', 'shelf', 'version']);
    }
  });

  it('can be played if every unknown field is in the list of harmless fields', () => {
    const later = [{ path: ['stream', 'subtitles'], value: ['de'] }];
    expect(isUnderstood(anEvent())).toBe(true);
    expect(isUnderstood({ later })).toBe(false);
    expect(isUnderstood({ later }, new Set(['stream.subtitles']))).toBe(true);
    expect(
      isUnderstood({ later: [...later, { path: ['subtitles'], value: 1 }] }, new Set(['stream.subtitles'])),
    ).toBe(false);
  });
});

describe('a reserved ticket whose status a later release has introduced', () => {
  it('gives no access, and is logged', async () => {
    const database = await startDatabase();
    const told = vi.spyOn(logger, 'warn').mockReturnValue();
    try {
      const { Nfts: TableName } = await createTables(database, ['Nfts']);
      const known = aReservedToken('registration', { tokenId: '1' });
      const later = aReservedToken('registration', { tokenId: '2' });
      for (const item of [nftItem(known), { ...nftItem(later), status: 'frozen' }]) {
        await database.documents.put({ TableName, Item: item });
      }
      const found: string[] = [];

      const tokens = dynamoDbHeldTokens({ client: database.documents, tableName: TableName });
      for await (const { tokenId } of tokens.heldBy({ holder: known.holder ?? '' })) found.push(tokenId);

      expect(found).toEqual(['1']);
      expect(told).toHaveBeenCalledWith(
        'Stored by a later release',
        expect.objectContaining({ kind: 'token' }),
      );
    } finally {
      told.mockRestore();
      await database.stop();
    }
  });
});
