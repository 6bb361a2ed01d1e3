import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { checkEvents } from '../../../operator/ott/events/check-events.ts';
import type { ImportDependencies } from '../../../operator/ott/events/import-event-file.ts';
import type { Event } from '../../../shared/ott/events/event.ts';
import { anEvent, fileRecord } from '../../support/ott/builders.ts';
import { importing as importInto, statusSetMeanwhile } from '../../support/ott/importing.ts';
import { inMemoryEvents } from '../../support/ott/in-memory.ts';

const rootOf = (path: string) => `https://cdn.example.com/live/${path}`;
const at = (path: string): NonNullable<Event['stream']> => ({
  type: 'hls',
  url: `${rootOf(path)}/index.m3u8`,
});
const blocked = { enabled: true, mode: 'block', countries: ['DE', 'FR'] } satisfies Event['geoblocking'];

const importing = async (stored: readonly Event[], records: readonly unknown[]) => {
  const catalogue = inMemoryEvents(stored);
  return { catalogue, rows: await importInto(catalogue, records) };
};

describe('an import with a rejected row', () => {
  const stored = anEvent({ id: 'match', stream: at('a/match') });
  const withBlock = fileRecord({ ...stored, geoblocking: blocked });
  const tooWide = fileRecord(anEvent({ id: 'wide', stream: { ...at('a'), signedPath: `${rootOf('a')}*` } }));

  it.each([
    ['first', [tooWide, withBlock]],
    ['last', [withBlock, tooWide]],
  ])(
    'still blocks a country in a stored event when the row with too wide a path comes %s',
    async (_, rows) => {
      const { rows: outcomes, catalogue } = await importing([stored], rows);

      expect(new Map(outcomes.map(({ id, outcome }) => [id, outcome]))).toEqual(
        new Map([
          ['wide', 'refused'],
          ['match', 'changed'],
        ]),
      );
      expect((await catalogue.find('match'))?.geoblocking).toEqual(blocked);
    },
  );

  const live = anEvent({
    id: 'match',
    status: 'LIVE',
    geoblocking: { ...blocked, countries: ['FR'] },
    stream: at('a/match'),
  });
  const badTitle = { title: '' };
  const badPath = { stream: { ...at('a/match'), signed_path: 'https://cdn.example.com/*' } };
  const overlapping = { stream: { ...at('b/other'), type: 'hls' } };
  const other = anEvent({ id: 'other', stream: at('b/other') });
  const closing: readonly (readonly [string, Partial<Event>])[] = [
    ['a country is blocked', { geoblocking: blocked }],
    ['a few countries are left', { geoblocking: { enabled: true, mode: 'allow', countries: ['AT'] } }],
    ['it is cancelled', { status: 'CANCELLED' }],
    ['it is over', { status: 'FINISHED' }],
  ];

  describe.each([
    ['its title', badTitle],
    ['its path', badPath],
    ['an overlap', overlapping],
    ['a field that there is not', { nothing: 1 }],
  ])('rejected for %s', (_, mistake) => {
    it.each(closing)('still restricts its event if %s', async (__, fields) => {
      const { rows, catalogue } = await importing(
        [live, other],
        [{ event_id: 'match', ...mistake, ...fields }],
      );

      expect(rows).toMatchObject([{ outcome: 'refused', fields: [{ field: Object.keys(fields)[0] }] }]);
      expect(await catalogue.find('match')).toEqual({ ...live, ...fields });
    });

    it('still blocks a country for its stream', async () => {
      const { stream = at('a/match') } = mistake as { stream?: object };
      const row = { event_id: 'match', ...mistake, stream: { ...stream, geoblocking: blocked } };
      const { catalogue } = await importing([live, other], [row]);

      expect(await catalogue.find('match')).toEqual({
        ...live,
        stream: { ...live.stream, geoblocking: blocked },
      });
    });

    it.each([
      ['a country is let in', { geoblocking: null }],
      ['a rule is invalid', { geoblocking: { ...blocked, countries: ['Germany'] } }],
      ['it becomes a recording', { status: 'VOD' }],
      ['nothing is blocked', { description: 'New' }],
    ])('applies no field of the row if %s', async (__, fields) => {
      const { rows, catalogue } = await importing(
        [live, other],
        [{ event_id: 'match', ...mistake, ...fields }],
      );

      expect(rows).toMatchObject([{ outcome: 'refused', fields: [] }]);
      expect([catalogue.writes, await catalogue.find('match')]).toEqual([0, live]);
    });
  });

  it.each([
    ['first', (bad: object, good: object) => [bad, good]],
    ['last', (bad: object, good: object) => [good, bad]],
  ])(
    'applies the accepted row of the same event instead if the rejected row comes %s',
    async (_, inOrder) => {
      const bad = { event_id: 'match', title: '', geoblocking: blocked };
      const { catalogue } = await importing([live], inOrder(bad, { event_id: 'match', description: 'New' }));

      expect(await catalogue.find('match')).toEqual({ ...live, description: 'New' });
    },
  );

  it('adds the blocked country even if another writer changes the event meanwhile', async () => {
    const catalogue = inMemoryEvents([live]);
    const racing = statusSetMeanwhile(catalogue, { id: 'match', status: 'VOD' });
    await importInto(racing, [{ event_id: 'match', title: '', geoblocking: blocked }]);

    expect(await catalogue.find('match')).toMatchObject({
      hand: { status: { value: 'VOD' } },
      geoblocking: blocked,
    });
  });

  it('asks for consent if its new geoblocking also lets a country in while the event is LIVE', async () => {
    const asked: unknown[] = [];
    const block = { ...blocked, countries: ['DE'] };
    const requireConsent: ImportDependencies['requireConsent'] = async (openings) => {
      asked.push(...openings.map(({ id, loosens }) => [id, loosens]));
    };
    const rows = [{ event_id: 'match', title: '', geoblocking: block }];
    await importInto(inMemoryEvents([live]), rows, { requireConsent });

    expect(asked).toEqual([['match', ['geoblocking']]]);
  });

  it('keeps a status that the operator set', async () => {
    const byHand = {
      ...live,
      status: 'CANCELLED',
      hand: { status: { value: 'LIVE', at: '2026-05-01T18:00:00.000Z' } },
    } as const;
    const { catalogue } = await importing([byHand], [{ event_id: 'match', title: '', status: 'CANCELLED' }]);

    expect(await catalogue.find('match')).toEqual(byHand);
  });

  it('accepts new events below a path that is too wide', async () => {
    const below = fileRecord(anEvent({ id: 'below', stream: at('a/below') }));
    const { rows } = await importing([], [tooWide, below]);

    expect(rows.map(({ outcome }) => outcome)).toEqual(['refused', 'created']);
  });

  it('accepts a later row with the id of the rejected row', async () => {
    const good = { ...withBlock, title: 'Good' };
    const { rows } = await importing(
      [stored],
      [{ ...withBlock, title: '' }, good, { ...good, title: 'Again' }],
    );

    expect(rows).toMatchObject([
      { outcome: 'refused' },
      { outcome: 'changed' },
      { outcome: 'refused', reasons: ['event_id: is already used by the event on line 1'] },
    ]);
  });

  const ids = ['one', 'two', 'three', 'four', 'five'] as const;
  const place = fc.constantFrom('a', 'a/b', 'a/b/c', 'd', 'd/e', 'f');
  const aStored = fc.uniqueArray(fc.record({ id: fc.constantFrom(...ids), path: place }), {
    selector: ({ id }) => id,
    maxLength: 4,
  });
  const aRow = fc.record({
    id: fc.constantFrom(...ids),
    /** `undefined`: the stream that is stored. */
    path: fc.option(place, { nil: undefined }),
    isBlocked: fc.boolean(),
    isInvalid: fc.nat(5).map((number) => number === 0),
  });
  const someRows = fc.uniqueArray(aRow, { selector: ({ id }) => id, minLength: 2 });

  it('rejects no other row because of it, and applies every newly blocked country, for random imports', async () => {
    const seen = { overlaps: 0, blocksOfRefused: 0, invalid: 0 };
    await fc.assert(
      fc.asyncProperty(
        aStored.chain((all) =>
          someRows.chain((rows) =>
            fc.record({
              all: fc.constant(all),
              rows: fc.constant(rows),
              shuffled: fc.shuffledSubarray(rows, { minLength: rows.length }),
            }),
          ),
        ),
        async ({ all, rows, shuffled }) => {
          const catalogue = all.map(({ id, path }) => anEvent({ id, stream: at(path) }));
          const recordOf = ({ id, path, isBlocked, isInvalid }: (typeof rows)[number]) => {
            const before = catalogue.find((event) => event.id === id);
            const stream = path === undefined ? (before?.stream ?? at(id)) : at(path);
            const event = anEvent({ id, stream, ...(isBlocked && { geoblocking: blocked }) });
            return { ...fileRecord(event), ...(isInvalid && { title: '' }) };
          };
          const [first, second] = await Promise.all(
            [rows, shuffled].map((each) => importing(catalogue, each.map(recordOf))),
          );
          if (first === undefined || second === undefined) return;

          const outcomes = (run: typeof first) =>
            run.rows.map(({ id, outcome }) => `${id} ${outcome}`).sort();
          expect(outcomes(second)).toEqual(outcomes(first));

          const holdings = { notErc721: async () => [] };
          const problems = async (events: typeof first.catalogue) =>
            (await checkEvents({ catalogue: events, holdings }, { signing: 'cookies' })).problems;
          const known = await problems(inMemoryEvents(catalogue));
          if (known.length === 0) expect(await problems(first.catalogue)).toEqual([]);

          for (const row of rows) {
            const before = catalogue.find((event) => event.id === row.id);
            const outcome = first.rows.find(({ id }) => id === row.id);
            if (before !== undefined && row.isBlocked) {
              if (outcome?.outcome === 'refused') seen.blocksOfRefused += 1;
              for (const { catalogue: events } of [first, second]) {
                expect((await events.find(row.id))?.geoblocking).toEqual(blocked);
              }
            }
            if (row.isInvalid) seen.invalid += 1;
            else if (outcome?.outcome === 'refused') {
              seen.overlaps += 1;
              // Each event that the reasons name is there after the import.
              const others = outcome.reasons.flatMap((reason) =>
                [...reason.matchAll(/for (\w+) would also give access to (\w+)/g)].flatMap(([, a, b]) => [
                  a,
                  b,
                ]),
              );
              for (const other of others) {
                if (other !== row.id) expect(await first.catalogue.find(other ?? '')).toBeDefined();
              }
            }
          }
        },
      ),
      { numRuns: 300 },
    );
    expect(Math.min(...Object.values(seen)), JSON.stringify(seen)).toBeGreaterThan(0);
  });
});
