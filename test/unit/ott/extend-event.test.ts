import { describe, expect, it } from 'vitest';
import { extendEvent } from '../../../operator/ott/events/extend-event.ts';
import { failureOf } from '../../../operator/platform/terminal/exit-code.ts';
import type { Event } from '../../../shared/ott/events/event.ts';
import type { EventStatus } from '../../../shared/ott/events/event-kinds.ts';
import { anEvent, anOttApplication, fileRecord, present } from '../../support/ott/builders.ts';
import { ottCalls } from '../../support/ott/calls.ts';
import { importing } from '../../support/ott/importing.ts';
import { type InMemoryEvents, inMemoryEvents, saveEvent } from '../../support/ott/in-memory.ts';

const at = (time: string) => `2026-05-01T${time}:00.000Z`;
const stream = (fields: Partial<Event['stream']> = {}) =>
  ({ type: 'hls', url: 'https://streams.example.com/final/index.m3u8', ...fields }) as const;
const match = (fields: Partial<Event> = {}) =>
  anEvent({ endsAt: at('20:00'), stream: stream({ availableUntil: at('20:15') }), ...fields });

const setUp = (events: readonly Event[], now = at('19:50')) => {
  const catalogue = inMemoryEvents(events);
  const state = { now: Date.parse(now) };
  const clock = () => state.now;
  const extend = (minutes: number, id = 'final') =>
    extendEvent({ catalogue, clock }, { id, minutes, signing: 'cookies' });
  const refusal = async (minutes: number, id = 'final') => {
    const error = await extend(minutes, id).catch((thrown: unknown) => thrown);
    expect(catalogue.writes).toBe(0);
    return failureOf(error)?.message;
  };
  return { catalogue, clock, state, extend, refusal };
};

describe('the extension of an event', () => {
  it('moves the end of the event and of its stream, so that viewers can continue to play', async () => {
    const { catalogue, clock, state, extend } = setUp([match()]);
    const calls = ottCalls({ events: catalogue, applications: [anOttApplication()], clock });

    expect(await extend(30)).toEqual({
      before: { ends_at: at('20:00'), available_until: at('20:15') },
      after: { ends_at: at('20:30'), available_until: at('20:45') },
      contradictions: [],
    });

    state.now = Date.parse(at('20:40'));
    expect((await calls.stream('final')).status).toBe(200);
    expect((await calls.get('final')).body).toMatchObject({ ends_at: at('20:30'), status: 'LIVE' });
    state.now = Date.parse(at('20:45'));
    expect((await calls.stream('final')).status).toBe(404);
  });

  it('moves only the ends that exist, and for a recording only the end of the stream', async () => {
    expect(await setUp([match({ endsAt: null })]).extend(5)).toEqual({
      before: { available_until: at('20:15') },
      after: { available_until: at('20:20') },
      contradictions: [],
    });
    expect(await setUp([match({ stream: stream() })]).extend(5)).toEqual({
      before: { ends_at: at('20:00') },
      after: { ends_at: at('20:05') },
      contradictions: [],
    });
    const recording = setUp([match({ status: 'VOD' })]);
    await recording.extend(5);
    expect(present((await recording.catalogue.find('final')) as Event)).toMatchObject({
      endsAt: at('20:00'),
      stream: { availableUntil: at('20:20') },
    });
  });

  describe('that has a schedule', () => {
    const dayAfter = '2026-05-02T06:00:00.000Z';
    const entry = (when: string, status: EventStatus) => ({ at: when, status });
    const schedule = [
      entry(at('18:00'), 'LIVE'),
      entry(at('20:00'), 'FINISHED'),
      entry(dayAfter, 'VOD'),
    ] as const;
    const scheduled = (fields: Partial<Event> = {}) =>
      match({ status: 'UPCOMING', schedule: [...schedule], ...fields });
    const prolonged = [
      entry(at('18:00'), 'LIVE'),
      entry(at('20:30'), 'FINISHED'),
      entry('2026-05-02T06:30:00.000Z', 'VOD'),
    ];

    it('moves the entry that ends the event and those after it, so that viewers can continue to play', async () => {
      const { catalogue, clock, state, extend } = setUp([scheduled()]);
      const calls = ottCalls({ events: catalogue, applications: [anOttApplication()], clock });

      const { before, after } = await extend(30);

      expect([before.schedule, after.schedule]).toEqual([schedule, prolonged]);
      state.now = Date.parse(at('20:29'));
      expect((await calls.stream('final')).status).toBe(200);
      state.now = Date.parse(at('20:30'));
      expect((await calls.stream('final')).status).toBe(404);
    });

    it('leaves the kick-off of an event to come where it is', async () => {
      expect((await setUp([scheduled()], at('17:00')).extend(30)).after.schedule).toEqual(prolonged);
    });

    it('also moves the end of a recording, and an end that only the schedule has', async () => {
      const [, end] = schedule;
      const recording = setUp([match({ status: 'VOD', stream: stream(), schedule: [end] })]);
      const endless = setUp([match({ status: 'LIVE', endsAt: null, stream: stream(), schedule: [end] })]);

      for (const { extend } of [recording, endless])
        expect((await extend(5)).after).toEqual({ schedule: [entry(at('20:05'), 'FINISHED')] });
    });

    it('keeps the moved entries, and says so, until the schedule changes in the file', async () => {
      const { catalogue, extend } = setUp([scheduled()]);
      await extend(10);
      await extend(20);
      const file = fileRecord(scheduled());
      const importAt = (record: object) =>
        importing(catalogue, [record], { clock: () => Date.parse(at('19:55')) });
      const stored = async () => present((await catalogue.find('final')) as Event);

      const [same] = await importAt(file);
      expect(same?.keptEnds?.at(-1)).toMatchObject({ field: 'schedule' });
      expect((await stored())?.schedule).toEqual(prolonged);
      await importAt({ event_id: 'final', title: 'New' });
      expect((await stored())?.schedule).toEqual(prolonged);

      const another = schedule.slice(0, 2);
      await importAt({ ...file, schedule: another });
      expect(await stored()).toMatchObject({ schedule: another });
      expect((await catalogue.find('final'))?.hand.schedule).toBeUndefined();
    });
  });

  it('is rejected with an explanation when it would change nothing for a viewer', async () => {
    const over = at('20:20');

    expect(await setUp([]).refusal(5)).toBe('There is no event final.');
    expect(await setUp([match({ status: 'FINISHED' })]).refusal(5)).toBe(
      'Event final is FINISHED, so nobody can play it: set it to LIVE or VOD first.',
    );
    expect(await setUp([match({ endsAt: null, stream: stream() })]).refusal(5)).toBe(
      'Event final has no end that can be extended: its stream has no available_until, the event no ends_at, and its schedule no end.',
    );
    expect(await setUp([match()], over).refusal(5)).toBe(
      `Event final ended at ${at('20:15')}. With 5 more minutes its end would still have passed: extend it by at least 6.`,
    );
    expect((await setUp([match()], over).extend(6)).after.available_until).toBe(at('20:21'));
  });

  it('is rejected when the stream would overlap with another event in the same folder', async () => {
    const next = anEvent({
      id: 'next',
      stream: stream({ url: 'https://streams.example.com/final/next.m3u8', availableFrom: at('20:30') }),
    });

    expect(await setUp([match(), next]).refusal(30)).toMatch(/^Event final was not changed: .*final.*next/);
    expect((await setUp([match(), next]).extend(10)).after.available_until).toBe(at('20:25'));
  });

  const fileOf = (fields: object = {}, ofStream: object = {}) => {
    const { stream: record, ...own } = fileRecord(match());
    return { ...own, ...fields, stream: { ...record, ...ofStream } };
  };
  const ends = async (catalogue: InMemoryEvents) => {
    const stored = await catalogue.find('final');
    const event = stored && present(stored);
    return [event?.endsAt, event?.stream?.availableUntil];
  };

  it('survives imports of the unchanged file and of a partial file, which report the kept ends', async () => {
    const { catalogue, extend } = setUp([match()]);
    await extend(10);
    await extend(20);
    const partial = { event_id: 'final', description: 'New' };

    for (const record of [fileOf(), fileOf({ title: 'New' }), partial, fileOf()]) {
      const [row] = await importing(catalogue, [record]);

      expect(row?.outcome).not.toBe('refused');
      expect(await ends(catalogue)).toEqual([at('20:30'), at('20:45')]);
      expect(row?.keptEnds?.map(({ field, stored, file }) => [field, stored, file])).toEqual(
        record === partial
          ? undefined
          : [
              ['ends_at', at('20:30'), at('20:00')],
              ['stream.available_until', at('20:45'), at('20:15')],
            ],
      );
      expect(row?.loosens).toBeUndefined();
    }
  });

  it('survives an import of an earlier export', async () => {
    const { catalogue, extend } = setUp([match()]);
    await extend(10);
    const exported = (await catalogue.find('final')) as Event;
    await extend(20);

    await importing(catalogue, [fileRecord(exported)]);
    expect(await ends(catalogue)).toEqual([at('20:30'), at('20:45')]);

    const elsewhere = inMemoryEvents([]);
    await importing(elsewhere, [fileRecord(exported)]);
    await importing(elsewhere, [fileOf()]);
    expect(await ends(elsewhere)).toEqual([at('20:10'), at('20:25')]);
  });

  it('ends, separately for each end, when an import changes that end in the file', async () => {
    const { catalogue, extend } = setUp([match()]);
    await extend(30);

    await importing(catalogue, [fileOf({ ends_at: at('20:10') })]);
    expect(await ends(catalogue)).toEqual([at('20:10'), at('20:45')]);
    await importing(catalogue, [fileOf({}, { available_until: at('20:45') })]);
    expect(await ends(catalogue)).toEqual([at('20:00'), at('20:45')]);

    await importing(catalogue, [fileOf()]);
    expect(await catalogue.find('final')).toEqual(match());
  });

  it('is rejected if somebody else changed the event in the meantime', async () => {
    const { catalogue, clock } = setUp([match()]);
    const racing = {
      ...catalogue,
      findAllStored: async (ids: readonly string[]) => {
        const stored = await catalogue.findAllStored(ids);
        await saveEvent(catalogue, match({ title: 'Changed' }));
        return stored;
      },
    };

    await expect(
      extendEvent({ catalogue: racing, clock }, { id: 'final', minutes: 5, signing: 'cookies' }),
    ).rejects.toThrow('Somebody else changed event final');
    expect(await catalogue.find('final')).toMatchObject({ title: 'Changed', endsAt: at('20:00') });
  });
});
