import type { Logger } from '../../platform/logger.ts';
import type { Clock } from '../../platform/time/clock.ts';
import { changeDue, effectiveStatus } from '../events/effective.ts';
import type { Catalogue, EventChange, StoredEvent } from '../ports/catalogue.ts';

/** How many events are read and written together. */
const eventsAtOnce = 100;

export interface ApplySchedulesDependencies {
  readonly catalogue: Pick<Catalogue, 'changesDue' | 'findAllStored' | 'write'>;
  readonly clock: Clock;
  readonly logger: Pick<Logger, 'error'>;
}

/**
 * Stores the status of each event for which an entry of its schedule is due, the oldest first, until `until` (epoch
 * milliseconds). Decisions and lists do not wait for it. If another writer changes an event at the same time, nothing
 * is left to do, because every writer stores the status of the moment.
 *
 * @throws the first failure, after all other events.
 */
export const applySchedules = async (
  { catalogue, clock, logger }: ApplySchedulesDependencies,
  { until }: { readonly until: number },
): Promise<void> => {
  const failures: Error[] = [];
  const store = async (due: ReadonlyMap<string, string>): Promise<void> => {
    const now = clock();
    const stored = await catalogue.findAllStored([...due.keys()]);
    const changes = [...stored.values()].filter((each) => isBehind(each, due.get(each.event.id) ?? '', now));
    const outcomes = await catalogue.write(
      changes.map((before): EventChange => ({ before, after: before.event })),
    );
    for (const [index, { event }] of changes.entries()) {
      const outcome = outcomes[index];
      if (outcome?.outcome !== 'failed') continue;
      logger.error('The scheduled status of an event was not stored', {
        event_id: event.id,
        reason: outcome.reason,
      });
      failures.push(new Error(`${event.id}: ${outcome.reason}`));
    }
  };

  let together = new Map<string, string>();
  for await (const { eventId, due } of catalogue.changesDue({ until: clock() })) {
    together.set(eventId, due);
    if (together.size < eventsAtOnce) continue;
    await store(together);
    together = new Map();
    if (clock() >= until) break;
  }
  if (together.size > 0) await store(together);
  if (failures[0] !== undefined) throw failures[0];
};

/** Whether the event is stored with another status than it has, or under an earlier change than the next one. */
const isBehind = ({ event, presentStatus }: StoredEvent, due: string, now: number): boolean => {
  const next = changeDue(event, now);
  return next === undefined || next > due || effectiveStatus(event, now) !== presentStatus;
};
