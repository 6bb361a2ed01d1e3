import type { Event } from '../../shared/ott/events/event.ts';
import { eventAccesses, eventStatuses } from '../../shared/ott/events/event-kinds.ts';
import type { EventRepository } from '../../shared/ott/ports/event-repository.ts';
import { withPartitionHeads } from '../../shared/ott/store/partition-heads.ts';
import type { Clock } from '../../shared/platform/time/clock.ts';
import { anEvent, anOttApplication } from '../../test/support/ott/builders.ts';
import { type Answer, type OttCalls, ottCalls } from '../../test/support/ott/calls.ts';
import { toldGeolocation } from '../../test/support/ott/in-memory.ts';
import { nextQuery } from '../../test/support/platform/next-page.ts';
import { embeddedCatalogues } from './embedded-catalogue.ts';
import { interleaved, type Measurement } from './measurement.ts';

const SIZE = 20_000;
const RARE = new Set([137, 19_412]);
const HERE = '203.0.113.1';
/** One for each status and access, and one for the events that are due. */
const queriesAtMost = eventStatuses.length * eventAccesses.length + 1;

/**
 * Two time ranges of 150 events each. In the first, all events are visible in the viewer's country; in the second, 90
 * are hidden there.
 */
const CLEAR = { first: 5_000, count: 150 };
const HALF_HIDDEN = { first: 10_000, count: 150, hidden: 90 };

const startOf = (index: number): string => new Date(Date.UTC(2026, 0, 1) + index * 60_000).toISOString();

const isHidden = (index: number): boolean =>
  index >= HALF_HIDDEN.first &&
  index < HALF_HIDDEN.first + HALF_HIDDEN.count &&
  Math.floor(index / 10) % 5 < 3;

const anEventOf = (index: number): Event =>
  anEvent({
    id: `event-${index}`,
    status: eventStatuses[index % 5] ?? 'VOD',
    access: eventAccesses[Math.floor(index / 5) % 2] ?? 'free',
    startsAt: startOf(index),
    endsAt: null,
    categories: RARE.has(index) ? ['common', 'rare'] : ['common'],
    ...(isHidden(index) && { geoblocking: { enabled: true, mode: 'block', countries: ['CH'] } as const }),
  });

const callsOver = (events: EventRepository, clock?: Clock): OttCalls =>
  ottCalls({
    events,
    ...(clock && { clock }),
    applications: [anOttApplication()],
    geolocation: toldGeolocation(() => ({ [HERE]: 'CH' })),
  });

type Query = Readonly<Record<string, string>>;

const listed = async (calls: OttCalls, query: Query): Promise<Answer> => {
  const answer = await calls.list({ sourceIp: HERE, query });
  if (answer.status !== 200) throw new Error(`A list answered ${answer.status}`);
  return answer;
};

interface Walk {
  readonly pages: number;
  readonly events: number;
  readonly queries: number;
}

const walk = async (calls: OttCalls, requests: () => number, query: Query): Promise<Walk> => {
  const before = requests();
  let pages = 0;
  let events = 0;
  for (let next: Query | undefined = query; next !== undefined; pages += 1) {
    const page = await listed(calls, next);
    events += (page.body as unknown[]).length;
    next = nextQuery(page);
  }
  return { pages, events, queries: requests() - before };
};

/**
 * Compares the lists of events for three categories: one category that only two events have, one that no event has, and
 * one that all events have.
 */
const measureCategories = async (calls: OttCalls, requests: () => number): Promise<Measurement[]> => {
  const rare = await walk(calls, requests, { category: 'rare' });
  const absent = await walk(calls, requests, { category: 'absent' });
  const of = (category: string) => async () => void (await listed(calls, { category }));
  const [common, ofRare, ofAbsent] = await interleaved({
    rounds: 100,
    tasks: [of('common'), of('rare'), of('absent')],
  });
  return [
    {
      name: 'category of 2 of 20,000: pages',
      value: rare.pages,
      unit: '',
      holds: rare.pages === 1 && rare.events === 2,
    },
    {
      name: `  queries (at most ${queriesAtMost})`,
      value: rare.queries,
      unit: '',
      holds: rare.queries <= queriesAtMost,
    },
    { name: 'category of no event: pages', value: absent.pages, unit: '', holds: absent.pages === 1 },
    {
      name: `  queries (at most ${queriesAtMost})`,
      value: absent.queries,
      unit: '',
      holds: absent.queries <= queriesAtMost,
    },
    { name: 'page of a category of all events', value: common, unit: 'ms' },
    {
      name: '  of 2 of 20,000, relative to that (at most 1.5)',
      value: ofRare / common,
      unit: '×',
      holds: ofRare <= 1.5 * common,
    },
    {
      name: '  of no event, relative to that (at most 1.5)',
      value: ofAbsent / common,
      unit: '×',
      holds: ofAbsent <= 1.5 * common,
    },
  ];
};

const windowOf = ({ first, count }: { readonly first: number; readonly count: number }): Query => ({
  from: startOf(first),
  to: startOf(first + count),
  limit: '50',
});

/** Compares lists of a time range that has 90 hidden events with lists of a time range that has none. */
const measureWindows = async (calls: OttCalls, requests: () => number): Promise<Measurement[]> => {
  const queriesOf = async (query: Query): Promise<number> => {
    const before = requests();
    const { body } = await listed(calls, query);
    if ((body as unknown[]).length !== 50) throw new Error(`A page of ${(body as unknown[]).length}`);
    return requests() - before;
  };
  const [clear, hidden] = [windowOf(CLEAR), windowOf(HALF_HIDDEN)];
  const queries = { clear: await queriesOf(clear), hidden: await queriesOf(hidden) };
  const [ofClear, ofHidden] = await interleaved({
    rounds: 500,
    tasks: [async () => void (await listed(calls, clear)), async () => void (await listed(calls, hidden))],
  });
  const ratio = ofHidden / ofClear;
  return [
    { name: 'window without hidden events: queries', value: queries.clear, unit: '' },
    {
      name: 'window with 90 hidden events: queries (the same number)',
      value: queries.hidden,
      unit: '',
      holds: queries.hidden === queries.clear,
    },
    { name: 'window without hidden events', value: ofClear, unit: 'ms' },
    { name: 'window with 90 hidden events', value: ofHidden, unit: 'ms' },
    { name: '  ratio (0.9 to 1.1)', value: ratio, unit: '×', holds: Math.abs(ratio - 1) <= 0.1 },
  ];
};

/** Makes 100 list calls in a row to one function, which caches the heads of the index partitions. */
const measureHeads = async (events: EventRepository, requests: () => number): Promise<Measurement[]> => {
  const calls = callsOver({ ...events, ...withPartitionHeads(events) });
  const before = requests();
  const startedAt = performance.now();
  for (let index = 0; index < 100; index += 1) await listed(calls, { limit: String(1 + (index % 50)) });
  const seconds = (performance.now() - startedAt) / 1_000;
  const queries = requests() - before;
  // The cached heads expire after two seconds. If the 100 list calls take longer, the heads are read again.
  const allowed = 20 * Math.ceil(seconds);
  return [
    { name: '100 list calls in a row', value: seconds, unit: 's' },
    { name: '  queries (at most 20 a second)', value: queries, unit: '', holds: queries <= allowed },
    { name: '  queries per list call', value: queries / 100, unit: '' },
  ];
};

const DUE = 60;

/** Compares first pages, as a function makes them that caches heads, with those of a catalogue in which they are all due. */
const measureDue = async (): Promise<Measurement[]> => {
  const at = new Date(Date.now() - 30_000).toISOString();
  const isDue = (index: number) => index >= 2_000 - DUE;
  await using plain = await embeddedCatalogues([2_000], anEventOf);
  await using scheduled = await embeddedCatalogues([2_000], (index) =>
    isDue(index) ? { ...anEventOf(index), schedule: [{ at, status: 'LIVE' }] } : anEventOf(index),
  );
  const pageOf = ({ catalogues: [events], requests }: typeof plain) => {
    if (events === undefined) throw new Error('There is one catalogue');
    const calls = callsOver({ ...events, ...withPartitionHeads(events) }, Date.now);
    const page = async () => void (await listed(calls, { limit: '50' }));
    const queries = async (): Promise<number> => {
      const before = requests();
      await page();
      return requests() - before;
    };
    return { page, queries };
  };
  const [without, due] = [pageOf(plain), pageOf(scheduled)];
  const [queries, dueQueries] = [await without.queries(), await due.queries()];
  const [ofPlain, ofDue] = await interleaved({ rounds: 500, tasks: [without.page, due.page] });
  return [
    { name: 'page of 50 events without a schedule: queries', value: queries, unit: '' },
    {
      name: 'page of 50 events whose change is due: queries (at most one more)',
      value: dueQueries,
      unit: '',
      holds: dueQueries <= queries + 1,
    },
    { name: 'page of 50 events without a schedule', value: ofPlain, unit: 'ms' },
    { name: 'page of 50 events whose change is due', value: ofDue, unit: 'ms' },
    {
      name: '  ratio (at most 1.3)',
      value: ofDue / ofPlain,
      unit: '×',
      holds: ofDue <= 1.3 * ofPlain,
    },
  ];
};

export const measureOttQueries = async (): Promise<Measurement[]> => {
  await using embedded = await embeddedCatalogues([SIZE], anEventOf);
  const [events] = embedded.catalogues;
  if (events === undefined) throw new Error('There is one catalogue');
  const calls = callsOver(events);
  return [
    ...(await measureCategories(calls, embedded.requests)),
    ...(await measureWindows(calls, embedded.requests)),
    ...(await measureHeads(events, embedded.requests)),
    ...(await measureDue()),
  ];
};
