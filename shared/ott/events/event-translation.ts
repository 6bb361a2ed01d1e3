/** The names of a record's fields, in both directions. `event-record.ts` has the forms that are made of them. */
import type { Event, PresentEvent, Stream, Ticket } from './event.ts';
import type { EventFields, StreamFields } from './event-schema.ts';
import { type EventMarks, type StreamMarks, unmarked } from './marks.ts';

/** An event as a record has it: the values that hold, and the marks. */
export const eventIn = ({
  event_id: id,
  starts_at: startsAt,
  ends_at: endsAt,
  tickets,
  stream,
  status_in_file,
  status_set_at,
  ends_at_in_file,
  schedule_in_file,
  ...same
}: EventFields): Event =>
  unmarked({
    values: {
      id,
      // A field whose name in the event is another one does not compile here.
      ...(same satisfies Pick<Event, keyof typeof same>),
      startsAt,
      endsAt,
      tickets: tickets?.map(({ contract_address: contractAddress }) => ({ contractAddress })),
      stream: stream && streamIn(stream),
    },
    marks: {
      status_in_file,
      status_set_at,
      ends_at_in_file,
      schedule_in_file,
      available_until_in_file: stream?.available_until_in_file,
    },
  });

const streamIn = ({
  type,
  url,
  signed_path: signedPath,
  available_from: availableFrom,
  available_until: availableUntil,
  geoblocking,
}: StreamFields): Stream => ({ type, url, signedPath, availableFrom, availableUntil, geoblocking });

export const recordOf = (
  {
    id,
    startsAt,
    endsAt,
    geoblocking,
    tickets,
    stream,
    schedule,
    hand: _,
    later: __,
    ...same
  }: Event | PresentEvent,
  { available_until_in_file, ...marks }: EventMarks & StreamMarks,
) => ({
  event_id: id,
  ...(same satisfies Pick<Record<keyof EventFields, unknown>, keyof typeof same>),
  starts_at: startsAt,
  ends_at: endsAt,
  ...(geoblocking && { geoblocking }),
  ...(tickets && { tickets: tickets.map(ticketRecord) }),
  ...(stream && { stream: streamRecord(stream, { available_until_in_file }) }),
  ...(schedule && { schedule }),
  ...withoutNone(marks),
});

export const withoutNone = <Fields extends object>(fields: Fields): Fields =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Fields;

export const ticketRecord = ({ contractAddress }: Ticket) => ({ contract_address: contractAddress });

const streamRecord = (
  { type, url, signedPath, availableFrom, availableUntil, geoblocking }: Stream,
  { available_until_in_file }: StreamMarks,
) => ({
  type,
  url,
  ...withoutNone({
    signed_path: signedPath,
    available_from: availableFrom,
    available_until: availableUntil,
    available_until_in_file,
    geoblocking,
  }),
});
