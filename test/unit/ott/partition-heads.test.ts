import { describe, expect, it } from 'vitest';
import type { Event } from '../../../shared/ott/events/event.ts';
import { eventAccesses, eventStatuses } from '../../../shared/ott/events/event-kinds.ts';
import type { EventRepository, PartitionRange } from '../../../shared/ott/ports/event-repository.ts';
import { withPartitionHeads } from '../../../shared/ott/store/partition-heads.ts';
import { anEvent, anOttApplication } from '../../support/ott/builders.ts';
import { ottCalls } from '../../support/ott/calls.ts';
import { inMemoryEvents, saveEvent, toldGeolocation } from '../../support/ott/in-memory.ts';
import { nextQuery } from '../../support/platform/next-page.ts';

const catalogue = Array.from({ length: 400 }, (_, index) =>
  anEvent({
    id: `event-${index}`,
    status: eventStatuses[index % 5] ?? 'LIVE',
    access: eventAccesses[index % 2] ?? 'free',
    startsAt: new Date(Date.UTC(2026, 0, 1, 0, index)).toISOString(),
    endsAt: null,
    ...(index % 3 === 0 && { geoblocking: { enabled: true, mode: 'block', countries: ['CH'] } as const }),
  }),
);

const setUp = (events: readonly Event[] = catalogue) => {
  const time = { now: 0 };
  const queries: PartitionRange[] = [];
  const memory = inMemoryEvents(events);
  const state: { failure: Error | undefined } = { failure: undefined };
  const counted: Pick<EventRepository, 'readPartition' | 'eventsDue'> = {
    eventsDue: memory.eventsDue,
    readPartition: async (range) => {
      queries.push(range);
      if (state.failure !== undefined) throw state.failure;
      return memory.readPartition(range);
    },
  };
  const heads = withPartitionHeads(counted, { clock: () => time.now });
  const over = (list: Pick<EventRepository, 'readPartition'>) =>
    ottCalls({
      events: { ...memory, ...list },
      applications: [anOttApplication()],
      geolocation: toldGeolocation(() => ({ '203.0.113.1': 'CH', '203.0.113.2': 'NO' })),
    });
  return { time, queries, memory, state, calls: over(heads), plain: over(memory) };
};

const onOnePartition = (events: readonly Event[]): Event[] =>
  events.map((event) => ({ ...event, status: 'VOD', access: 'free' }));

describe('the cached events that are due', () => {
  it('are read once in two seconds, as far ahead as a list within this time needs', async () => {
    const time = { now: 0 };
    const reads: number[] = [];
    const { eventsDue } = withPartitionHeads(
      {
        ...inMemoryEvents([]),
        eventsDue: async ({ until }) => {
          reads.push(until);
          return [];
        },
      },
      { clock: () => time.now },
    );

    for (time.now = 0; time.now < 4_000; time.now += 1) await eventsDue({ until: time.now });

    expect(reads).toEqual([2_000, 4_000]);
  });
});

describe('the cached first events of each index partition', () => {
  it('serve a hundred lists in two seconds with one query per partition, and the same answers', async () => {
    const { calls, plain, queries, time } = setUp();

    for (let index = 0; index < 100; index += 1) {
      time.now = index * 10;
      const request = {
        sourceIp: `203.0.113.${(index % 2) + 1}`,
        query: { limit: String(1 + (index % 50)) },
      };
      expect((await calls.list(request)).body).toEqual((await plain.list(request)).body);
    }

    expect(queries.length).toBe(10);
  });

  it('share one read among concurrent lists', async () => {
    const { calls, queries } = setUp();

    await Promise.all(Array.from({ length: 20 }, () => calls.list()));

    expect(queries.length).toBe(10);
  });

  it('expire a fixed time after their read began, and are read again', async () => {
    const { calls, memory, time, queries } = setUp([anEvent()]);
    await calls.list();
    await saveEvent(memory, anEvent({ status: 'VOD' }));

    time.now = 1_999;
    expect((await calls.list()).body).toMatchObject([{ status: 'LIVE' }]);
    time.now = 2_000;
    expect((await calls.list()).body).toMatchObject([{ status: 'VOD' }]);
    expect(queries.length).toBe(20);
  });

  it('are not served after a failed read, and the failure is not cached', async () => {
    const { calls, state, time } = setUp([anEvent()]);
    await calls.list();
    time.now = 2_000;
    state.failure = new Error('no database');

    expect((await calls.list()).status).toBe(500);
    state.failure = undefined;
    expect((await calls.list()).body).toHaveLength(1);
  });

  it('serve a page with most of the events of one partition, and the page after it', async () => {
    const { calls, plain, queries } = setUp(onOnePartition(catalogue.slice(0, 90)));
    const request = { sourceIp: '203.0.113.2', query: { limit: '50' } };

    const page = await calls.list(request);
    const next = { ...request, query: nextQuery(page) ?? {} };

    expect(page.body).toHaveLength(50);
    expect(page.body).toEqual((await plain.list(request)).body);
    expect((await calls.list(next)).body).toEqual((await plain.list(next)).body);
    expect(queries.length).toBe(10);
  });

  it('are not used for a page that starts at a cursor', async () => {
    const { calls, plain, queries } = setUp();
    const request = { sourceIp: '203.0.113.2', query: { limit: '10' } };
    const next = { ...request, query: nextQuery(await plain.list(request)) ?? {} };

    expect((await calls.list(next)).body).toEqual((await plain.list(next)).body);
    expect(queries.filter(({ country }) => country === 'everywhere')).toEqual([]);
  });

  it('are completed by reads of the partitions when a page needs more events', async () => {
    const { calls, plain, queries } = setUp(onOnePartition(catalogue));
    const pages = async (over: typeof calls) => {
      const ids: unknown[] = [];
      for (let query: Record<string, string> | undefined = { limit: '100' }; query !== undefined; ) {
        const page = await over.list({ sourceIp: '203.0.113.1', query });
        ids.push(...(page.body as unknown[]));
        query = nextQuery(page);
      }
      return ids;
    };

    expect(await pages(calls)).toEqual(await pages(plain));
    expect(queries.length).toBeGreaterThan(10);
  });

  it('serve time ranges without an end, and are not used for other ranges', async () => {
    const { calls, plain, queries } = setUp();
    for (const query of [
      { from: '2026-01-01T06:00:00Z' },
      { to: '2026-01-01T01:00:00Z' },
      { from: '2026-01-01T02:00:00Z', to: '2026-01-01T03:00:00Z', category: 'football' },
      { category: 'opera' },
    ]) {
      const request = { sourceIp: '203.0.113.2', query: query as Record<string, string> };
      expect((await calls.list(request)).body).toEqual((await plain.list(request)).body);
    }
    expect(queries.filter(({ country }) => country === 'everywhere').length).toBe(20);
  });
});
