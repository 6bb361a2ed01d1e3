import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Event, Stream } from '../../../shared/ott/events/event.ts';
import { eventAccesses, eventStatuses } from '../../../shared/ott/events/event-kinds.ts';
import { eventAnswer } from '../../../shared/ott/http/answers.ts';
import type { Catalogue } from '../../../shared/ott/ports/catalogue.ts';
import type { EventRepository } from '../../../shared/ott/ports/event-repository.ts';
import { dynamoDbCatalogue } from '../../../shared/ott/store/catalogue.ts';
import { dynamoDbEvents } from '../../../shared/ott/store/events.ts';
import { signedPathOf } from '../../../shared/ott/streams/signed-path.ts';
import { anEvent, anOttApplication, present } from '../../support/ott/builders.ts';
import { type OttCalls, ottCalls } from '../../support/ott/calls.ts';
import { inMemoryEvents, saveEvent, toldGeolocation } from '../../support/ott/in-memory.ts';
import { createTables, startDatabase, type TestDatabase } from '../../support/platform/dynamodb.ts';
import { nextQuery } from '../../support/platform/next-page.ts';

const HERE = '203.0.113.7';

const listAll = async (calls: OttCalls, query: Record<string, string>): Promise<unknown[][]> => {
  const pages: unknown[][] = [];
  for (let next: Record<string, string> | undefined = query; next !== undefined; ) {
    const page = await calls.list({ query: next });
    expect(page.status).toBe(200);
    pages.push(page.body as unknown[]);
    next = nextQuery(page);
  }
  return pages;
};

describe('the catalogue in DynamoDB', () => {
  let database: TestDatabase;
  let count = 0;
  beforeAll(async () => {
    database = await startDatabase();
  });
  afterAll(async () => {
    await database.stop();
  });

  const setUp = async (catalogue: readonly Event[] = []): Promise<EventRepository & Catalogue> => {
    count += 1;
    const { Events: tableName } = await createTables(database, ['Events'], `case-${count}`);
    const store = { client: database.documents, tableName };
    const events = { ...dynamoDbEvents(store), ...dynamoDbCatalogue(store) };
    await events.write(catalogue.map((after) => ({ after })));
    return events;
  };

  it('returns an event as it was saved, and nothing for another id', async () => {
    const event = anEvent({
      geoblocking: { enabled: true, mode: 'allow', countries: ['CH'], statuses: ['LIVE'] },
      description: null,
      categories: [],
    });
    const events = await setUp([event]);

    expect(await events.find('final')).toEqual(event);
    expect(await events.find('other')).toBeUndefined();
  });

  it('finds the streams under a signed path, however their URLs are escaped', async () => {
    const stream = (path: string): Stream => ({ type: 'hls', url: `https://cdn.example.com/${path}/a.m3u8` });
    const events = await setUp([
      anEvent({ id: 'plain', stream: stream('a b') }),
      anEvent({ id: 'escaped', stream: stream('%61%20b/c') }),
      anEvent({ id: 'elsewhere', stream: stream('b') }),
    ]);

    const found = new Set<string>();
    const signed = signedPathOf(stream('a%20b'), { signing: 'cookies' });
    for await (const { eventId } of events.streamsUnder(signed)) found.add(eventId);

    expect(found).toEqual(new Set(['plain', 'escaped']));
  });

  it('writes new events and events unchanged since they were read, and reports a conflict for others', async () => {
    const events = await setUp();
    const change = (title: string) => anEvent({ title, categories: ['football', 'cup'] });

    expect(await events.write([{ after: change('New') }])).toEqual([{ outcome: 'written', version: 1 }]);
    expect(await events.write([{ after: change('Newer') }])).toEqual([{ outcome: 'conflict' }]);
    const read = await events.findStored('final');
    expect(await events.write([{ before: read, after: anEvent({ title: 'Changed' }) }])).toEqual([
      { outcome: 'written', version: 2 },
    ]);
    expect(await events.write([{ before: read, after: change('Lost') }])).toEqual([{ outcome: 'conflict' }]);
    expect(await events.write([{ before: read }])).toEqual([{ outcome: 'conflict' }]);

    expect((await events.find('final'))?.title).toBe('Changed');
    const calls = ottCalls({ events, applications: [anOttApplication()] });
    expect(await listAll(calls, { category: 'cup' })).toEqual([[]]);
    await events.write([{ before: await events.findStored('final') }]);
    expect(await listAll(calls, {})).toEqual([[]]);
    expect(await listAll(calls, { category: 'football' })).toEqual([[]]);
  });

  it('writes hundreds of events, and reports those that another writer has changed first', async () => {
    const event = (index: number) => anEvent({ id: `event-${index}`, categories: ['football', `c${index}`] });
    const events = await setUp([event(40), event(140)]);

    const outcomes = await events.write(Array.from({ length: 200 }, (_, index) => ({ after: event(index) })));

    const conflicts = outcomes.flatMap(({ outcome }, index) => (outcome === 'conflict' ? [index] : []));
    expect(conflicts).toEqual([40, 140]);
    expect(outcomes.filter(({ outcome }) => outcome === 'written')).toHaveLength(198);
    const stored = [];
    for await (const each of events.all()) stored.push(each.event.id);
    expect(new Set(stored)).toEqual(new Set(Array.from({ length: 200 }, (_, index) => `event-${index}`)));
  });

  it('rejects a change with more categories than one transaction can write', async () => {
    const categories = (prefix: string) => Array.from({ length: 50 }, (_, index) => `${prefix}-${index}`);
    const events = await setUp([anEvent({ categories: categories('old') })]);

    const [outcome] = await events.write([
      { before: await events.findStored('final'), after: anEvent({ categories: categories('new') }) },
    ]);

    expect(outcome).toMatchObject({ outcome: 'failed', reason: expect.stringContaining('categories') });
    expect((await events.find('final'))?.categories).toEqual(categories('old'));
  });

  it('lists an event at its new place when its status, start or geoblocking changes', async () => {
    const events = await setUp([anEvent({ geoblocking: { enabled: false } })]);
    const calls = ottCalls({
      events,
      applications: [anOttApplication({ geoblocking: { enabled: true, mode: 'block', countries: ['CH'] } })],
      geolocation: toldGeolocation(() => ({ [HERE]: 'CH' })),
    });
    expect(await listAll(calls, {})).toMatchObject([[{ event_id: 'final' }]]);

    await saveEvent(events, anEvent());
    expect(await listAll(calls, {})).toEqual([[]]);

    await saveEvent(
      events,
      anEvent({ status: 'VOD', startsAt: '2020-01-01T00:00:00Z', geoblocking: { enabled: false } }),
    );
    expect(await listAll(calls, { status: 'LIVE' })).toEqual([[]]);
    expect(await listAll(calls, { status: 'VOD', to: '2020-01-01T00:00:00.001Z' })).toMatchObject([
      [{ event_id: 'final' }],
    ]);
  });

  it('includes events that start at "from", and excludes events that start at "to"', async () => {
    const at = (hour: number) =>
      anEvent({ id: `at-${hour}`, startsAt: `2026-05-01T${hour}:00:00Z`, endsAt: null });
    const events = await setUp([at(10), at(11), at(12)]);
    const calls = ottCalls({ events, applications: [anOttApplication()] });

    const pages = await listAll(calls, {
      from: '2026-05-01T10:00:00Z',
      to: '2026-05-01T12:00:00Z',
      limit: '1',
    });

    expect(pages).toMatchObject([[{ event_id: 'at-11' }], [{ event_id: 'at-10' }]]);
  });

  it('continues a list after an event that was deleted or moved between two pages', async () => {
    const at = (day: number, fields: Partial<Event> = {}) =>
      anEvent({ id: `day-${day}`, startsAt: `2026-05-0${day}T00:00:00Z`, endsAt: null, ...fields });
    const events = await setUp([at(1), at(2), at(3), at(4)]);
    const calls = ottCalls({ events, applications: [anOttApplication()] });
    const first = await calls.list({ query: { limit: '2' } });
    expect(first.body).toMatchObject([{ event_id: 'day-4' }, { event_id: 'day-3' }]);

    await saveEvent(events, at(3, { startsAt: '2026-05-09T00:00:00Z' }));
    const second = await calls.list({ query: nextQuery(first) ?? {} });

    expect(second.body).toMatchObject([{ event_id: 'day-2' }, { event_id: 'day-1' }]);
    expect(second.headers.link).toBeUndefined();
  });

  it('reads no more partitions for a time range with many hidden events or a rare category', async () => {
    const startOf = (index: number) => new Date(Date.UTC(2026, 0, 1, 0, index)).toISOString();
    const catalogue = Array.from({ length: 300 }, (_, index) =>
      anEvent({
        id: `event-${index}`,
        status: eventStatuses[index % 5] ?? 'LIVE',
        access: eventAccesses[Math.floor(index / 5) % 2] ?? 'free',
        startsAt: startOf(index),
        endsAt: null,
        categories: index === 7 || index === 290 ? ['football', 'curling'] : ['football'],
        ...(index >= 150 && Math.floor(index / 10) % 5 < 3
          ? { geoblocking: { enabled: true, mode: 'block', countries: ['CH'] } as const }
          : {}),
      }),
    );
    const events = await setUp(catalogue);
    let queries = 0;
    const calls = ottCalls({
      events: {
        ...events,
        readPartition: (range) => {
          queries += 1;
          return events.readPartition(range);
        },
      },
      applications: [anOttApplication()],
      geolocation: toldGeolocation(() => ({ [HERE]: 'CH' })),
    });
    const pageOf = async (query: Record<string, string>) => {
      queries = 0;
      const page = await calls.list({ query, sourceIp: HERE });
      return { count: (page.body as unknown[]).length, queries, isLast: page.headers.link === undefined };
    };

    const clear = await pageOf({ from: startOf(0), to: startOf(150), limit: '50' });
    const hiding = await pageOf({ from: startOf(150), to: startOf(300), limit: '50' });

    expect([clear, hiding]).toEqual([
      { count: 50, queries: 10, isLast: false },
      { count: 50, queries: 10, isLast: false },
    ]);
    expect(await pageOf({ category: 'curling' })).toMatchObject({ queries: 10, isLast: true });
    expect(await pageOf({ category: 'absent' })).toEqual({ count: 0, queries: 10, isLast: true });
  });

  it('returns the same lists as an in-memory catalogue for any filter and page size', async () => {
    const catalogue = Array.from({ length: 400 }, (_, index) =>
      anEvent({
        id: `event-${index}`,
        status: eventStatuses[index % 5] ?? 'LIVE',
        access: eventAccesses[index % 2] ?? 'free',
        // Several events start at the same time, so that their ids decide the order.
        startsAt: new Date(Date.UTC(2026, 0, 1, 0, Math.floor((index * 7919) % 400) / 4)).toISOString(),
        endsAt: null,
        categories: index % 3 === 0 ? ['football'] : ['opera'],
        ...(index % 4 === 0 ? { geoblocking: { enabled: true, mode: 'block', countries: ['CH'] } } : {}),
        ...(index % 7 === 0 ? { geoblocking: { enabled: false } } : {}),
      } as Partial<Event>),
    );
    const applications = [
      anOttApplication({
        rules: [
          { id: 'free', enabled: true, access: 'free' },
          { id: 'football', enabled: true, categories: ['football'] },
        ],
        geoblocking: { enabled: true, mode: 'block', countries: ['CH'], statuses: ['LIVE', 'VOD'] },
      }),
    ];
    const events = await setUp(catalogue);
    const over = (repository: EventRepository, country: string) =>
      ottCalls({
        events: repository,
        applications,
        geolocation: toldGeolocation(() => ({ [HERE]: country })),
      });

    await fc.assert(
      fc.asyncProperty(
        fc.record(
          {
            status: fc.constantFrom(...eventStatuses),
            access: fc.constantFrom(...eventAccesses),
            category: fc.constantFrom('football', 'opera'),
            from: fc.constantFrom('2026-01-01T00:20:00Z', '2026-01-01T01:00:00Z'),
            to: fc.constantFrom('2026-01-01T01:00:00Z', '2026-01-01T01:30:00Z'),
          },
          { requiredKeys: [] },
        ),
        fc.constantFrom('CH', 'NO'),
        fc.integer({ min: 10, max: 100 }),
        async (filters, country, limit) => {
          const query = { ...filters, limit: String(limit) };

          const pages = await listAll(over(events, country), query);

          expect(pages).toEqual(await listAll(over(inMemoryEvents(catalogue), country), query));
        },
      ),
      { numRuns: 25 },
    );
    const all = await listAll(over(events, 'NO'), { limit: '100' });
    expect(all.flat()).toContainEqual(
      eventAnswer({ event: present(catalogue[3] as Event), isBlockedWhenLive: false }),
    );
  });
});
