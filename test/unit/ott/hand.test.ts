import { describe, expect, it } from 'vitest';
import { putEvent } from '../../../shared/ott/catalogue/put-event.ts';
import { setEventStatus } from '../../../shared/ott/catalogue/set-event-status.ts';
import { effectiveStatus } from '../../../shared/ott/events/effective.ts';
import type { Event } from '../../../shared/ott/events/event.ts';
import type { EventStatus } from '../../../shared/ott/events/event-kinds.ts';
import { eventRecord, eventRecordSchema } from '../../../shared/ott/events/event-record.ts';
import { anEvent, fileRecord } from '../../support/ott/builders.ts';
import { importing } from '../../support/ott/importing.ts';
import { inMemoryEvents } from '../../support/ott/in-memory.ts';

const at = (time: string): string => `2026-05-01T${time}:00.000Z`;
const clockAt = (time: string) => () => Date.parse(at(time));
const schedule = [
  { at: at('20:00'), status: 'LIVE' },
  { at: at('22:00'), status: 'VOD' },
] as const;
const scheduled = anEvent({ id: 'match', status: 'UPCOMING', endsAt: null, schedule });
const plain = anEvent({ id: 'match', status: 'LIVE', endsAt: null });

const catalogueOf = (event: Event) => {
  const catalogue = inMemoryEvents([event]);
  const find = async () => (await catalogue.find('match')) as Event;
  return {
    catalogue,
    find,
    statusAt: async (time: string) => effectiveStatus(await find(), clockAt(time)()),
    set: (status: EventStatus, time: string) =>
      setEventStatus({ catalogue, clock: clockAt(time) }, { id: 'match', status }),
    importAt: (fields: object, time: string, options = {}) =>
      importing(catalogue, [{ ...fileRecord(event), ...fields }], { clock: clockAt(time), ...options }),
    /** What an editor does who reads the event, and sends it back with another title. */
    getAndPut: async (time: string, { withMarks }: { readonly withMarks: boolean }) => {
      const { status_in_file, status_set_at, ...record } = eventRecord(await find(), clockAt(time)());
      const marks = withMarks ? { status_in_file, status_set_at } : {};
      return putEvent(
        {
          catalogue,
          clock: clockAt(time),
          holdings: { notErc721: async () => [] },
          pause: async () => {},
          newLife: () => 'life',
        },
        {
          event: eventRecordSchema.parse({ ...record, ...marks, title: 'Another' }),
          signing: 'cookies',
          requireExpected: () => {},
        },
      );
    },
  };
};

/** The corner cases of docs/hand.md. */
describe('a hand over a status that was given', () => {
  it('lets entries count over the CANCELLED of the file, also after the same file, until the file gives another status', async () => {
    const { set, statusAt, importAt, find } = catalogueOf(scheduled);
    await importAt({ status: 'CANCELLED' }, '19:00');
    expect(await statusAt('20:30')).toBe('CANCELLED');

    await set('UPCOMING', '19:30');
    expect([await statusAt('19:45'), await statusAt('20:30')]).toEqual(['UPCOMING', 'LIVE']);
    expect(await importAt({ status: 'CANCELLED' }, '20:40')).toMatchObject([{ outcome: 'unchanged' }]);
    expect(await statusAt('20:41')).toBe('LIVE');

    await importAt({ status: 'UPCOMING' }, '20:50');
    expect([await statusAt('20:52'), (await find()).hand.status]).toEqual(['LIVE', undefined]);
    await importAt({ status: 'CANCELLED' }, '20:55');
    expect(await statusAt('20:56')).toBe('CANCELLED');
  });

  it.each([
    [plain, true, 'CANCELLED'],
    [plain, false, 'LIVE'],
    [scheduled, true, 'CANCELLED'],
    [scheduled, false, 'LIVE'],
  ] as const)(
    'stays if an editor sends back what was read with the marks only',
    async (event, withMarks, then) => {
      const { set, statusAt, getAndPut, importAt } = catalogueOf(event);
      await set('CANCELLED', '19:55');

      await getAndPut('20:10', { withMarks });
      expect(await statusAt('20:15')).toBe('CANCELLED');
      await importAt({ title: 'Another' }, '20:20');

      expect(await statusAt('20:30')).toBe(then);
    },
  );

  it('stays with another schedule, of which the entries up to it do not count', async () => {
    const { set, statusAt, importAt } = catalogueOf(scheduled);
    await set('FINISHED', '20:30');
    expect(await statusAt('22:00')).toBe('VOD');

    await importAt({ schedule: [{ at: at('20:10'), status: 'LIVE' }] }, '22:30');
    expect(await statusAt('22:30')).toBe('FINISHED');
  });

  it('is taken back by --overwrite-status, also if an entry has come since, but not by a row without a status', async () => {
    const { set, importAt, find, catalogue } = catalogueOf(scheduled);
    await set('FINISHED', '20:30');

    const row = { event_id: 'match', description: 'New' };
    await importing(catalogue, [row], { clock: clockAt('22:30'), overwriteStatus: true });
    expect((await find()).hand.status).toEqual({ value: 'FINISHED', at: at('20:30') });
    await importAt({ description: 'New' }, '22:31', { overwriteStatus: true });
    expect((await find()).hand.status).toBeUndefined();
  });
});

describe('an import of a whole catalogue', () => {
  it('gives an event another id, with the path that it has', async () => {
    const { catalogue, importAt } = catalogueOf({ ...plain, status: 'VOD' });

    const rows = await importAt({ event_id: 'cup' }, '20:00', { deleteMissing: true, force: ['deletions'] });

    expect(rows).toMatchObject([
      { id: 'cup', outcome: 'created' },
      { id: 'match', outcome: 'deleted' },
    ]);
    expect([await catalogue.find('match'), (await catalogue.find('cup'))?.stream]).toEqual([
      undefined,
      plain.stream,
    ]);
  });
});
