import { describe, expect, it } from 'vitest';
import { findEvent } from '../../../operator/stage/find/event-timeline.ts';
import type { Event } from '../../../shared/ott/events/event.ts';
import type { PastChange } from '../../../shared/ott/ports/event-history.ts';
import { anEvent } from '../../support/ott/builders.ts';

const now = Date.parse('2026-05-01T18:30:00Z');

const aChange = (overrides: Partial<PastChange> = {}): PastChange => ({
  at: '2026-04-01T09:00:00.000Z',
  by: 'editor newsroom',
  version: 1,
  kind: 'created',
  fields: [],
  opens: [],
  ...overrides,
});

/** `history` has the latest change first. */
const finding = (stored: { event: Event; version: number } | undefined, history: readonly PastChange[]) =>
  findEvent(
    {
      catalogue: {
        findStored: async () => stored && { ...stored, presentStatus: stored.event.status, life: undefined },
      },
      eventHistory: { of: async () => history },
      clock: () => now,
    },
    'final',
  );

const told = async (...given: Parameters<typeof finding>) =>
  (await finding(...given))?.moments.map(({ at, what }) => [at, what]);

describe('the timeline of an event', () => {
  const retitled = aChange({
    at: '2026-05-01T19:00:00.000Z',
    by: 'operator arn:aws:iam::123456789012:user/jane',
    version: 2,
    kind: 'changed',
    fields: ['title', 'stream'],
  });

  it('shows who changed which fields when, in order with the times of the event and its schedule', async () => {
    const event = anEvent({ schedule: [{ at: '2026-05-01T18:00:01.000Z', status: 'LIVE' }] });

    expect(await told({ event, version: 2 }, [retitled, aChange()])).toEqual([
      ['2026-04-01T09:00:00.000Z', 'created by editor newsroom'],
      ['2026-05-01T18:00:00.000Z', 'starts'],
      ['2026-05-01T18:00:01.000Z', 'its schedule says LIVE'],
      ['2026-05-01T19:00:00.000Z', 'changed by operator arn:aws:iam::123456789012:user/jane: title, stream'],
      ['2026-05-01T20:00:00.000Z', 'ends'],
    ]);
  });

  it('notes that earlier changes are not recorded, if there were any', async () => {
    const [first] = (await told({ event: anEvent(), version: 3 }, [retitled])) ?? [];

    expect(first).toEqual([
      undefined,
      'the last 50 changes are recorded, and of earlier ones those that opened the event; the function’s log and CloudTrail show the others',
    ]);
  });

  it('names the commands that show the event and its whole history', async () => {
    expect((await finding({ event: anEvent(), version: 1 }, [aChange()]))?.commands).toEqual([
      'events show final',
      'events history final',
    ]);
  });

  it('of a deleted event is its history alone, oldest change first', async () => {
    const deleted = aChange({ at: '2026-06-01T09:00:00.000Z', version: 2, kind: 'deleted' });

    expect(await finding(undefined, [deleted, aChange()])).toMatchObject({
      kind: 'event',
      fields: { state: 'deleted' },
      moments: [{ what: 'created by editor newsroom' }, { what: 'deleted by editor newsroom' }],
      commands: ['events history final'],
    });
  });

  it('does not exist for an id that no event ever had', async () => {
    expect(await finding(undefined, [])).toBeUndefined();
  });
});
