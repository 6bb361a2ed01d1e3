import { describe, expect, it } from 'vitest';
import { checkEvents } from '../../../operator/ott/events/check-events.ts';
import {
  type Brake,
  brakes,
  HeldImportError,
  type ImportDependencies,
} from '../../../operator/ott/events/import-event-file.ts';
import { deleteEvent } from '../../../shared/ott/catalogue/delete-event.ts';
import { setEventStatus } from '../../../shared/ott/catalogue/set-event-status.ts';
import type { Event } from '../../../shared/ott/events/event.ts';
import { systemClock } from '../../../shared/platform/time/clock.ts';
import { anEvent, fileRecord, present } from '../../support/ott/builders.ts';
import { importing, statusSetMeanwhile } from '../../support/ott/importing.ts';
import { type InMemoryEvents, inMemoryEvents } from '../../support/ott/in-memory.ts';

const statusIn = async (catalogue: InMemoryEvents) => {
  const event = await catalogue.find('match');
  return event && present(event).status;
};

const cdn = 'https://cdn.example.com';
const at = (path: string, window: Partial<Event['stream']> = {}): Event['stream'] => ({
  type: 'hls',
  url: `${cdn}/${path}/index.m3u8`,
  ...window,
});
const aRecord = (id: string, fields: Partial<Event> = {}) =>
  fileRecord(anEvent({ id, stream: at(id), ...fields }));

const exported = async (catalogue: InMemoryEvents) => {
  const records = [];
  for await (const { event } of catalogue.all()) records.push(fileRecord(event));
  return records;
};

describe('an import of events', () => {
  it('writes only the valid events, and writes nothing when it is repeated', async () => {
    const catalogue = inMemoryEvents([anEvent({ id: 'bad', title: 'As it was', stream: at('bad') })]);
    const records = [aRecord('one'), { ...aRecord('bad'), status: 'never' }];

    const first = await importing(catalogue, records);
    const second = await importing(catalogue, records);

    expect(first).toMatchObject([
      { line: 1, id: 'one', outcome: 'created', reasons: [] },
      { line: 1, id: 'bad', outcome: 'refused', reasons: [expect.stringMatching(/^status: /)] },
    ]);
    expect(second).toMatchObject([{ outcome: 'unchanged' }, { outcome: 'refused' }]);
    expect(catalogue.writes).toBe(1);
    expect((await catalogue.find('bad'))?.title).toBe('As it was');
  });

  it('shows each changed field, and writes nothing in a dry run', async () => {
    const catalogue = inMemoryEvents([anEvent({ id: 'one', stream: at('one') })]);
    const changed = aRecord('one', {
      title: 'New',
      stream: at('one', { availableFrom: '2026-05-01T00:00:00.000Z' }),
    });

    const rows = await importing(catalogue, [changed, aRecord('two')], { dryRun: true });

    expect(rows).toMatchObject([
      {
        outcome: 'changed',
        fields: [
          { field: 'title', before: 'The final', after: 'New' },
          { field: 'stream.available_from', before: undefined, after: '2026-05-01T00:00:00.000Z' },
        ],
      },
      { outcome: 'created' },
    ]);
    expect([catalogue.writes, (await catalogue.find('one'))?.title]).toEqual([0, 'The final']);
  });

  it('asks the chain only about tickets that change', async () => {
    const [known, other] = [`0x${'1'.repeat(40)}`, `0x${'2'.repeat(40)}`] as const;
    const ticketed = anEvent({ id: 'one', access: 'paid', tickets: [{ contractAddress: known }] });
    const asked: unknown[] = [];
    const holdings: ImportDependencies['holdings'] = {
      notErc721: async (contracts) => {
        asked.push(...contracts);
        return contracts;
      },
    };

    const rows = await importing(
      inMemoryEvents([ticketed]),
      [
        fileRecord({ ...ticketed, title: 'New' }),
        fileRecord({ ...ticketed, id: 'two', tickets: [{ contractAddress: other }] }),
      ],
      { holdings },
    );

    expect(rows).toMatchObject([{ outcome: 'changed' }, { outcome: 'refused' }]);
    expect(asked).toEqual([other]);
  });

  it('continues after an event that cannot be written', async () => {
    const catalogue = inMemoryEvents([]);
    const failing: InMemoryEvents = {
      ...catalogue,
      write: (changes) =>
        Promise.all(
          changes.map(async (change) =>
            change.after?.id === 'one'
              ? ({ outcome: 'failed', reason: 'Throttled' } as const)
              : ((await catalogue.write([change]))[0] ?? ({ outcome: 'conflict' } as const)),
          ),
        ),
    };

    const rows = await importing(failing, [aRecord('one'), aRecord('two')]);

    expect(rows).toMatchObject([{ outcome: 'failed', reasons: ['Throttled'] }, { outcome: 'created' }]);
    expect(await catalogue.find('two')).toBeDefined();
  });
});

describe('an import that loosens restrictions', () => {
  const rule = (countries: string[]) => ({ enabled: true, mode: 'block' as const, countries });
  const restricted = (fields: Partial<Event> = {}) =>
    anEvent({
      id: 'match',
      access: 'paid',
      geoblocking: rule(['DE', 'FR']),
      stream: at('match', { availableUntil: '2026-05-01T21:00:00.000Z', geoblocking: rule(['IT']) }),
      ...fields,
    });
  const opened: [field: string, fields: Record<string, unknown>][] = [
    ['geoblocking', { geoblocking: null }],
    ['geoblocking', { geoblocking: rule(['DE']) }],
    ['geoblocking', { geoblocking: { enabled: false } }],
    ['stream.geoblocking', { stream: { geoblocking: null } }],
    ['stream.available_until', { stream: { available_until: null } }],
    ['stream.available_until', { stream: { available_until: '2026-05-01T22:00:00Z' } }],
    ['access', { access: 'free' }],
  ];

  it.each(opened)('names %s, and asks for consent if the event is LIVE', async (field, fields) => {
    const catalogue = inMemoryEvents([restricted()]);
    const record = { event_id: 'match', ...fields };
    const asked: unknown[] = [];
    const requireConsent: ImportDependencies['requireConsent'] = async (openings) => {
      asked.push(...openings.map(({ id, loosens }) => [id, loosens]));
      throw new Error('no');
    };

    await expect(importing(catalogue, [record], { requireConsent })).rejects.toThrow('no');
    expect([asked, catalogue.writes]).toEqual([[['match', [field]]], 0]);

    const rows = await importing(catalogue, [record], { requireConsent: async () => {} });
    expect([rows[0]?.outcome, rows[0]?.loosens, catalogue.writes]).toEqual(['changed', [field], 1]);
  });

  it.each([
    ['the event is not LIVE', restricted({ status: 'UPCOMING' }), { geoblocking: null }],
    ['restrictions only tighten', restricted(), { geoblocking: rule(['DE', 'FR', 'NL']), status: 'LIVE' }],
    ['the event ends at the same time', restricted(), { geoblocking: null, status: 'CANCELLED' }],
    ['only a disabled rule ends', restricted({ geoblocking: { enabled: false } }), { geoblocking: null }],
  ])('needs no consent if %s', async (_, event, fields) => {
    const requireConsent = async () => {
      throw new Error('asked');
    };
    const rows = await importing(inMemoryEvents([event]), [{ event_id: 'match', ...fields }], {
      requireConsent,
    });

    expect(rows).toMatchObject([{ outcome: 'changed' }]);
  });

  it('fails for an event that became LIVE after the comparison', async () => {
    const catalogue = inMemoryEvents([restricted({ status: 'UPCOMING' })]);
    const racing = statusSetMeanwhile(catalogue, { id: 'match', status: 'LIVE' });

    const rows = await importing(racing, [{ event_id: 'match', geoblocking: null }]);

    expect(rows).toMatchObject([{ outcome: 'failed', reasons: [expect.stringContaining('LIVE')] }]);
    expect((await catalogue.find('match'))?.geoblocking).toEqual(rule(['DE', 'FR']));
  });
});

describe('an event status that the operator set', () => {
  const setUp = async () => {
    const catalogue = inMemoryEvents([]);
    const file = [aRecord('match', { status: 'UPCOMING' })];
    await importing(catalogue, file);
    await setEventStatus({ catalogue, clock: systemClock }, { id: 'match', status: 'LIVE' });
    const statusNow = () => statusIn(catalogue);
    return { catalogue, file, statusNow };
  };

  it('survives an import of the same file, which reports the kept status', async () => {
    const { catalogue, file, statusNow } = await setUp();

    const rows = await importing(catalogue, file);

    expect(rows).toMatchObject([{ outcome: 'unchanged', keptStatus: { stored: 'LIVE', file: 'UPCOMING' } }]);
    expect(await statusNow()).toBe('LIVE');
  });

  it('survives imports that change other fields, and later statuses set by the operator', async () => {
    const { catalogue, statusNow } = await setUp();
    await setEventStatus({ catalogue, clock: systemClock }, { id: 'match', status: 'FINISHED' });

    const rows = await importing(catalogue, [aRecord('match', { status: 'UPCOMING', title: 'New' })]);

    expect(rows).toMatchObject([{ outcome: 'changed', fields: [{ field: 'title' }] }]);
    expect(await statusNow()).toBe('FINISHED');
  });

  it("is replaced by the file's status once that differs from the status in the last import", async () => {
    const { catalogue, file, statusNow } = await setUp();

    await importing(catalogue, [aRecord('match', { status: 'CANCELLED' })]);
    expect(await statusNow()).toBe('CANCELLED');

    await importing(catalogue, file);
    expect(await statusNow()).toBe('UPCOMING');
  });

  it('is replaced at once with the option overwriteStatus', async () => {
    const { catalogue, file, statusNow } = await setUp();

    const rows = await importing(catalogue, file, { overwriteStatus: true });

    expect(rows).toMatchObject([{ outcome: 'changed', keptStatus: undefined }]);
    expect(await statusNow()).toBe('UPCOMING');
  });

  it('is part of an export, and survives imports of the file into a copy', async () => {
    const { catalogue, file, statusNow } = await setUp();
    const backup = await exported(catalogue);
    const copy = inMemoryEvents([]);

    expect(await importing(catalogue, backup)).toMatchObject([{ outcome: 'unchanged' }]);
    await importing(copy, backup);
    await importing(copy, file);

    expect([await statusNow(), await statusIn(copy)]).toEqual(['LIVE', 'LIVE']);
  });

  it('survives an import that read the event just before the status was set', async () => {
    const { catalogue, statusNow } = await setUp();
    let isFirst = true;
    const racing: InMemoryEvents = {
      ...catalogue,
      write: async (changes) => {
        if (isFirst)
          await setEventStatus({ catalogue, clock: systemClock }, { id: 'match', status: 'CANCELLED' });
        isFirst = false;
        return catalogue.write(changes);
      },
    };

    const rows = await importing(racing, [aRecord('match', { status: 'UPCOMING', title: 'New' })]);

    expect(rows).toMatchObject([{ outcome: 'changed' }]);
    expect([await statusNow(), (await catalogue.find('match'))?.title]).toEqual(['CANCELLED', 'New']);
  });
});

describe('the deletion of events that are missing in the imported file', () => {
  const catalogueOf = (count: number) =>
    inMemoryEvents(
      Array.from({ length: count }, (_, index) =>
        anEvent({ id: `e${index}`, status: index === 0 ? 'LIVE' : 'VOD', stream: at(`e${index}`) }),
      ),
    );
  const idsOf = async (catalogue: InMemoryEvents) =>
    (await exported(catalogue)).map(({ event_id }) => event_id);
  const holding = (count: number, from: number) =>
    Array.from({ length: count - from }, (_, index) => aRecord(`e${index + from}`, { status: 'VOD' }));

  it('removes a few events, but never one that is LIVE', async () => {
    const catalogue = catalogueOf(40);

    const rows = await importing(catalogue, holding(40, 3), { deleteMissing: true });

    expect(rows.filter(({ outcome }) => outcome === 'deleted').map(({ id }) => id)).toEqual(['e1', 'e2']);
    expect(await idsOf(catalogue)).toHaveLength(38);
    expect(await idsOf(catalogue)).toContain('e0');
  });

  it.each<[string, unknown[], RegExp, Brake]>([
    [
      'more than a twentieth would go',
      holding(40, 4),
      /^Nothing was changed\.\n3 of 40 events would be deleted, which is more than 5 %\. Add --force deletions to delete them\.$/,
      'deletions',
    ],
    [
      'an event is refused',
      [...holding(40, 3), { event_id: 'x' }],
      /^Nothing was changed\.\n1 event of the file is refused \(on line 1: title: .*\), so the file may be incomplete\. Correct it, or add --force refused to delete the 2 stored events that are not in the file nevertheless\.$/,
      'refused',
    ],
  ])('needs the brake to be lifted by its name when %s', async (_, records, message, brake) => {
    const catalogue = catalogueOf(40);
    const deleting = (force: Brake[]) => importing(catalogue, records, { deleteMissing: true, force });

    await expect(deleting([])).rejects.toThrow(message);
    await expect(deleting(brakes.filter((other) => other !== brake))).rejects.toThrow(message);
    expect(catalogue.writes).toBe(0);

    await deleting([brake]);
    expect((await idsOf(catalogue)).length).toBeLessThan(40);
  });

  it('needs both brakes to be lifted when both hold, also in a dry run, and says what is refused', async () => {
    const catalogue = catalogueOf(40);
    const records = [...holding(40, 10), { event_id: 'x' }, { event_id: 'y' }];
    const deleting = (force: Brake[], dryRun = false) =>
      importing(catalogue, records, { deleteMissing: true, force, dryRun });

    const held = await deleting([], true).catch((error: unknown) => error);

    expect(held).toBeInstanceOf(HeldImportError);
    expect(String(held)).toMatch(
      /2 events of the file are refused \(the first is on line 1: .*\n9 of 40 events/,
    );
    expect((held as HeldImportError).rows.filter(({ outcome }) => outcome === 'refused')).toHaveLength(2);
    await expect(deleting(['refused'])).rejects.toThrow(/^Nothing was changed\.\n9 of 40 events/);
    await expect(deleting(['deletions'])).rejects.toThrow(/^Nothing was changed\.\n2 events/);
    expect(catalogue.writes).toBe(0);
    await deleting(['refused', 'deletions']);
    expect(await idsOf(catalogue)).toHaveLength(31);
  });

  it('keeps an event whose row in the file is rejected', async () => {
    const catalogue = catalogueOf(40);
    const records = [...holding(40, 3), { ...aRecord('e2'), title: '' }];

    await importing(catalogue, records, { deleteMissing: true, force: ['refused'] });

    expect(await idsOf(catalogue)).toContain('e2');
    expect(await idsOf(catalogue)).not.toContain('e1');
  });
});

describe('two events whose streams one signature would open', () => {
  const free = (path: string, window = {}) => ({ stream: at(path, window) });

  it('are rejected, and the reason names both events', async () => {
    const catalogue = inMemoryEvents([anEvent({ id: 'stored', stream: at('a/b') })]);

    const rows = await importing(catalogue, [
      aRecord('above', { stream: at('a') }),
      aRecord('beside', free('c')),
      aRecord('twin', free('c')),
      aRecord('own', free('d')),
    ]);

    expect(rows.map(({ outcome }) => outcome)).toEqual(['refused', 'created', 'refused', 'created']);
    expect(rows[0]?.reasons.join()).toMatch(/above would also give access to stored/);
    expect(rows[2]?.reasons.join()).toMatch(/twin.*beside|beside.*twin/);
  });

  it('are rejected even if their paths are escaped differently', async () => {
    const catalogue = inMemoryEvents([anEvent({ id: 'stored', stream: at('a/b') })]);

    const rows = await importing(catalogue, [
      aRecord('above', { stream: at('%61') }),
      aRecord('beside', free('c%2Dd')),
      aRecord('twin', free('%63-d')),
    ]);

    expect(rows.map(({ outcome }) => outcome)).toEqual(['refused', 'created', 'refused']);
  });

  it('are accepted when they cannot be played at the same time', async () => {
    const noon = '2026-05-01T12:00:00.000Z';
    const rows = await importing(inMemoryEvents([]), [
      aRecord('morning', free('a', { availableUntil: noon })),
      aRecord('evening', free('a', { availableFrom: noon })),
    ]);

    expect(rows.map(({ outcome }) => outcome)).toEqual(['created', 'created']);
  });

  it('are rejected even if the other event keeps its stream only because its own row is rejected', async () => {
    const catalogue = inMemoryEvents([
      anEvent({ id: 'old', stream: at('a') }),
      anEvent({ id: 'held', stream: at('b') }),
    ]);

    const rows = await importing(catalogue, [
      // This change would make the stream `a` available for `next`, but it is refused because `b` belongs to `held`.
      aRecord('old', { stream: at('b') }),
      aRecord('next', { stream: at('a') }),
    ]);

    expect(rows.map(({ outcome }) => outcome)).toEqual(['refused', 'refused']);
    expect(catalogue.writes).toBe(0);
  });

  it('are accepted when the two events exchange their streams', async () => {
    const catalogue = inMemoryEvents([
      anEvent({ id: 'one', stream: at('a') }),
      anEvent({ id: 'two', stream: at('b') }),
    ]);

    const rows = await importing(catalogue, [
      aRecord('one', { stream: at('b') }),
      aRecord('two', { stream: at('a') }),
    ]);

    expect(rows.map(({ outcome }) => outcome)).toEqual(['changed', 'changed']);
  });

  it('are accepted when the stage signs nothing, and the check reports them for a stage that signs', async () => {
    const catalogue = inMemoryEvents([]);
    const records = [aRecord('one', free('a')), aRecord('two', free('a'))];

    const rows = await importing(catalogue, records, { signing: 'none' });

    expect(rows.map(({ outcome }) => outcome)).toEqual(['created', 'created']);
    expect(
      (await checkEvents({ catalogue, holdings: { notErc721: async () => [] } }, { signing: 'none' }))
        .problems,
    ).toEqual([]);
    expect(
      (await checkEvents({ catalogue, holdings: { notErc721: async () => [] } }, { signing: 'cookies' }))
        .problems,
    ).toMatchObject([
      { problem: expect.stringMatching(/one.*two|two.*one/) },
      { problem: expect.stringMatching(/one.*two|two.*one/) },
    ]);

    await importing(catalogue, [aRecord('two', free('b'))], { signing: 'cookies' });
    expect(
      (await checkEvents({ catalogue, holdings: { notErc721: async () => [] } }, { signing: 'cookies' }))
        .problems,
    ).toEqual([]);
  });

  it('are rejected in reasonable time even for 3,000 events in one folder', async () => {
    const records = Array.from({ length: 3_000 }, (_, index) => aRecord(`e${index}`, free('shared')));

    const rows = await importing(inMemoryEvents([]), records);

    expect(rows.filter(({ outcome }) => outcome === 'created')).toHaveLength(1);
  });
});

describe('the deletion of an event', () => {
  it('succeeds unless the event is LIVE or missing', async () => {
    const catalogue = inMemoryEvents([anEvent({ id: 'live' }), anEvent({ id: 'old', status: 'FINISHED' })]);

    await deleteEvent({ catalogue, clock: systemClock }, { id: 'old' });

    expect(await catalogue.find('old')).toBeUndefined();
    await expect(deleteEvent({ catalogue, clock: systemClock }, { id: 'live' })).rejects.toThrow(/LIVE/);
    await expect(deleteEvent({ catalogue, clock: systemClock }, { id: 'nobody' })).rejects.toThrow(
      'There is no event nobody.',
    );
  });
});
