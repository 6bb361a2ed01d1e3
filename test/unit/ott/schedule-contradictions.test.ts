import { describe, expect, it } from 'vitest';
import { checkEvents } from '../../../operator/ott/events/check-events.ts';
import type { Event } from '../../../shared/ott/events/event.ts';
import { anEvent } from '../../support/ott/builders.ts';
import { inMemoryEvents } from '../../support/ott/in-memory.ts';

const at = (time: string): string => `2026-05-01T${time}:00.000Z`;
const schedule = [
  { at: at('18:00'), status: 'LIVE' },
  { at: at('20:00'), status: 'FINISHED' },
  { at: at('21:00'), status: 'VOD' },
] as const;

/** The problems that `events check` reports for an event from 18:00 to 20:00. */
const said = async (fields: Partial<Event>, window: Partial<NonNullable<Event['stream']>> = {}) => {
  const stream = { type: 'hls' as const, url: 'https://streams.example.com/final/index.m3u8', ...window };
  const catalogue = inMemoryEvents([anEvent({ schedule, ...fields, stream })]);
  const holdings = { notErc721: async () => [] };
  const clock = () => Date.parse(at('17:55'));
  const checked = await checkEvents({ catalogue, holdings, clock }, { signing: 'cookies' });
  const { contradictions, problems } = checked;
  expect(problems).toEqual([]);
  return contradictions.map(({ problem }) => problem);
};

describe('the check of stored events', () => {
  it('reports nothing about a schedule that agrees with the times of the event', async () => {
    expect(await said({})).toEqual([]);
    expect(await said({}, { availableFrom: at('17:30'), availableUntil: at('23:00') })).toEqual([]);
  });

  it('reports entries that contradict the times of the event or of its stream', async () => {
    expect(await said({ endsAt: null, startsAt: at('20:30') })).toEqual([
      `schedule: FINISHED from ${at('20:00')}, but the event starts at ${at('20:30')}`,
    ]);
    expect(await said({ startsAt: at('17:00'), endsAt: at('17:30') })).toEqual([
      `schedule: LIVE from ${at('18:00')}, but the event ends at ${at('17:30')}`,
    ]);
    expect(await said({}, { availableFrom: at('18:30'), availableUntil: at('19:30') })).toEqual([
      `schedule: LIVE from ${at('18:00')}, but its stream is available only from ${at('18:30')}`,
      `schedule: LIVE until ${at('20:00')}, but its stream is available only until ${at('19:30')}`,
      `schedule: VOD from ${at('21:00')}, but its stream is not available at any time until the next entry`,
    ]);
    expect(await said({}, { availableFrom: at('20:00') })).toEqual([
      `schedule: LIVE from ${at('18:00')}, but its stream is not available at any time until the next entry`,
    ]);
  });

  it('reports that no entry counts if the status in the file is CANCELLED', async () => {
    expect(await said({ status: 'CANCELLED' })).toEqual([
      'schedule: no entry counts, because the status in the file is CANCELLED',
    ]);
  });

  it('reports until the last entry that none counts because somebody has set CANCELLED', async () => {
    const cancelled = {
      status: 'UPCOMING',
      hand: { status: { value: 'CANCELLED', at: at('17:55') } },
    } as const;

    expect(await said(cancelled)).toEqual([
      `schedule: no entry counts, because CANCELLED was set by hand at ${at('17:55')}`,
    ]);
    expect(
      await said({ ...cancelled, startsAt: at('17:00'), schedule: [{ at: at('17:50'), status: 'LIVE' }] }),
    ).toEqual([]);
    // Somebody has set LIVE in spite of the file: the entries that follow count.
    expect(await said({ status: 'CANCELLED', hand: { status: { value: 'LIVE', at: at('17:54') } } })).toEqual(
      [],
    );
  });
});
