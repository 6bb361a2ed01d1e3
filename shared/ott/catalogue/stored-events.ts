import type { Pause } from '../../platform/backoff.ts';
import type { Clock } from '../../platform/clock.ts';
import { BadRequestError, ServiceUnavailableError } from '../../platform/errors.ts';
import { effective, effectiveStatus, entriesAhead, withStatus } from '../events/effective.ts';
import type { Event, PresentEvent } from '../events/event.ts';
import type { EventStatus } from '../events/event-kinds.ts';
import type { Catalogue, EventChange, EventVersion, RecentPaths, StoredEvent } from '../ports/catalogue.ts';
import { EventChangedError, EventIsLiveError, NoSuchEventError, PathsChangedError } from './errors.ts';
import { issuesOf } from './event-mistakes.ts';

/** Throws if the stored event is not the one that the caller means to change. */
export type RequireExpected = (stored: StoredEvent | undefined) => void;

interface Dependencies {
  readonly catalogue: Pick<Catalogue, 'findStored' | 'write'>;
}

interface TimedDependencies extends Dependencies {
  readonly clock: Clock;
}

/** @throws NoSuchEventError */
export const getStored = async (
  { catalogue }: Dependencies,
  { id }: { readonly id: string },
): Promise<StoredEvent> => {
  const stored = await catalogue.findStored(id);
  if (stored === undefined) throw new NoSuchEventError({ id });
  return stored;
};

/**
 * Sets the status of an event by hand. This is safe while an import runs: the given status stays, so importing the same
 * file again does not undo the change. The status counts until the next entry of the event's schedule is due,
 * `CANCELLED` for good.
 *
 * @throws NoSuchEventError, EventChangedError
 */
export const setEventStatus = async (
  { catalogue, clock }: TimedDependencies,
  {
    id,
    status,
    requireExpected,
  }: { readonly id: string; readonly status: EventStatus; readonly requireExpected?: RequireExpected },
): Promise<{ readonly event: PresentEvent; readonly before: EventStatus; readonly stored: EventVersion }> => {
  const found = await getStored({ catalogue }, { id });
  requireExpected?.(found);
  const now = clock();
  const before = effectiveStatus(found.event, now);
  const isLasting = status !== 'CANCELLED' || entriesAhead(found.event, now).length === 0;
  if (before === status && isLasting) return { event: effective(found.event, now), before, stored: found };
  const event = withStatus(found.event, status, now);
  const stored = await writeOne({ catalogue }, { change: { before: found, after: event } });
  return { event: effective(event, now), before, stored };
};

/** @throws NoSuchEventError, EventIsLiveError */
export const getDeletable = async (
  { clock, ...dependencies }: TimedDependencies,
  { id, requireExpected }: { readonly id: string; readonly requireExpected?: RequireExpected },
): Promise<StoredEvent> => {
  const stored = await getStored(dependencies, { id });
  requireExpected?.(stored);
  if (effectiveStatus(stored.event, clock()) !== 'LIVE') return stored;
  throw new EventIsLiveError({ id });
};

/**
 * Deletes an event for good.
 *
 * @throws NoSuchEventError, EventIsLiveError, EventChangedError
 */
export const deleteEvent = async (
  { catalogue, clock }: TimedDependencies,
  input: { readonly id: string; readonly requireExpected?: RequireExpected },
): Promise<Event> => {
  const before = await getDeletable({ catalogue, clock }, input);
  await writeOne({ catalogue }, { change: { before } });
  return before.event;
};

/**
 * Writes a change, and returns the event as it is then stored.
 * @throws EventChangedError, PathsChangedError, BadRequestError if the change is too large, ServiceUnavailableError if the
 * write failed.
 */
export const writeOne = async (
  { catalogue }: Pick<Dependencies, 'catalogue'>,
  { change, paths }: { readonly change: EventChange; readonly paths?: Map<string, RecentPaths> | undefined },
): Promise<EventVersion> => {
  const { before, after, life = before?.life } = change;
  const event = after ?? before?.event;
  if (event === undefined) throw new Error('A change has an event before or after it');
  const [result] = await catalogue.write([change], paths);
  const { id } = event;
  switch (result?.outcome) {
    case 'written':
      return { event, version: result.version, life };
    case 'failed':
      if (result.isTooLarge) throw new BadRequestError({ issues: issuesOf([result.reason]) });
      throw new ServiceUnavailableError({ message: `Event ${id}: ${result.reason}` });
    case 'paths-changed':
      throw new PathsChangedError({ id });
    case 'conflict':
    case undefined:
      throw new EventChangedError({ id });
  }
};

const attempts = 8;
/**
 * All editors who move streams of one host disturb each other, also those of different events. The last attempt begins
 * after about six seconds.
 */
const attemptsForPaths = 24;

const attemptsAfter = (error: unknown): number => {
  if (error instanceof PathsChangedError) return attemptsForPaths;
  return error instanceof EventChangedError ? attempts : 1;
};

/**
 * Repeats work that others disturb by their writes.
 * @throws EventChangedError or PathsChangedError when they have disturbed all attempts.
 */
export const despiteOthers = async <Result>(
  { pause }: { readonly pause: Pause },
  work: () => Promise<Result>,
): Promise<Result> => {
  for (let tried = 1; ; tried += 1) {
    try {
      return await work();
    } catch (error) {
      if (tried >= attemptsAfter(error)) throw error;
      await pause(tried);
    }
  }
};
