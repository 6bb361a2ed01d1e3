import type { Clock } from '../../platform/time/clock.ts';
import type { Replays } from '../ports/replays.ts';
import type { Replay } from './replay.ts';

/** An application's replays run one after the other: at most one is running and ten are waiting. */
export const openAtMost = 11;

/** A caller that reserved a slot but has stored no replay within this time is presumed to have crashed. */
const keptWithinMilliseconds = 60_000;
/** A caller that stored a replay but queued no work within this time is presumed to have crashed. */
const endedWithinMilliseconds = 24 * 60 * 60 * 1_000;

type Place = Pick<Replay, 'applicationId' | 'id' | 'startedAt'>;

/**
 * The slots that an application's replays occupy. `isLeft`: nobody will release the slot. A worker may have crashed after
 * the end of a replay, before it released the slot. A caller may have crashed after it took a slot, before it stored the
 * replay.
 */
export const replayPlaces = async (
  { replays, clock }: { readonly replays: Pick<Replays, 'find' | 'opened'>; readonly clock: Clock },
  applicationId: string,
): Promise<readonly { readonly place: Place; readonly isLeft: boolean }[]> => {
  const places = await replays.opened(applicationId);
  return Promise.all(
    places.map(async (place) => {
      const found = await replays.find(place);
      const age = clock() - place.startedAt;
      const isLeft =
        found === undefined
          ? age > keptWithinMilliseconds
          : found.endedAt !== undefined || age > endedWithinMilliseconds;
      return { place, isLeft };
    }),
  );
};
