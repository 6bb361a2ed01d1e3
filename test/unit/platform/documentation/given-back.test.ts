import { describe, expect, it } from 'vitest';
import { setEventStatus } from '../../../../shared/ott/catalogue/set-event-status.ts';
import { effectiveStatus } from '../../../../shared/ott/events/effective.ts';
import type { Event } from '../../../../shared/ott/events/event.ts';
import type { EventStatus } from '../../../../shared/ott/events/event-kinds.ts';
import { anEvent, fileRecord } from '../../../support/ott/builders.ts';
import { importing } from '../../../support/ott/importing.ts';
import { inMemoryEvents } from '../../../support/ott/in-memory.ts';

const clock = () => Date.parse('2026-05-01T20:30:00Z');

const plain = anEvent({ id: 'match', status: 'LIVE' });
const scheduled = anEvent({
  id: 'match',
  status: 'UPCOMING',
  schedule: [
    { at: '2026-05-01T20:00:00.000Z', status: 'LIVE' },
    { at: '2026-05-01T22:00:00.000Z', status: 'FINISHED' },
  ],
});

/** An event of a file that was cancelled by hand. */
const cancelled = async (file: Event) => {
  const catalogue = inMemoryEvents([file]);
  const setStatus = (status: EventStatus) => setEventStatus({ catalogue, clock }, { id: 'match', status });
  await setStatus('CANCELLED');
  return {
    setStatus,
    /** As a whole `PUT` does. */
    replace: async (after: Event) => {
      const before = await catalogue.findStored('match');
      await catalogue.write([{ before, after }]);
    },
    /** The status after an import of the same file, or of one with another status. */
    statusAfter: async (status: EventStatus = file.status, at: number = clock()) => {
      await importing(catalogue, [fileRecord({ ...file, status })], { clock: () => at });
      return effectiveStatus((await catalogue.find('match')) as Event, at);
    },
  };
};

/** docs/customer-guide.md, "A cancelled event", for editors. */
describe('an event that an editor has cancelled', () => {
  it('stays cancelled until the status in the file changes', async () => {
    for (const [file, then] of [
      [plain, 'VOD'],
      [scheduled, 'LIVE'],
    ] as const) {
      const event = await cancelled(file);

      expect(await event.statusAfter()).toBe('CANCELLED');
      expect(await event.statusAfter('VOD')).toBe(then);
    }
  });

  it('follows the file again after the status of the file was set', async () => {
    const event = await cancelled(plain);
    await event.setStatus('LIVE');

    expect(await event.statusAfter()).toBe('LIVE');
    expect(await event.statusAfter('FINISHED')).toBe('FINISHED');
  });

  it('follows its schedule again from the next entry on after a status was set', async () => {
    const event = await cancelled(scheduled);
    await event.setStatus('LIVE');

    expect(await event.statusAfter()).toBe('LIVE');
    expect(await event.statusAfter('UPCOMING', Date.parse('2026-05-01T22:00:00Z'))).toBe('FINISHED');
  });

  it('follows the file and its schedule again after it was replaced without the marks of a status set by hand', async () => {
    for (const file of [plain, scheduled]) {
      const event = await cancelled(file);
      await event.replace(file);

      expect(await event.statusAfter()).toBe('LIVE');
    }
  });

  it('is open again with the next import of the same file if it was cancelled by a whole PUT', async () => {
    for (const file of [plain, scheduled]) {
      const event = await cancelled(file);
      await event.replace({ ...file, status: 'CANCELLED' });

      expect(await event.statusAfter()).toBe('LIVE');
    }
  });
});
