import type { Pause } from '../../platform/backoff.ts';
import type { Clock } from '../../platform/clock.ts';
import { BadRequestError, ServiceUnavailableError } from '../../platform/errors.ts';
import { effective, effectiveStatus, entriesAhead, withStatus } from '../events/effective.ts';
import type { PresentEvent } from '../events/event.ts';
import type { EventStatus } from '../events/event-kinds.ts';
import type { Catalogue, EventVersion, StoredEvent } from '../ports/catalogue.ts';
import {
  EventChangedError,
  EventIsLiveError,
  NoSuchEventError,
  PathOverlapsError,
  PathsChangedError,
} from './errors.ts';
import { issuesOf } from './event-mistakes.ts';
import { type Put, type PutEventsDependencies, type PutOutcome, putEvents } from './put-events.ts';

/** Throws if the stored event is not the one that the caller means to change. */
export type RequireExpected = (stored: StoredEvent | undefined) => void;

interface Dependencies {
  readonly catalogue: Pick<Catalogue, 'findStored'>;
}

interface TimedDependencies {
  readonly catalogue: PutEventsDependencies['catalogue'];
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

/** A change that moves no stream and names no ticket, so that nobody has to be asked about it. */
const movesNothing = { signing: 'none', holdings: { notErc721: async () => [] } } as const;

/**
 * Sets the status of an event by hand. This is safe while an import runs: the given status stays, so importing the same
 * file again does not undo the change. The status counts until the next entry of the event's schedule is due,
 * `CANCELLED` for good.
 *
 * @throws NoSuchEventError, EventChangedError
 */
export const setEventStatus = async (
  dependencies: TimedDependencies,
  {
    id,
    status,
    requireExpected,
  }: { readonly id: string; readonly status: EventStatus; readonly requireExpected?: RequireExpected },
): Promise<{
  readonly event: PresentEvent;
  readonly before: EventStatus;
  readonly stored: EventVersion;
}> => {
  const { told, stored } = await putOne(
    { ...dependencies, ...movesNothing },
    {
      id,
      decide: (found, now) => {
        const before = expected(id, found, requireExpected);
        const { event } = before;
        const present = effectiveStatus(event, now);
        const isLasting = status !== 'CANCELLED' || entriesAhead(event, now).length === 0;
        const isSo = present === status && isLasting;
        const after = isSo ? event : withStatus(event, status, now);
        return {
          told: { event: effective(after, now), before: present, found: before },
          change: isSo ? undefined : { before, after },
        };
      },
    },
  );
  const { found, ...answer } = told;
  return { ...answer, stored: stored ?? found };
};

const expected = (
  id: string,
  found: StoredEvent | undefined,
  requireExpected: RequireExpected | undefined,
): StoredEvent => {
  if (found === undefined) throw new NoSuchEventError({ id });
  requireExpected?.(found);
  return found;
};

/** @throws NoSuchEventError, EventIsLiveError */
export const getDeletable = async (
  { clock, ...dependencies }: Dependencies & { readonly clock: Clock },
  { id }: { readonly id: string },
): Promise<StoredEvent> => {
  const stored = await getStored(dependencies, { id });
  requireNotLive(stored, clock());
  return stored;
};

const requireNotLive = ({ event }: StoredEvent, now: number): void => {
  if (effectiveStatus(event, now) === 'LIVE') throw new EventIsLiveError({ id: event.id });
};

/**
 * Deletes an event for good.
 *
 * @throws NoSuchEventError, EventIsLiveError, EventChangedError
 */
export const deleteEvent = async (
  dependencies: TimedDependencies,
  { id, requireExpected }: { readonly id: string; readonly requireExpected?: RequireExpected },
): Promise<void> => {
  await putOne(
    { ...dependencies, ...movesNothing },
    {
      id,
      decide: (found, now) => {
        const before = expected(id, found, requireExpected);
        requireNotLive(before, now);
        return { told: undefined, change: { before } };
      },
    },
  );
};

/**
 * Puts one event, and returns it as it is then stored. `undefined`: there was nothing to write.
 *
 * @throws what `decide` throws, BadRequestError if the stage cannot take the event, or the change is too large,
 * PathOverlapsError, EventChangedError, PathsChangedError, ServiceUnavailableError if the write failed.
 */
export const putOne = async <Told>(
  dependencies: PutEventsDependencies,
  put: Put<Told> & { readonly id: string },
): Promise<{ readonly told: Told; readonly stored: EventVersion | undefined }> => {
  const { id } = put;
  const outcomes: PutOutcome<Told>[] = [];
  await putEvents(dependencies, [put], { onOutcome: (outcome: PutOutcome<Told>) => outcomes.push(outcome) });
  const [each] = outcomes;
  switch (each?.outcome) {
    case 'none':
      return { told: each.told, stored: undefined };
    case 'written': {
      const { before, after, life = before?.life } = each.change ?? {};
      const event = after ?? before?.event;
      return { told: each.told, stored: event && { event, version: each.version, life } };
    }
    case 'refused':
      throw new BadRequestError({ issues: issuesOf(each.mistakes) });
    case 'overlapping':
      throw new PathOverlapsError({ id, overlaps: each.overlaps });
    case 'failed':
      if (each.isTooLarge) throw new BadRequestError({ issues: issuesOf([each.reason]) });
      throw new ServiceUnavailableError({ message: `Event ${id}: ${each.reason}` });
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
