import { generateKeyPairSync } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { signedCookies } from '../../../shared/ott/aws/playback-signer.ts';
import { applySchedules } from '../../../shared/ott/catalogue/apply-schedules.ts';
import type { Event } from '../../../shared/ott/events/event.ts';
import { placeOf } from '../../../shared/ott/lists/index-partitions.ts';
import { dynamoDbCatalogue } from '../../../shared/ott/store/catalogue.ts';
import { dynamoDbEvents } from '../../../shared/ott/store/events.ts';
import { withPartitionHeads } from '../../../shared/ott/store/partition-heads.ts';
import type { Geoblocking } from '../../../shared/ott/viewers/geoblocking.ts';
import type { ApiEventProps } from '../../support/ott/api-event.ts';
import { anEvent, anOttApplication, fileRecord } from '../../support/ott/builders.ts';
import { ottCalls } from '../../support/ott/calls.ts';
import { streamOutcome } from '../../support/ott/decision-cases.ts';
import { importing } from '../../support/ott/importing.ts';
import { toldGeolocation } from '../../support/ott/in-memory.ts';
import type { EventStatus } from '../../support/ott/oracle.ts';
import {
  type Block,
  expectationAt,
  refusedFrom,
  type ScheduledCase,
} from '../../support/ott/scheduled-oracle.ts';
import { createTables, startDatabase, type TestDatabase } from '../../support/platform/dynamodb.ts';
import { nextQuery } from '../../support/platform/next-page.ts';
import { seededRandom } from '../../support/platform/seeded-random.ts';

const second = 1_000;
const minute = 60 * second;
const kickOff = Date.parse('2026-05-01T20:00:00Z');
const at = (minutes: number): number => kickOff + minutes * minute;
const instant = (time: number): string => new Date(time).toISOString();
const lifetimeSeconds = 300;

/** The match: LIVE at kick-off, FINISHED after 110 minutes, VOD half an hour later. */
const matchSchedule = [
  { at: at(0), status: 'LIVE' },
  { at: at(110), status: 'FINISHED' },
  { at: at(140), status: 'VOD' },
] as const;
const clientBlock: Block = { countries: ['CH'], statuses: ['LIVE'] };
const eventBlock: Block = { countries: ['FR'], statuses: ['FINISHED', 'VOD'] };
const streamBlock: Block = { countries: ['DE'], statuses: ['VOD'] };
const shown = ['UPCOMING', 'LIVE', 'VOD', 'CANCELLED'] as const;
const geoblockingOf = ({ countries, statuses }: Block): Geoblocking => ({
  enabled: true,
  mode: 'block',
  countries: [...countries],
  statuses: [...statuses],
});

type Source = ScheduledCase['event'] & { readonly id: string; readonly startsAt: number };
const statuses = ['UPCOMING', 'LIVE', 'FINISHED', 'VOD', 'CANCELLED'] as const;

/** The match among twenty other events, half of which have schedules of their own. */
const sourcesOf = (random: () => number): readonly Source[] => [
  {
    id: 'match',
    status: 'UPCOMING',
    schedule: matchSchedule,
    access: 'paid',
    block: eventBlock,
    startsAt: at(0),
  },
  ...Array.from({ length: 20 }, (_, index): Source => {
    const one = <Value>(of: readonly Value[]): Value => of[Math.floor(random() * of.length)] as Value;
    const entries = [...new Set([0, 1, 2].map(() => Math.floor(random() * 180) - 20))].sort((a, b) => a - b);
    const schedule = entries.map((minutes) => ({ at: at(minutes), status: one<EventStatus>(statuses) }));
    return {
      id: `other-${index}`,
      status: one(statuses),
      schedule: index % 2 === 0 ? [] : schedule,
      access: one(['free', 'paid']),
      block: index % 3 === 0 ? eventBlock : undefined,
      startsAt: at(index * 14 - 100),
    };
  }),
];

const eventOf = ({ id, status, schedule, access, block, startsAt }: Source): Event =>
  anEvent({
    id,
    status,
    access,
    startsAt: instant(startsAt),
    endsAt: null,
    ...(block && { geoblocking: geoblockingOf(block) }),
    ...(schedule.length > 0 && { schedule: schedule.map((entry) => ({ ...entry, at: instant(entry.at) })) }),
    stream: {
      type: 'hls',
      url: `https://streams.example.com/${id}/index.m3u8`,
      geoblocking: geoblockingOf(streamBlock),
    },
  });

const kinds = ['anonymous', 'bought', 'not bought', 'denied', 'VIP'] as const;
const countries = { CH: '203.0.113.1', FR: '203.0.113.2', DE: '203.0.113.3', NO: '203.0.113.4' } as const;
/** Two hundred viewers, of each kind and in each country the same number. */
const viewers = Array.from({ length: 200 }, (_, index) => ({
  kind: kinds[index % kinds.length] as ScheduledCase['viewer']['kind'],
  country: [...Object.keys(countries), undefined][Math.floor(index / kinds.length) % 5],
  sub: `${kinds[index % kinds.length]?.replace(' ', '-')}-${index}`,
}));
type Viewer = (typeof viewers)[number];

const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
const private_key = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();

let database: TestDatabase;
beforeAll(async () => {
  database = await startDatabase();
});
afterAll(() => database.stop());

const setUp = async (prefix: string, sources: readonly Source[]) => {
  const { Events: tableName } = await createTables(database, ['Events'], prefix);
  const time = { now: at(-20) };
  const clock = () => time.now;
  const store = { client: database.documents, tableName };
  const catalogue = dynamoDbCatalogue(store, { clock });
  const events = dynamoDbEvents(store);
  const logger = { error: () => {} };
  const calls = ottCalls({
    events: { ...events, ...withPartitionHeads(events, { clock }) },
    applications: [
      anOttApplication({
        rules: [{ id: 'not when over', enabled: true, statuses: [...shown] }],
        geoblocking: geoblockingOf(clientBlock),
      }),
    ],
    entitlement: {
      check: async ({ userSub }) => {
        if (userSub.startsWith('VIP')) return { outcome: 'success', vip: true };
        if (userSub.startsWith('bought')) return { outcome: 'success', vip: false };
        return {
          outcome: 'denied',
          reason: userSub.startsWith('denied') ? 'denied' : 'no_purchase',
          vip: false,
        };
      },
    },
    geolocation: toldGeolocation(() =>
      Object.fromEntries(Object.entries(countries).map(([country, address]) => [address, country])),
    ),
    signer: signedCookies({
      secret: { read: async () => ({ key_pair_id: 'K2JCJMDEHXQW5F', private_key }) },
      lifetimeSeconds,
      clock,
      domain: 'example.com',
    }),
    clock,
  });
  const file = sources.map((source) => fileRecord(eventOf(source)));
  const requestOf = ({ kind, country, sub }: Viewer): ApiEventProps => ({
    sourceIp: country === undefined ? '203.0.113.9' : countries[country as keyof typeof countries],
    headers: kind === 'anonymous' ? {} : { authorization: `Bearer ${sub}@web` },
  });
  const caseOf = (viewer: Viewer, event: Source): ScheduledCase => ({
    viewer,
    event,
    streamBlock,
    client: { shown, block: clientBlock },
  });
  const sorted = [...sources].sort((a, b) => (placeOf(eventOf(a)) < placeOf(eventOf(b)) ? 1 : -1));
  return {
    time,
    calls,
    requestOf,
    importFile: () => importing(catalogue, file, { clock }),
    runFunction: () => applySchedules({ catalogue, clock, logger }, { until: time.now + minute }),
    storedStatus: async (id: string) => (await catalogue.findStored(id))?.presentStatus,

    /** The differences between the answers to a viewer and what the table says at this moment. */
    ask: async (
      viewer: Viewer,
      list: { readonly limit: number; readonly filter: EventStatus | undefined } | undefined,
    ) => {
      const request = requestOf(viewer);
      const wrong: unknown[] = [];
      const compare = (what: string, answer: unknown, expected: unknown) => {
        if (JSON.stringify(answer) !== JSON.stringify(expected))
          wrong.push({ at: instant(time.now), viewer, what, answer, expected });
      };
      const match = sources[0] as Source;
      const expected = expectationAt(caseOf(viewer, match), time.now);
      const event = await calls.get('match', request);
      const status = event.status === 404 ? undefined : (event.body as { status: string }).status;
      compare('event', status, expected.shownAs);

      const stream = await calls.stream('match', request);
      compare('stream', streamOutcome(stream), expected.stream);
      if (stream.status === 200) {
        const end = refusedFrom(caseOf(viewer, match), time.now) ?? Number.POSITIVE_INFINITY;
        const expiry = Math.min(end, time.now + lifetimeSeconds * second);
        compare('expiry', (stream.body as { expires_at: string }).expires_at, instant(expiry));
      }

      if (list === undefined) return wrong;
      const { limit, filter } = list;
      const listed: unknown[] = [];
      const filters: Record<string, string> = filter === undefined ? {} : { status: filter };
      let query: Record<string, string> | undefined = { limit: String(limit), ...filters };
      while (query !== undefined) {
        const page = await calls.list({ ...request, query });
        const events = page.body as readonly { event_id: string; status: string }[];
        listed.push(...events.map(({ event_id, status: as }) => [event_id, as]));
        query = nextQuery(page);
      }
      const visible = sorted.flatMap((source) => {
        const { shownAs } = expectationAt(caseOf(viewer, source), time.now);
        return shownAs === undefined || (filter ?? shownAs) !== shownAs ? [] : [[source.id, shownAs]];
      });
      compare('list', listed, visible);
      return wrong;
    },
  };
};

describe('a match that goes through its statuses by its schedule', () => {
  it('is never shown, listed or signed against the table, while its file is imported again and the function stops', async () => {
    const random = seededRandom(20_260_501);
    const world = await setUp('match', sourcesOf(random));
    const { time } = world;
    const wrong: unknown[] = [];
    /** All at the same moment. Every eighth also lists, in pages of five or as a whole, and with or without a filter. */
    const askAs = async (asking: readonly Viewer[]): Promise<void> => {
      const answers = asking.map((viewer, index) => {
        const filter = random() < 0.4 ? statuses[Math.floor(random() * 5)] : undefined;
        const limit = random() < 0.2 ? 5 : 50;
        return world.ask(viewer, index % 8 === 0 ? { limit, filter } : undefined);
      });
      wrong.push(...(await Promise.all(answers)).flat());
      expect(wrong.slice(0, 3)).toEqual([]);
    };
    const someone = (): Viewer[] => viewers.slice(Math.floor(random() * viewers.length)).slice(0, 1);
    const isStopped = (): boolean => time.now >= at(-2) && time.now < at(70);
    expect((await world.importFile()).every(({ outcome }) => outcome === 'created')).toBe(true);

    for (let now = at(-20); now <= at(150); now += minute) {
      // Just before, at and just after each minute: what is cached is up to two seconds old.
      const isAsked =
        now % (3 * minute) === 0 || matchSchedule.some((entry) => Math.abs(entry.at - now) <= minute);
      for (const moment of [now - second, now]) {
        time.now = moment;
        if (isAsked) await askAs(someone());
      }
      if (!isStopped()) await world.runFunction();
      if ([-15, 1, 30, 111, 145].some((minutes) => now === at(minutes))) {
        const rows = await world.importFile();
        expect(rows.filter(({ outcome }) => outcome !== 'unchanged')).toEqual([]);
      }
      time.now = now + Math.floor(random() * 2) * second;
      if (isAsked) await askAs(someone());
      if (matchSchedule.some((entry) => entry.at === now)) {
        for (const [index, seconds] of [-1, 0, 1, 2].entries()) {
          time.now = now + seconds * second;
          await askAs(viewers.filter((_, each) => each % 4 === index));
        }
      }
      if (now === at(69)) expect(await world.storedStatus('match')).toBe('UPCOMING');
      if (now === at(70)) expect(await world.storedStatus('match')).toBe('LIVE');
    }

    expect(await world.storedStatus('match')).toBe('VOD');
  });
});
