import { BadRequestError, ServiceUnavailableError } from '../../platform/errors.ts';
import type { Pause } from '../../platform/time/backoff.ts';
import type { EventVersion } from '../ports/catalogue.ts';
import { EventChangedError, PathOverlapsError, PathsChangedError } from './errors.ts';
import { issuesOf } from './event-mistakes.ts';
import { type Put, type PutEventsDependencies, type PutOutcome, putEvents } from './put-events.ts';

/** A change that moves no stream and names no ticket, so that nobody has to be asked about it. */
export const movesNothing = { signing: 'none', holdings: { notErc721: async () => [] } } as const;

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
  await putEvents(dependencies, [{ ...put, onOutcome: (outcome) => outcomes.push(outcome) }]);
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
