import { effective, entriesAhead } from '../events/effective.ts';
import type { Event } from '../events/event.ts';
import { isPlayable } from '../events/event-kinds.ts';

/**
 * The contradictions between an event's schedule and the event's times or status, as sentences that begin with the
 * field. Such an event is imported all the same: the status is always that of the schedule. `now` is in epoch
 * milliseconds.
 */
export const scheduleContradictions = (event: Event, now: number): readonly string[] => {
  const { status: present, schedule = [], startsAt, endsAt, stream } = effective(event, now);
  const byHand = event.hand.status;
  const { availableFrom: from, availableUntil: until } = stream ?? {};
  const said = (text: string) => `schedule: ${text}`;
  const isStopped =
    present === 'CANCELLED' &&
    entriesAhead(event, now).length === 0 &&
    schedule.some(({ at }) => Date.parse(at) > now);
  const why = byHand
    ? `CANCELLED was set by hand${byHand.at === '' ? '' : ` at ${byHand.at}`}`
    : 'the status in the file is CANCELLED';
  const ofStatus = isStopped ? [said(`no entry counts, because ${why}`)] : [];
  const ofEntries = schedule.flatMap(({ at, status }, index) => {
    const next = schedule[index + 1]?.at;
    const isNeverOpen =
      (until !== undefined && until <= at) || (from !== undefined && next !== undefined && from >= next);
    return [
      ...(status === 'LIVE' && endsAt !== null && at >= endsAt
        ? [`LIVE from ${at}, but the event ends at ${endsAt}`]
        : []),
      ...((status === 'FINISHED' || status === 'VOD') && at < startsAt
        ? [`${status} from ${at}, but the event starts at ${startsAt}`]
        : []),
      ...(isPlayable(status) && isNeverOpen
        ? [`${status} from ${at}, but its stream is not available at any time until the next entry`]
        : []),
      ...(status === 'LIVE' && !isNeverOpen && from !== undefined && from > at
        ? [`LIVE from ${at}, but its stream is available only from ${from}`]
        : []),
      ...(status === 'LIVE' && !isNeverOpen && until !== undefined && next !== undefined && until < next
        ? [`LIVE until ${next}, but its stream is available only until ${until}`]
        : []),
    ].map(said);
  });
  return [...ofStatus, ...ofEntries];
};
