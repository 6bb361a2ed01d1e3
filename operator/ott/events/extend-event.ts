import { requireOwnPath } from '../../../shared/ott/catalogue/own-path.ts';
import { getStored, writeOne } from '../../../shared/ott/catalogue/stored-events.ts';
import type { Event } from '../../../shared/ott/event.ts';
import type { Catalogue } from '../../../shared/ott/ports/catalogue.ts';
import { entriesAhead, settled } from '../../../shared/ott/schedule.ts';
import type { Signing } from '../../../shared/ott/signed-path.ts';
import type { Clock } from '../../../shared/platform/clock.ts';
import { OperatorError } from '../../platform/terminal/operator-error.ts';
import { overStatuses } from './restrictions.ts';

const millisecondsPerMinute = 60_000;

/** The ends of an event, ISO 8601. An end that the event does not have is left out. */
export interface Ends {
  readonly ends_at?: string;
  readonly available_until?: string;
}

/**
 * Moves the ends of an event, but not its schedule, which may end it earlier (`endedBySchedule`): `available_until` of its stream, and `ends_at` unless the event is a recording. The event
 * also stores the ends that the import file had, so importing the same file again does not set them back.
 *
 * @throws OperatorError when the event does not exist, is over, has no end, would still have ended, would be opened by
 * another event's signature (or the other way round), or changed in the meantime. Nothing is written then.
 */
export const extendEvent = async (
  { catalogue, clock }: { readonly catalogue: Catalogue; readonly clock: Clock },
  { id, minutes, signing }: { readonly id: string; readonly minutes: number; readonly signing: Signing },
): Promise<{ readonly before: Ends; readonly after: Ends; readonly endedBySchedule: string | undefined }> => {
  const before = await getStored({ catalogue }, { id });
  const now = clock();
  const event = settled(before.event, now);
  if (overStatuses.has(event.status)) {
    throw new OperatorError({
      message: `Event ${id} is ${event.status}, so nobody can play it: set it to LIVE or VOD first.`,
    });
  }
  const later = (instant: string) =>
    new Date(Date.parse(instant) + minutes * millisecondsPerMinute).toISOString();
  const { endsAt, stream } = event;
  const until = stream?.availableUntil;
  const isEndMoved = endsAt !== null && event.status !== 'VOD';
  if (!isEndMoved && until === undefined) {
    throw new OperatorError({
      message: `Event ${id} has no end that can be extended: its stream has no available_until${event.status === 'VOD' ? '' : ', and the event no ends_at'}.`,
    });
  }
  const after: Event = {
    ...event,
    ...(isEndMoved && { endsAt: later(endsAt), endsAtInFile: event.endsAtInFile ?? endsAt }),
    ...(stream !== undefined &&
      until !== undefined && {
        stream: {
          ...stream,
          availableUntil: later(until),
          availableUntilInFile: stream.availableUntilInFile ?? until,
        },
      }),
  };
  requireAhead({ id, end: until ?? endsAt ?? '', minutes, now });
  // A longer window can overlap with that of another event whose stream lies in the same folder.
  const change = { before, after };
  const paths = await requireOwnPath({ catalogue, clock }, { ...change, signing });
  await writeOne({ catalogue }, { change, paths });
  const ending = entriesAhead(event, now).find(({ status }) => status !== 'LIVE');
  return { before: endsOf(event, isEndMoved), after: endsOf(after, isEndMoved), endedBySchedule: ending?.at };
};

const endsOf = ({ endsAt, stream }: Event, isEndMoved: boolean): Ends => ({
  ...(isEndMoved && endsAt !== null && { ends_at: endsAt }),
  ...(stream?.availableUntil !== undefined && { available_until: stream.availableUntil }),
});

/** An end that stays in the past lets nobody play: the operator has overlooked how late it is. */
const requireAhead = ({
  id,
  end,
  minutes,
  now,
}: {
  readonly id: string;
  readonly end: string;
  readonly minutes: number;
  readonly now: number;
}): void => {
  const least = Math.floor((now - Date.parse(end)) / millisecondsPerMinute) + 1;
  if (minutes >= least) return;
  throw new OperatorError({
    message: `Event ${id} ended at ${end}. With ${minutes} more minutes its end would still have passed: extend it by at least ${least}.`,
  });
};
