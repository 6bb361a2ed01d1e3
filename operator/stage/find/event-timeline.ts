import { checksummed } from '../../../shared/chain/hex.ts';
import { dueEntry, effective } from '../../../shared/ott/events/effective.ts';
import type { Event } from '../../../shared/ott/events/event.ts';
import type { Catalogue } from '../../../shared/ott/ports/catalogue.ts';
import type { EventHistory, PastChange } from '../../../shared/ott/ports/event-history.ts';
import { historyAtMost } from '../../../shared/ott/store/history.ts';
import type { Clock } from '../../../shared/platform/time/clock.ts';
import { countriesText } from '../../ott/why/why.ts';
import { inTime, moment, type Timeline, unknown } from './timeline.ts';

export interface EventTimelineDependencies {
  readonly catalogue: Pick<Catalogue, 'findStored'>;
  readonly eventHistory: EventHistory;
  readonly clock: Clock;
}

const extended = (what: string, inFile: string | undefined): string =>
  inFile === undefined ? what : `${what}; was extended (the file has ${inFile})`;

/** When the file has an entry of the schedule that an extension has moved. */
const inFileIfMoved = ({ schedule, hand }: Event, index: number): string | undefined => {
  const inFile = hand.schedule && schedule?.[index]?.at;
  return inFile === hand.schedule?.[index]?.at ? undefined : inFile;
};

const statusText = (event: Event, now: number): string => {
  const { status: inFile, hand } = event;
  const { status } = effective(event, now);
  if (hand.status !== undefined && dueEntry(event, now) === undefined)
    return `${status}, set by hand (the file has ${inFile})`;
  return inFile === status ? status : `${status}, by its schedule (the file has ${inFile})`;
};

const changeMoment = ({ at, by, kind, fields, opens }: PastChange) =>
  moment(
    at,
    `${kind} by ${by}${fields.length === 0 ? '' : `: ${fields.join(', ')}`}${opens.length === 0 ? '' : ` (opens: ${opens.join(', ')})`}`,
  );

export const findEvent = async (
  { catalogue, eventHistory, clock }: EventTimelineDependencies,
  id: string,
): Promise<Timeline | undefined> => {
  const [stored, history] = await Promise.all([catalogue.findStored(id), eventHistory.of(id)]);
  const changes = history.map(changeMoment);
  if (stored === undefined) {
    if (changes.length === 0) return undefined;
    const fields = { state: 'deleted' };
    const commands = [`events history ${id}`];
    return { kind: 'event', id, fields, moments: inTime(changes.reverse()), related: [], commands };
  }
  const { event, version } = stored;
  const { endsAt: endInFile, hand } = event;
  const { title, access, categories, tickets, stream, schedule, startsAt, endsAt } = effective(
    event,
    clock(),
  );
  const until = stream?.availableUntil;
  const from = stream?.availableFrom;
  const timed = [
    moment(startsAt, 'starts'),
    ...(schedule ?? []).map(({ at, status }, index) =>
      moment(at, extended(`its schedule says ${status}`, inFileIfMoved(event, index))),
    ),
    ...(from === undefined ? [] : [moment(from, 'the stream becomes available')]),
    ...(endsAt === null ? [] : [moment(endsAt, extended('ends', hand.endsAt && (endInFile ?? undefined)))]),
    ...(until === undefined
      ? []
      : [
          moment(
            until,
            extended(
              'the stream is no longer available',
              hand.availableUntil && event.stream?.availableUntil,
            ),
          ),
        ]),
  ];
  return {
    kind: 'event',
    id,
    fields: {
      title,
      status: statusText(event, clock()),
      access,
      categories: categories.join(', '),
      countries: countriesText(event.geoblocking),
      tickets: tickets?.map(({ contractAddress }) => checksummed(contractAddress)).join(', '),
      stream: stream?.type,
      stream_countries: stream && countriesText(stream.geoblocking),
    },
    moments: [
      ...(version > changes.length
        ? [
            unknown(
              `the last ${historyAtMost} changes are recorded, and of earlier ones those that opened the event; the function’s log and CloudTrail show the others`,
            ),
          ]
        : []),
      ...[...changes, ...timed].sort((a, b) => ((a.at ?? '') < (b.at ?? '') ? -1 : 1)),
    ],
    related: [],
    commands: [`events show ${id}`, `events history ${id}`],
  };
};
