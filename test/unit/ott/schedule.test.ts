import { describe, expect, it } from 'vitest';
import { setEventStatus } from '../../../shared/ott/catalogue/set-event-status.ts';
import { effectiveStatus, entriesAhead } from '../../../shared/ott/events/effective.ts';
import type { Event } from '../../../shared/ott/events/event.ts';
import { type EventStatus, eventStatuses } from '../../../shared/ott/events/event-kinds.ts';
import {
  eventRecord,
  eventRecordSchema,
  exportedEventRecord,
  storedEventSchema,
} from '../../../shared/ott/events/event-record.ts';
import { withTime } from '../../../shared/ott/events/marks.ts';
import { anEvent, fileRecord } from '../../support/ott/builders.ts';
import { importing } from '../../support/ott/importing.ts';
import { inMemoryEvents } from '../../support/ott/in-memory.ts';

const at = (time: string): string => `2026-05-01T${time}.000Z`;
const now = (time: string): number => Date.parse(at(time));

/** LIVE at 20:00, FINISHED at 22:00, VOD at 23:00. */
const schedule = [
  { at: at('20:00:00'), status: 'LIVE' },
  { at: at('22:00:00'), status: 'FINISHED' },
  { at: at('23:00:00'), status: 'VOD' },
] as const;
const match = anEvent({ id: 'match', status: 'UPCOMING', startsAt: at('20:00:00'), endsAt: null, schedule });
const record = fileRecord(match);

const catalogueOf = (event: Event) => {
  const catalogue = inMemoryEvents([event]);
  const stored = async (): Promise<Event> => (await catalogue.find('match')) as Event;
  return {
    catalogue,
    stored,
    statusAt: async (time: string) => effectiveStatus(await stored(), now(time)),
    setStatus: (status: EventStatus, time: string) =>
      setEventStatus({ catalogue, clock: () => now(time) }, { id: 'match', status }),
    /** What an editor does who reads the event at a time, and sends it back by another clock. */
    put: async (readAt: string, time: string) => {
      const event = eventRecordSchema.parse(eventRecord(await stored(), now(readAt)));
      const before = await catalogue.findStored('match');
      await catalogue.write([{ before, after: withTime(event, before?.event, now(time)) }]);
    },
    import: async (fields: object, time: string, options = {}) => {
      const [row] = await importing(catalogue, [{ ...record, ...fields }], {
        clock: () => now(time),
        ...options,
      });
      return row;
    },
  };
};

describe("the schedule of an event's statuses", () => {
  it('accepts one to ten entries with a time zone, each later than the one before', () => {
    const mistakesOf = (entries: unknown) =>
      eventRecordSchema
        .safeParse({ ...record, schedule: entries })
        .error?.issues.map(({ path, message }) => [path.join('.'), message]);
    const entry = (minute: number) => ({ at: at(`20:${10 + minute}:00`), status: 'LIVE' });

    expect(mistakesOf(Array.from({ length: 10 }, (_, minute) => entry(minute)))).toBeUndefined();
    expect(mistakesOf(Array.from({ length: 11 }, (_, minute) => entry(minute)))).toEqual([
      ['schedule', 'must be at most 10 entries'],
    ]);
    expect(mistakesOf([])).toEqual([['schedule', 'must not be empty; leave the field out instead']]);
    const rising = ['schedule', 'must be in the order of time, each entry later than the one before'];
    expect(mistakesOf([entry(1), entry(1)])).toEqual([rising]);
    expect(mistakesOf([{ at: '2026-05-01T20:00:00+02:00', status: 'LIVE' }, entry(0)])).toBeUndefined();
    expect(mistakesOf([entry(0), { at: '2026-05-01T20:30:00+02:00', status: 'VOD' }])).toEqual([rising]);
    expect(mistakesOf([{ at: '2026-05-01T20:00:00', status: 'LIVE' }])).toMatchObject([
      ['schedule.0.at', {}],
    ]);
    expect(mistakesOf([{ at: at('20:00:00'), status: 'OVER' }])).toMatchObject([['schedule.0.status', {}]]);
    expect(mistakesOf([{ ...entry(0), country: 'DE' }])).toMatchObject([['schedule.0', {}]]);
  });

  it('determines the status to the second', () => {
    const statuses: [string, EventStatus][] = [
      ['19:59:59', 'UPCOMING'],
      ['20:00:00', 'LIVE'],
      ['21:59:59', 'LIVE'],
      ['22:00:00', 'FINISHED'],
      ['23:00:00', 'VOD'],
    ];
    for (const [time, status] of statuses)
      expect([time, effectiveStatus(match, now(time))]).toEqual([time, status]);
    expect(exportedEventRecord(match, now('23:30:00'))).toEqual(record);
  });

  it('ends a status that the operator set, at the time of its next entry', async () => {
    const { setStatus, statusAt } = catalogueOf(match);

    await setStatus('FINISHED', '20:30:00');
    expect(await statusAt('21:59:59')).toBe('FINISHED');
    await setStatus('LIVE', '20:40:00');
    expect(await statusAt('21:59:59')).toBe('LIVE');
    expect(await statusAt('22:00:00')).toBe('FINISHED');
  });

  it('counts no earlier entry again where the next one is not due yet by another clock', async () => {
    const { setStatus, put, statusAt } = catalogueOf(match);
    await setStatus('UPCOMING', '20:30:00');

    await put('22:00:10', '21:59:50');

    expect(await statusAt('21:59:50')).not.toBe('LIVE');
    expect(await statusAt('22:00:00')).toBe('FINISHED');
  });

  it('lets the entries count if the operator sets another status than the CANCELLED of the file', async () => {
    const { setStatus, put, statusAt, import: again } = catalogueOf({ ...match, status: 'CANCELLED' });
    await setStatus('UPCOMING', '19:00:00');

    await put('20:02:00', '20:02:01');

    expect(await statusAt('20:03:00')).toBe('LIVE');
    expect(await again({ status: 'CANCELLED' }, '20:03:00')).toMatchObject({ outcome: 'unchanged' });
    expect(await statusAt('22:00:00')).toBe('FINISHED');
  });

  it.each(['19:55:00', '20:30:00'])(
    'never replaces the status CANCELLED that the operator set at %s',
    async (time) => {
      const { setStatus, stored, statusAt } = catalogueOf(match);

      await setStatus('CANCELLED', time);

      expect(await statusAt('23:59:00')).toBe('CANCELLED');
      expect(entriesAhead(await stored(), now(time))).toEqual([]);
    },
  );

  it('does not replace CANCELLED from the file or from the operator in an earlier release', async () => {
    const inFile = anEvent({ ...match, status: 'CANCELLED' });
    const byHand = storedEventSchema.parse({
      ...record,
      status: 'CANCELLED',
      status_in_file: 'UPCOMING',
    }).event;

    expect([effectiveStatus(inFile, now('21:00:00')), effectiveStatus(byHand, now('21:00:00'))]).toEqual([
      'CANCELLED',
      'CANCELLED',
    ]);
    const { statusAt, import: again } = catalogueOf(byHand);
    await again({ title: 'The match' }, '19:00:00');
    expect(await statusAt('21:00:00')).toBe('CANCELLED');
  });

  it('can cancel an event and continue it later', async () => {
    const rained = [
      { at: at('20:00:00'), status: 'CANCELLED' },
      { at: at('21:00:00'), status: 'LIVE' },
    ] as const;
    const { setStatus, statusAt } = catalogueOf({ ...match, schedule: rained });

    expect([await statusAt('20:30:00'), await statusAt('21:00:00')]).toEqual(['CANCELLED', 'LIVE']);
    await setStatus('CANCELLED', '20:40:00');
    expect(await statusAt('21:00:00')).toBe('CANCELLED');
  });
});

describe('an export', () => {
  const schedules = [
    schedule,
    undefined,
    [{ at: at('20:00:00'), status: 'CANCELLED' }],
    [
      { at: at('20:00:00'), status: 'CANCELLED' },
      { at: at('22:00:00'), status: 'LIVE' },
    ],
  ] as const;
  const inFiles = [undefined, ...eventStatuses];
  const setAts = [undefined, '19:30:00', '20:30:00', '22:30:00'];
  const events = schedules.flatMap((entries) =>
    eventStatuses.flatMap((status) =>
      inFiles.flatMap((statusInFile) =>
        setAts.map((setAt) =>
          anEvent({
            ...match,
            status: statusInFile ?? status,
            schedule: entries,
            hand:
              statusInFile === undefined && setAt === undefined
                ? {}
                : { status: { value: status, at: at(setAt ?? '18:00:00') } },
          }),
        ),
      ),
    ),
  );

  it.each(['19:00:00', '20:15:00', '22:15:00', '23:15:00'])(
    'at %s gives an empty catalogue the same status at all later times',
    async (time) => {
      const times = ['19:00:00', '20:15:00', '21:00:00', '22:15:00', '23:15:00'].filter(
        (each) => each >= time,
      );
      const statusesOf = (event: Event) => times.map((each) => effectiveStatus(event, now(each)));

      const copied = inMemoryEvents([]);
      const ids = events.map((event, index) => ({ ...event, id: `event-${index}`, stream: undefined }));
      await importing(
        copied,
        ids.map((event) => exportedEventRecord(event, now(time))),
        { clock: () => now(time) },
      );

      for (const event of ids) {
        const copy = await copied.find(event.id);
        expect([event, copy && statusesOf(copy)]).toEqual([event, statusesOf(event)]);
      }
    },
  );
});

describe('an import of an event with a schedule', () => {
  it('changes nothing for the same file at any time', async () => {
    const all = catalogueOf(match);

    for (const time of ['19:00:00', '20:30:00', '20:31:00', '22:30:00', '23:30:00']) {
      const { writes } = all.catalogue;
      expect(await all.import({}, time)).toMatchObject({ outcome: 'unchanged', keptStatus: undefined });
      expect(all.catalogue.writes).toBe(writes);
    }
  });

  it('stores the status of the present time together with another change or a new event', async () => {
    const { stored, import: importRecord } = catalogueOf(match);

    expect(await importRecord({ title: 'Derby' }, '20:30:00')).toMatchObject({
      outcome: 'changed',
      fields: [{ field: 'title' }],
    });
    expect(eventRecord(await stored(), now('20:30:00'))).toMatchObject({
      status: 'LIVE',
      status_in_file: 'UPCOMING',
    });

    const catalogue = inMemoryEvents([]);
    const [row] = await importing(catalogue, [{ ...record, event_id: 'late' }], {
      clock: () => now('22:30:00'),
    });
    expect(row?.outcome).toBe('created');
    expect(await catalogue.find('late')).toMatchObject({ status: 'UPCOMING', hand: {} });
  });

  it("applies a changed schedule at once, but keeps the operator's status until the next entry", async () => {
    const later = [{ at: at('20:45:00'), status: 'LIVE' }];
    const byFile = catalogueOf(match);
    await byFile.import({ schedule: later }, '20:30:00');
    expect([await byFile.statusAt('20:30:00'), await byFile.statusAt('20:45:00')]).toEqual([
      'UPCOMING',
      'LIVE',
    ]);

    const byHand = catalogueOf(match);
    await byHand.setStatus('FINISHED', '20:20:00');
    expect(await byHand.import({ schedule: later }, '20:30:00')).toMatchObject({
      keptStatus: { stored: 'FINISHED', file: 'UPCOMING' },
    });
    expect([await byHand.statusAt('20:44:59'), await byHand.statusAt('20:45:00')]).toEqual([
      'FINISHED',
      'LIVE',
    ]);
  });

  it("adds a schedule to an event with the operator's status, which remains until the next entry", async () => {
    const { schedule: _, ...unscheduled } = match;
    const { setStatus, statusAt, import: importRecord } = catalogueOf(unscheduled);
    await setStatus('FINISHED', '20:20:00');

    await importRecord({}, '20:30:00');

    expect([await statusAt('21:59:59'), await statusAt('23:00:00')]).toEqual(['FINISHED', 'VOD']);
  });

  it("keeps the operator's CANCELLED, even with another schedule, until the import overwrites it", async () => {
    const { setStatus, statusAt, import: importRecord } = catalogueOf(match);
    await setStatus('CANCELLED', '19:55:00');

    expect((await importRecord({}, '19:57:00'))?.outcome).toBe('unchanged');
    await importRecord({ schedule: [{ at: at('20:10:00'), status: 'LIVE' }] }, '19:58:00');
    expect(await statusAt('20:10:00')).toBe('CANCELLED');
    await importRecord({}, '20:20:00', { overwriteStatus: true });
    expect(await statusAt('20:20:00')).toBe('LIVE');
  });

  it('applies CANCELLED from the file at once, even from a row that is rejected', async () => {
    const accepted = catalogueOf(match);
    await accepted.import({ status: 'CANCELLED' }, '20:30:00');
    expect(await accepted.statusAt('22:30:00')).toBe('CANCELLED');

    const refused = catalogueOf(match);
    expect(await refused.import({ status: 'CANCELLED', title: '' }, '20:30:00')).toMatchObject({
      outcome: 'refused',
      fields: [{ field: 'status' }, { field: 'status_in_file' }],
    });
    expect(await refused.statusAt('22:30:00')).toBe('CANCELLED');
  });
});
