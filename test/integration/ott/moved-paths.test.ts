import { describe, expect, it } from 'vitest';
import { checkEvents } from '../../../operator/ott/events/check-events.ts';
import type { Event } from '../../../shared/ott/events/event.ts';
import type { Catalogue } from '../../../shared/ott/ports/catalogue.ts';
import { dynamoDbCatalogue } from '../../../shared/ott/store/catalogue.ts';
import type { Table } from '../../../shared/platform/store/client.ts';
import { anEvent, fileRecord } from '../../support/ott/builders.ts';
import { type CatalogueCalls, catalogueCalls, ifMatch } from '../../support/ott/catalogue-calls.ts';
import { newEventTables } from '../../support/ott/event-tables.ts';
import { importing } from '../../support/ott/importing.ts';

const start = Date.parse('2026-05-01T12:00:00Z');

const eventAt = (id: string, path: string, window: Partial<Event['stream']> = {}): Event =>
  anEvent({
    id,
    status: 'UPCOMING',
    categories: [],
    stream: { type: 'hls', url: `https://cdn.example.com/${path}/index.m3u8`, ...window },
  });
const recordAt = (...event: Parameters<typeof eventAt>) => fileRecord(eventAt(...event));

/** A catalogue whose index does not have the events of the last minute yet. */
const lagging = (catalogue: Catalogue): Catalogue => ({ ...catalogue, idsSignedNear: async function* () {} });

const newTable = newEventTables();

const problemsOf = async (table: Table) =>
  (
    await checkEvents(
      { catalogue: dynamoDbCatalogue(table), holdings: { notErc721: async () => [] } },
      { signing: 'cookies' },
    )
  ).problems;

describe('a path that another event has had for less than a minute', () => {
  it.each([
    ['the same folder', 'match', 'match'],
    ['a folder in it', 'match', 'match/replay'],
    ['a folder around it', 'match/replay', 'match'],
  ])('is refused in a PUT for %s, although the index does not contain it yet', async (_, first, second) => {
    const table = await newTable();
    const calls = catalogueCalls(table, { through: lagging });

    const one = await calls.put('one', recordAt('one', first));
    const two = await calls.put('two', recordAt('two', second));

    expect([one.status, two.status, two.body]).toMatchObject([
      201,
      409,
      { message: 'PATH_OVERLAPS', overlaps_with: ['one'] },
    ]);
    expect((await calls.get('two')).status).toBe(404);
  });

  it('is free as soon as the other event has left it, or is deleted', async () => {
    const table = await newTable();
    const calls = catalogueCalls(table, { through: lagging });
    const one = await calls.put('one', recordAt('one', 'match'));
    await calls.put('three', recordAt('three', 'cup'));

    await calls.put('one', recordAt('one', 'elsewhere'), ifMatch(one));
    await calls.remove('three');

    expect((await calls.put('two', recordAt('two', 'match'))).status).toBe(201);
    expect((await calls.put('four', recordAt('four', 'cup'))).status).toBe(201);
  });

  it('may be shared by an event that plays at another time', async () => {
    const calls = catalogueCalls(await newTable(), { through: lagging });
    const until = '2026-05-01T20:00:00.000Z';

    await calls.put('one', recordAt('one', 'match', { availableUntil: until }));

    expect((await calls.put('two', recordAt('two', 'match', { availableFrom: until }))).status).toBe(201);
    expect((await calls.put('three', recordAt('three', 'match'))).status).toBe(409);
  });

  it('is refused in an import, and a path that was imported is refused in a PUT', async () => {
    const table = await newTable();
    const catalogue = lagging(dynamoDbCatalogue(table));
    const calls = catalogueCalls(table, { through: lagging });

    await calls.put('one', recordAt('one', 'match'));
    const rows = await importing(catalogue, [recordAt('two', 'match'), recordAt('three', 'cup')]);

    expect(rows).toMatchObject([
      { outcome: 'refused', reasons: expect.arrayContaining([expect.stringContaining('one')]) },
      { outcome: 'created' },
    ]);
    expect((await calls.put('four', recordAt('four', 'cup/replay'))).status).toBe(409);
  });

  it('is refused in an import that was checked before, without the loss of any other event', async () => {
    const table = await newTable();
    const calls = catalogueCalls(table, { through: lagging });
    const real = lagging(dynamoDbCatalogue(table));
    let isFirst = true;
    const racing: Catalogue = {
      ...real,
      write: async (...write) => {
        if (isFirst) await calls.put('editors', recordAt('editors', 'path-7'));
        isFirst = false;
        return real.write(...write);
      },
    };

    const ids = Array.from({ length: 130 }, (_, index) => `path-${index}`);
    const rows = await importing(
      racing,
      ids.map((id) => recordAt(id, id)),
    );

    const refused = rows.filter(({ outcome }) => outcome !== 'created');
    expect(refused).toMatchObject([
      {
        id: 'path-7',
        outcome: 'refused',
        reasons: expect.arrayContaining([expect.stringContaining('editors')]),
      },
    ]);
    expect(await problemsOf(table)).toEqual([]);
  });
});

describe('an event that somebody changes between the comparison of an import and its writes', () => {
  /** A catalogue in which somebody acts after an import has compared its file, before it reads the paths of the hosts. */
  const meanwhile = (catalogue: Catalogue, act: () => Promise<unknown>): Catalogue => {
    let acted: Promise<unknown> | undefined;
    return {
      ...catalogue,
      recentPaths: async (hosts) => {
        acted ??= act();
        await acted;
        return catalogue.recentPaths(hosts);
      },
    };
  };

  const elsewhere = { type: 'hls', url: 'https://other.example.com/match/index.m3u8' };
  it.each([
    ['is deleted', 'created', (calls: CatalogueCalls) => calls.remove('one')],
    [
      'is moved to another host',
      'changed',
      (calls: CatalogueCalls) =>
        calls.put('one', { ...recordAt('one', 'match'), stream: elsewhere }, { 'if-match': '*' }),
    ],
  ])('is written as the file says if it %s, although the file moves no stream', async (_, outcome, act) => {
    const table = await newTable();
    const calls = catalogueCalls(table);
    await importing(dynamoDbCatalogue(table), [recordAt('one', 'match'), recordAt('two', 'cup')]);

    const rows = await importing(
      meanwhile(dynamoDbCatalogue(table), () => act(calls)),
      [
        { ...recordAt('one', 'match'), title: 'New' },
        { ...recordAt('two', 'cup'), title: 'New' },
      ],
    );

    expect(rows).toMatchObject([{ outcome }, { outcome: 'changed' }]);
    expect((await calls.get('one')).body).toEqual({ ...recordAt('one', 'match'), title: 'New' });
  });

  it('does not come back to a path that the file gives to another event', async () => {
    const table = await newTable();
    const calls = catalogueCalls(table);
    await importing(dynamoDbCatalogue(table), [recordAt('one', 'match'), recordAt('two', 'cup')]);

    const rows = await importing(
      meanwhile(dynamoDbCatalogue(table), () =>
        calls.put('one', recordAt('one', 'elsewhere'), { 'if-match': '*' }),
      ),
      [{ ...recordAt('one', 'match'), title: 'New' }, recordAt('two', 'match')],
    );

    expect(rows.map(({ outcome }) => outcome).sort()).toEqual(['changed', 'refused']);
    expect(await problemsOf(table)).toEqual([]);
  });

  it('is blocked although its row is refused because somebody has taken the path', async () => {
    const table = await newTable();
    const calls = catalogueCalls(table);
    const catalogue = dynamoDbCatalogue(table);
    await importing(catalogue, [recordAt('one', 'match')]);
    let isFirst = true;
    const racing: Catalogue = {
      ...catalogue,
      write: async (...write) => {
        if (isFirst) await calls.put('editors', recordAt('editors', 'cup'));
        isFirst = false;
        return catalogue.write(...write);
      },
    };
    const geoblocking = { enabled: true, mode: 'block', countries: ['DE'] };

    const rows = await importing(racing, [{ ...recordAt('one', 'cup'), title: 'New', geoblocking }]);

    expect(rows).toMatchObject([
      {
        outcome: 'refused',
        fields: [{ field: 'geoblocking' }],
        reasons: expect.arrayContaining([expect.stringContaining('editors')]),
      },
    ]);
    expect((await calls.get('one')).body).toEqual({ ...recordAt('one', 'match'), geoblocking });
  });
});

describe('editors who write overlapping paths at the same instant', () => {
  it('never both get them, while writes of other paths of the same host succeed', async () => {
    const table = await newTable();
    for (let round = 0; round < 3; round += 1) {
      const paths = [`r${round}`, `r${round}`, `r${round}/replay`, `other${round}`, `else${round}`];
      const answers = await Promise.all(
        paths.map((path, index) => {
          const id = `round-${round}-${index}`;
          return catalogueCalls(table, { through: lagging }).put(id, recordAt(id, path));
        }),
      );

      const statuses = answers.map(({ status }) => status);
      expect(statuses.slice(0, 3).filter((status) => status === 201)).toHaveLength(1);
      expect(statuses.slice(0, 3).filter((status) => status === 409)).toHaveLength(2);
      expect(statuses.slice(3)).toEqual([201, 201]);
    }

    expect(await problemsOf(table)).toEqual([]);
  });
});

describe('the paths of the last minute', () => {
  it('are forgotten after a minute, when the index contains them', async () => {
    const table = await newTable();
    let now = start;
    const catalogue = dynamoDbCatalogue(table, { clock: () => now });
    const pathsNow = async () => (await catalogue.recentPaths(['cdn.example.com'])).get('cdn.example.com');
    const write = async (id: string) =>
      catalogue.write([{ after: eventAt(id, id) }], await catalogue.recentPaths(['cdn.example.com']));

    await write('one');
    now += 59_000;
    await write('two');
    const within = await pathsNow();
    now += 2_000;
    await write('three');

    expect(within?.paths.map(({ id }) => id)).toEqual(['one', 'two']);
    expect(await pathsNow()).toMatchObject({ version: 3, paths: [{ id: 'two' }, { id: 'three' }] });
  });

  it('are limited in number, so an editor waits until those that were dropped are in the index', async () => {
    const table = await newTable();
    let now = start;
    const clock = () => now;
    const catalogue = dynamoDbCatalogue(table, { clock });
    const calls = catalogueCalls(table, { through: lagging, clock });
    const long = 'x'.repeat(800);
    const ids = Array.from({ length: 70 }, (_, index) => `path-${index}`);
    const outcomes = await catalogue.write(
      ids.map((id) => ({ after: eventAt(id, `${id}/${long}`) })),
      await catalogue.recentPaths(['cdn.example.com']),
    );
    expect(new Set(outcomes.map(({ outcome }) => outcome))).toEqual(new Set(['written']));

    const early = await calls.put('early', recordAt('early', 'path-3'));
    const title = { ...recordAt('path-3', `path-3/${long}`), title: 'Not a path' };
    const other = await calls.put('path-3', title, ifMatch(await calls.get('path-3')));
    now += 60_001;
    const late = await calls.put('late', recordAt('late', 'late'));

    expect([early.status, early.headers['retry-after']]).toEqual([503, '60']);
    expect([other.status, late.status]).toEqual([200, 201]);
    expect((await catalogue.recentPaths(['cdn.example.com'])).get('cdn.example.com')?.paths).toHaveLength(1);
  });
});
