import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ImportInput } from '../../../operator/ott/events/import-event-file.ts';
import { lookedForAtMost } from '../../../shared/ott/catalogue/path-overlaps.ts';
import { setEventStatus } from '../../../shared/ott/catalogue/set-event-status.ts';
import type { Event, Stream } from '../../../shared/ott/events/event.ts';
import type { Catalogue } from '../../../shared/ott/ports/catalogue.ts';
import { dynamoDbCatalogue } from '../../../shared/ott/store/catalogue.ts';
import { dynamoDbEvents } from '../../../shared/ott/store/events.ts';
import type { DocumentClient } from '../../../shared/platform/store/client.ts';
import { systemClock } from '../../../shared/platform/time/clock.ts';
import { anEvent, anOttApplication, fileRecord } from '../../support/ott/builders.ts';
import { ottCalls } from '../../support/ott/calls.ts';
import { importing as importingRecords } from '../../support/ott/importing.ts';
import { inMemoryEvents, toldGeolocation } from '../../support/ott/in-memory.ts';
import { createTables, startDatabase, type TestDatabase } from '../../support/platform/dynamodb.ts';

const hls = (path: string, fields: Partial<Stream> = {}): Stream => ({
  type: 'hls',
  url: `https://cdn.example.com${path}/index.m3u8`,
  ...fields,
});
const inFolder = (id: string, path = `/live/${id}`, fields: Partial<Stream> = {}): Event =>
  anEvent({ id, stream: hls(path, fields) });

const importing = (catalogue: Catalogue, events: readonly Event[], options: Partial<ImportInput> = {}) =>
  importingRecords(catalogue, events.map(fileRecord), options);

describe('an import into DynamoDB', () => {
  let database: TestDatabase;
  let count = 0;
  beforeAll(async () => {
    database = await startDatabase();
  });
  afterAll(async () => {
    await database.stop();
  });

  /** A catalogue that counts its calls to the database by operation. */
  const setUp = async (events: readonly Event[] = []) => {
    count += 1;
    const { Events: tableName } = await createTables(database, ['Events'], `import-${count}`);
    const calls: Record<string, number> = {};
    const client = new Proxy(database.documents, {
      get: (target, name: keyof DocumentClient) => (input: never) => {
        calls[name] = (calls[name] ?? 0) + 1;
        return target[name](input);
      },
    });
    const catalogue = dynamoDbCatalogue({ client, tableName });
    await catalogue.write(events.map((after) => ({ after })));
    const callsOf = async (work: () => Promise<unknown>) => {
      for (const name of Object.keys(calls)) delete calls[name];
      await work();
      return { ...calls };
    };
    return { catalogue, callsOf, tableName, store: { client, tableName } };
  };
  const numbered = (size: number) => Array.from({ length: size }, (_, index) => inFolder(`event-${index}`));

  it('reads as many items for three events in a catalogue of thirty as in one of six hundred', async () => {
    const file = [
      inFolder('new', '/new/live'),
      { ...inFolder('event-7'), title: 'Changed' },
      inFolder('event-8'),
    ];
    const [small, large] = [await setUp(numbered(30)), await setUp(numbered(600))];

    const asked = [];
    for (const { catalogue, callsOf } of [small, large]) {
      asked.push(await callsOf(() => importing(catalogue, file)));
    }

    expect(asked[0]).toEqual(asked[1]);
    expect(asked[1]).toEqual({ batchGet: 4, query: 3, transactWrite: 1 });
    expect(await large.callsOf(() => importing(large.catalogue, file))).toEqual({ batchGet: 1 });
  });

  it('reads a file without changes in batches of a hundred, and writes nothing', async () => {
    const { catalogue, callsOf } = await setUp(numbered(450));

    expect(await callsOf(() => importing(catalogue, numbered(450)))).toEqual({ batchGet: 5 });
  });

  it('finds a stream at its new path after somebody else has moved it', async () => {
    const { catalogue } = await setUp([inFolder('one', '/a'), inFolder('two', '/b')]);

    await importing(catalogue, [inFolder('one', '/c')]);
    await setEventStatus({ catalogue, clock: systemClock }, { id: 'two', status: 'FINISHED' });

    expect(
      await importing(catalogue, [inFolder('x', '/a/x'), inFolder('y', '/b/y'), inFolder('z', '/c/z')]),
    ).toMatchObject([{ outcome: 'created' }, { outcome: 'refused' }, { outcome: 'refused' }]);
  });

  const segment = fc.constantFrom('a', 'b', '%61', 'ab', 'a-b', '%C3%A9');
  const path = fc.array(segment, { minLength: 1, maxLength: 3 }).map((parts) => `/${parts.join('/')}`);
  const day = (number: number) => `2026-05-0${number}T00:00:00.000Z`;
  const windows = fc.constantFrom<Partial<Stream>>(
    {},
    {},
    { availableUntil: day(2) },
    { availableFrom: day(2) },
    { availableFrom: day(3), availableUntil: day(4) },
  );
  const stream = fc.oneof(
    fc.tuple(path, windows).map(([at, window]) => hls(at, window)),
    fc.tuple(path, windows).map(([at, window]) => ({
      type: 'file' as const,
      url: `https://cdn.example.com${at}.mp4`,
      ...window,
    })),
    fc.tuple(path, windows, fc.integer({ min: 0, max: 3 })).map(([at, window, cut]) => {
      const whole = `https://cdn.example.com${at}`;
      return hls(at, { ...window, signedPath: `${whole.slice(0, whole.length - cut)}*` });
    }),
    fc.tuple(path, windows).map(([at, window]) => hls(`/x?${at}`, window)),
    fc.constant(undefined),
  );
  const catalogueOf = (prefix: string, size: number) =>
    fc
      .array(fc.tuple(fc.integer({ min: 0, max: 9 }), stream), { maxLength: size })
      .map((all) => new Map(all.map(([id, own]) => [`${prefix}${id}`, own])))
      .map((all) => [...all].map(([id, own]) => anEvent({ id, stream: own })));

  /** So many events that an import reads the whole catalogue. Their streams overlap with no other. */
  const readWhole = Array.from({ length: lookedForAtMost + 1 }, (_, index) =>
    anEvent({
      id: `apart-${index}`,
      stream: { type: 'file', url: `https://apart.example.com/${index}/a.mp4` },
    }),
  );

  it('rejects the same rows whether it uses the index of streams or reads all events', async () => {
    const signings = fc.constantFrom<ImportInput['signing']>('cookies', 'cookies', 'url');
    await fc.assert(
      fc.asyncProperty(
        catalogueOf('e', 12),
        catalogueOf('e', 6),
        catalogueOf('new', 6),
        signings,
        async (stored, changed, added, signing) => {
          const { catalogue } = await setUp(stored);
          const file = [...changed, ...added];

          const byIndex = await importing(catalogue, file, { signing });
          const byReading = (
            await importing(inMemoryEvents(stored), [...file, ...readWhole], { signing })
          ).slice(0, file.length);

          const outcomes = (rows: typeof byIndex) =>
            rows.map(({ id, outcome, reasons }) => [id, outcome, [...reasons].sort()]);
          expect(outcomes(byIndex)).toEqual(outcomes(byReading));
        },
      ),
      { numRuns: 30 },
    );
  });

  it('makes as many reads for a missing event as for a hidden event', async () => {
    const { catalogue, store } = await setUp();
    await catalogue.write([{ after: anEvent({ id: 'hidden' }) }]);
    const reads: boolean[] = [];
    const get: DocumentClient['get'] = async (input) => {
      const answer = await store.client.get(input);
      reads.push(answer.Item !== undefined);
      return answer;
    };
    const calls = ottCalls({
      events: dynamoDbEvents({ ...store, client: { ...database.documents, get } }),
      applications: [anOttApplication({ geoblocking: { enabled: true, mode: 'allow', countries: ['NO'] } })],
      geolocation: toldGeolocation(() => ({})),
    });
    const readsOf = async (call: () => Promise<{ readonly status: number }>) => {
      reads.length = 0;
      expect((await call()).status).toBe(404);
      return [...reads].sort();
    };

    for (const call of [calls.get, calls.stream]) {
      expect(await readsOf(() => call('hidden'))).toEqual([false, true]);
      expect(await readsOf(() => call('missing'))).toEqual([false, true]);
      expect(await readsOf(() => call('no id of any event'))).toEqual([false, true]);
    }
  });
});
