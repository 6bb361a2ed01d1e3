import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Event } from '../../../shared/ott/events/event.ts';
import { eventAccesses, eventStatuses } from '../../../shared/ott/events/event-kinds.ts';
import { type EventAnswer, eventAnswer } from '../../../shared/ott/http/answers.ts';
import type { Geoblocking } from '../../../shared/ott/viewers/geoblocking.ts';
import type { CustomerRule } from '../../../shared/ott/viewers/rules.ts';
import { anEvent, anOttApplication, present } from '../../support/ott/builders.ts';
import { type Answer, type OttCalls, ottCalls } from '../../support/ott/calls.ts';
import { inMemoryEvents, toldGeolocation } from '../../support/ott/in-memory.ts';
import { nextQuery } from '../../support/platform/next-page.ts';

const HERE = '203.0.113.7';

const geoblockings = fc.oneof(
  fc.constant(undefined),
  fc.record({ enabled: fc.constant(false) }),
  fc.record(
    {
      enabled: fc.constant(true),
      mode: fc.constantFrom('block', 'allow'),
      countries: fc.constantFrom(['CH'], ['NO'], ['CH', 'NO']),
      statuses: fc.subarray([...eventStatuses], { minLength: 1 }),
    },
    { requiredKeys: ['enabled', 'mode', 'countries'] },
  ),
) as fc.Arbitrary<Geoblocking | undefined>;

const rules = fc.array(
  fc.record(
    {
      id: fc.uuid(),
      enabled: fc.boolean(),
      access: fc.constantFrom(...eventAccesses),
      statuses: fc.subarray([...eventStatuses], { minLength: 1 }),
      categories: fc.subarray(['football', 'opera'], { minLength: 1 }),
    },
    { requiredKeys: ['id', 'enabled'] },
  ),
  { maxLength: 3 },
) as fc.Arbitrary<CustomerRule[]>;

const catalogues = fc
  .uniqueArray(
    fc.record({
      id: fc.stringMatching(/^[a-zA-Z0-9_-]{1,12}$/),
      status: fc.constantFrom(...eventStatuses),
      access: fc.constantFrom(...eventAccesses),
      minute: fc.integer({ min: 0, max: 20 }),
      categories: fc.subarray(['football', 'opera', 'chess']),
      geoblocking: geoblockings,
    }),
    { selector: ({ id }) => id, maxLength: 60 },
  )
  .map((events) =>
    events.map(({ minute, geoblocking, ...event }) =>
      anEvent({
        ...event,
        startsAt: new Date(Date.UTC(2026, 4, 1, 18, minute)).toISOString(),
        endsAt: null,
        ...(geoblocking !== undefined && { geoblocking }),
      }),
    ),
  );

const newestFirst = (a: Event, b: Event) =>
  `${a.startsAt}#${a.id}` < `${b.startsAt}#${b.id}`
    ? 1
    : `${a.startsAt}#${a.id}` > `${b.startsAt}#${b.id}`
      ? -1
      : 0;

const basicOf = (event: Event) => eventAnswer({ event: present(event), isBlockedWhenLive: false });
/** The events of a page. What they say about kick-off has tests of its own. */
const basics = ({ body }: Answer) =>
  (body as EventAnswer[]).map(({ blocked_when_live: _, ...basic }) => basic);

const allPages = async (calls: OttCalls, query: Record<string, string>): Promise<Answer[]> => {
  const pages = [await calls.list({ query })];
  for (let next = nextQuery(pages[0] as Answer); next !== undefined; ) {
    const page = await calls.list({ query: next });
    pages.push(page);
    next = nextQuery(page);
  }
  return pages;
};

/** A page without its random part: the cursor is encrypted with a random number. */
const shapeOf = ({ status, headers, text }: Answer) => ({
  status,
  text,
  headers: { ...headers, link: String(headers.link).replace(/cursor=[^>]+/, (cursor) => `${cursor.length}`) },
});

describe('a list of events', () => {
  it('contains exactly the events that the event call shows, each once, newest start first', async () => {
    await fc.assert(
      fc.asyncProperty(
        catalogues,
        rules,
        geoblockings,
        fc.constantFrom('CH', 'NO', 'unknown'),
        fc.integer({ min: 1, max: 7 }),
        async (catalogue, ruleSet, geoblocking, country, limit) => {
          const calls = ottCalls({
            events: inMemoryEvents(catalogue),
            applications: [
              anOttApplication({ rules: ruleSet, ...(geoblocking !== undefined && { geoblocking }) }),
            ],
            geolocation: toldGeolocation(
              (): Record<string, string> => (country === 'unknown' ? {} : { [HERE]: country }),
            ),
          });

          const pages = await allPages(calls, { limit: String(limit) });

          const shown = await Promise.all(
            catalogue.map(async (event) => ((await calls.get(event.id)).status === 200 ? [event] : [])),
          );
          expect(pages.flatMap(basics)).toEqual(shown.flat().sort(newestFirst).map(basicOf));
        },
      ),
      { numRuns: 150 },
    );
  });

  it('has the same pages and cursors of the same length with and without hidden events', async () => {
    await fc.assert(
      fc.asyncProperty(catalogues, fc.integer({ min: 1, max: 7 }), async (catalogue, limit) => {
        const callsOver = (events: readonly Event[]) =>
          ottCalls({
            events: inMemoryEvents(events),
            applications: [
              anOttApplication({ geoblocking: { enabled: true, mode: 'block', countries: ['CH'] } }),
            ],
            geolocation: toldGeolocation(() => ({ [HERE]: 'CH' })),
          });
        const calls = callsOver(catalogue);
        const visible = await Promise.all(
          catalogue.map(async (event) => ((await calls.get(event.id)).status === 200 ? [event] : [])),
        );

        const withHidden = await allPages(calls, { limit: String(limit) });
        const without = await allPages(callsOver(visible.flat()), { limit: String(limit) });

        expect(withHidden.map(shapeOf)).toEqual(without.map(shapeOf));
      }),
      { numRuns: 150 },
    );
  });

  it('filters by status, access, category and time', async () => {
    await fc.assert(
      fc.asyncProperty(
        catalogues,
        fc.record(
          {
            status: fc.constantFrom(...eventStatuses),
            access: fc.constantFrom(...eventAccesses),
            category: fc.constantFrom('football', 'opera', 'chess'),
            from: fc.constantFrom('2026-05-01T18:05:00Z', '2026-05-01T20:05:00+02:00'),
            to: fc.constantFrom('2026-05-01T18:15:00.000Z', '2026-05-01T18:05:00Z'),
          },
          { requiredKeys: [] },
        ),
        async (catalogue, query) => {
          const calls = ottCalls({ events: inMemoryEvents(catalogue), applications: [anOttApplication()] });

          const pages = await allPages(calls, { ...query, limit: '3' });

          const isWanted = (event: Event) =>
            event.geoblocking?.enabled !== true &&
            (query.status === undefined || event.status === query.status) &&
            (query.access === undefined || event.access === query.access) &&
            (query.category === undefined || event.categories.includes(query.category)) &&
            (query.from === undefined || Date.parse(event.startsAt) >= Date.parse(query.from)) &&
            (query.to === undefined || Date.parse(event.startsAt) < Date.parse(query.to));
          const isApplied = ({ geoblocking, status }: Event) =>
            geoblocking?.enabled === true && (geoblocking.statuses?.includes(status) ?? true);
          const wanted = catalogue.filter(
            (event) => isWanted({ ...event, geoblocking: undefined }) && !isApplied(event),
          );
          expect(pages.flatMap(basics)).toEqual(wanted.sort(newestFirst).map(basicOf));
        },
      ),
      { numRuns: 150 },
    );
  });

  it('returns no next page when only hidden events are left', async () => {
    const hidden = Array.from({ length: 30 }, (_, index) =>
      anEvent({
        id: `hidden-${index}`,
        startsAt: new Date(Date.UTC(2026, 3, 1, 0, index)).toISOString(),
        endsAt: null,
        geoblocking: { enabled: true, mode: 'allow', countries: ['NO'] },
      }),
    );
    const calls = ottCalls({
      events: inMemoryEvents([anEvent({ id: 'one' }), ...hidden]),
      applications: [anOttApplication()],
      geolocation: toldGeolocation(() => ({ [HERE]: 'CH' })),
    });

    const page = await calls.list({ query: { limit: '1' } });

    expect(page.body).toHaveLength(1);
    expect(page.headers.link).toBeUndefined();
  });

  it("reads no events that the application's rules or countries hide entirely", async () => {
    const live = Array.from({ length: 200 }, (_, index) =>
      anEvent({
        id: `live-${index}`,
        status: 'LIVE',
        startsAt: `2026-06-01T00:00:00Z` as string,
        endsAt: null,
      }),
    );
    const events = inMemoryEvents([...live, anEvent({ id: 'past', status: 'VOD' })]);
    const calls = ottCalls({
      events,
      applications: [
        anOttApplication({
          geoblocking: { enabled: true, mode: 'block', countries: ['CH'], statuses: ['LIVE'] },
        }),
      ],
      geolocation: toldGeolocation(() => ({ [HERE]: 'CH' })),
    });

    const page = await calls.list();

    expect(page.body).toMatchObject([{ event_id: 'past' }]);
    expect(events.reads).toBe(1);
  });

  it('ends a page at its limit of reads and continues from there, with cursors of equal length', async () => {
    const hidden = (index: number) =>
      anEvent({
        id: 'h'.repeat(index + 1),
        startsAt: new Date(Date.UTC(2026, 3, 1, 0, 60 - index)).toISOString(),
        endsAt: null,
        geoblocking: { enabled: true, mode: 'allow', countries: ['NO'] },
      });
    const events = inMemoryEvents([
      anEvent({ id: 'newest', startsAt: '2026-06-01T00:00:00Z', endsAt: null }),
      ...Array.from({ length: 40 }, (_, index) => hidden(index)),
      anEvent({ id: 'oldest', startsAt: '2026-01-01T00:00:00Z', endsAt: null }),
    ]);
    const calls = ottCalls({
      events,
      applications: [anOttApplication()],
      geolocation: toldGeolocation(() => ({ [HERE]: 'CH' })),
      readBudget: 12,
    });

    const pages = await allPages(calls, { limit: '1' });

    expect(pages.flatMap(({ body }) => body)).toMatchObject([{ event_id: 'newest' }, { event_id: 'oldest' }]);
    expect(pages.length).toBeGreaterThan(2);
    const cursors = pages.flatMap((page) => nextQuery(page)?.cursor ?? []);
    expect(new Set(cursors.map((cursor) => cursor.length)).size).toBe(1);
  });
});
