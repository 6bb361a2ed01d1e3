import { isDeepStrictEqual } from 'node:util';
import * as z from 'zod';
import { type Address, writtenAddressSchema } from '../../chain/hex.ts';
import { isOneLine, isVisible } from '../../platform/parsing/texts.ts';
import { type Geoblocking, geoblockingSchema, storedGeoblockingSchema } from '../viewers/geoblocking.ts';
import { effectiveStatus } from './effective.ts';
import type { Event, PresentEvent, ScheduledStatus, Stream, Ticket } from './event.ts';
import {
  categorySchema,
  type EventStatus,
  eventAccessSchema,
  eventStatusSchema,
  eventStatusValueSchema,
  streamTypes,
} from './event-kinds.ts';
import { withLaterFields } from './later-fields.ts';
import { type EventMarks, marked, markedForFile, type StreamMarks, unmarked } from './marks.ts';

/** Only letters, digits, `-` and `_`, because an id is part of URL paths and of index keys with the separator `#`. */
export const eventIdSchema = z
  .string()
  .regex(/^[A-Za-z0-9_-]{1,64}$/, 'must be 1 to 64 letters, digits, hyphens or underscores');

export const isEventId = (text: string): boolean => eventIdSchema.safeParse(text).success;

/**
 * A time with a zone, converted to UTC with milliseconds. All results have the same length, so their order as text is
 * their order in time. A time without a zone is ambiguous and therefore refused. A wrong time is not compared with
 * others: that would be reported as a second mistake.
 */
export const momentSchema = z.iso
  .datetime({
    offset: true,
    abort: true,
    error: 'must be an ISO 8601 date and time with a zone, such as 2026-05-01T18:00:00Z',
  })
  .transform((text) => new Date(text).toISOString())
  .refine((moment) => /^\d{4}-/.test(moment), {
    abort: true,
    error: 'must be in the years 0000 to 9999 (UTC)',
  });

/** A field that may be absent or `null`; both mean the same. */
const clearable = <Schema extends z.ZodType>(schema: Schema) =>
  schema.nullish().transform((value) => value ?? undefined);

const webAddressSchema = z.url({ protocol: /^https?$/, error: 'must be an http or https URL' }).max(2048);

/** The URL without its host is a sort key of a DynamoDB index. A sort key may have at most 1,024 bytes. */
const streamAddressSchema = webAddressSchema.refine(
  (url) => !URL.canParse(url) || Buffer.byteLength(new URL(url).href) <= 1_000,
  'must be at most 1,000 bytes long',
);

const titleSchema = z.string().trim().min(1, 'must not be empty').max(300);

/**
 * A single line that is seen as it was written: without characters that change the direction of text (Unicode
 * Bidirectional Algorithm, 2), and not of invisible characters alone.
 */
const readable = <Schema extends z.ZodType<string>>(schema: Schema) =>
  schema
    .refine((text) => isOneLine(text) && !/\p{Bidi_Control}/u.test(text), {
      error: 'must not contain control characters, line breaks or characters that change the text direction',
    })
    // An empty text is refused by its length.
    .refine((text) => text === '' || isVisible(text), { error: 'must contain a visible character' });

interface Said {
  readonly id: string;
  readonly description: string;
  readonly examples: readonly unknown[];
}

/** The schemas that are less strict for a stored event, because their checks are slow. */
interface Parts {
  readonly title: z.ZodType<string>;
  readonly category: z.ZodType<string>;
  readonly moment: z.ZodType<string>;
  readonly wholeSecond: z.ZodType<string>;
  readonly webAddress: z.ZodType<string>;
  readonly streamAddress: z.ZodType<string>;
  readonly contractAddress: z.ZodType<Address>;
  readonly geoblocking: z.ZodType<Geoblocking>;
  /** Names and describes a part of the schema in the OpenAPI document. */
  readonly named: <Schema extends z.ZodType>(said: Said, schema: Schema) => Schema;
}

/**
 * These limits, and the others of this file, also hold for what is read from the table: a release cannot read an event
 * that is over its own limit. So a release raises a limit for stored events (`storedEventSchema`), and the next one for
 * requests. A limit is lowered for requests alone.
 */
const ticketsAtMost = 10;
const entriesAtMost = 10;

const isRising = (entries: readonly ScheduledStatus[]): boolean =>
  entries.every(({ at }, index) => index === 0 || at > (entries[index - 1]?.at ?? ''));

const scheduleSchema = (entry: z.ZodType<ScheduledStatus>) =>
  z
    .array(entry)
    .min(1, 'must not be empty; leave the field out instead')
    .max(entriesAtMost, `must be at most ${entriesAtMost} entries`)
    .refine(isRising, { error: 'must be in the order of time, each entry later than the one before' });

const streamShape = ({ moment, streamAddress, geoblocking }: Parts) => ({
  type: z.enum(streamTypes),
  url: streamAddress,
  signed_path: clearable(streamAddress),
  available_from: clearable(moment),
  available_until: clearable(moment),
  available_until_in_file: clearable(moment),
  geoblocking: clearable(geoblocking),
});

const entrySchema = ({ named, wholeSecond }: Parts) =>
  named(
    {
      id: 'ScheduleEntryRequest',
      description: 'A status that an event takes by itself, and when.',
      examples: [{ at: '2026-05-29T11:00:00+02:00', status: 'LIVE' }],
    },
    z.strictObject({ at: wholeSecond, status: eventStatusValueSchema }),
  );

/** The fields of an event with its marks, and its stream as `stream` reads it. */
const eventShape = <StreamSchema extends z.ZodType>(
  parts: Parts,
  { stream, entry }: { readonly stream: StreamSchema; readonly entry: z.ZodType<ScheduledStatus> },
) => {
  const ticket = parts.named(
    {
      id: 'TicketRequest',
      description: 'A collection whose tokens are tickets for an event.',
      examples: [{ contract_address: '0x5FbDB2315678afecb367f032d93F642f64180aa3' }],
    },
    z.strictObject({ contract_address: parts.contractAddress }),
  );
  return {
    event_id: eventIdSchema,
    title: parts.title,
    description: z.string().max(10_000).nullable().default(null),
    status: eventStatusSchema,
    access: eventAccessSchema,
    starts_at: parts.moment,
    ends_at: parts.moment.nullable().default(null),
    // Programs that write catalogues often write an empty text for no image.
    image: z
      .preprocess((image) => (image === '' ? null : image), parts.webAddress.nullable())
      .default(null)
      // The transformation hides the default from the OpenAPI document.
      .meta({ default: null }),
    categories: z
      .array(parts.category)
      .max(50)
      .nullish()
      .transform((value) => value ?? []),
    geoblocking: clearable(parts.geoblocking),
    tickets: clearable(
      z
        .array(ticket)
        .min(1, 'must not be empty; leave the field out instead')
        .max(ticketsAtMost, `must be at most ${ticketsAtMost} contracts`)
        .refine((all) => new Set(all.map((ticket) => ticket.contract_address)).size === all.length, {
          error: 'must not name the same contract twice',
        }),
    ),
    stream: clearable(stream),
    schedule: clearable(scheduleSchema(entry)),
    status_in_file: clearable(eventStatusValueSchema),
    status_set_at: clearable(parts.moment),
    ends_at_in_file: clearable(parts.moment),
    schedule_in_file: clearable(scheduleSchema(entry)),
  };
};

type StreamRecord = z.output<z.ZodObject<ReturnType<typeof streamShape>>>;
type EventFields = z.output<z.ZodObject<ReturnType<typeof eventShape<z.ZodType<StreamRecord>>>>>;

/** An event as a record has it: the values that hold, and the marks. */
const eventIn = ({
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
}: StreamRecord): Stream => ({ type, url, signedPath, availableFrom, availableUntil, geoblocking });

const recordSchema = (parts: Parts) => {
  const stream = parts.named(
    {
      id: 'CatalogueStreamRequest',
      description: 'The stream of an event.',
      examples: [{ type: 'hls', url: 'https://streams.example.com/training-session/index.m3u8' }],
    },
    z
      .strictObject(streamShape(parts))
      .refine(
        ({ available_from: from, available_until: until }) =>
          from === undefined || until === undefined || from < until,
        { path: ['available_until'], error: 'must be after available_from' },
      ),
  );
  return z
    .strictObject(eventShape(parts, { stream, entry: entrySchema(parts) }))
    .refine((event) => event.ends_at === null || event.ends_at >= event.starts_at, {
      path: ['ends_at'],
      error: 'must not be before starts_at',
    })
    .refine(({ tickets, access }) => tickets === undefined || access === 'paid', {
      path: ['tickets'],
      error: 'are allowed only if access is paid',
    })
    .transform(eventIn);
};

/** What is given is not checked for how it fits together: a hand over it may have made it fit. */
const storedSchema = (parts: Parts) => {
  const entry = entrySchema(parts);
  return z
    .strictObject({
      ...eventShape(parts, { stream: z.strictObject(streamShape(parts)), entry }),
      hand: z
        .strictObject({
          status: z.strictObject({ value: eventStatusSchema, at: z.string() }).optional(),
          ends_at: parts.moment.optional(),
          schedule: scheduleSchema(entry).optional(),
          available_until: parts.moment.optional(),
        })
        .optional(),
      present_status: eventStatusSchema.optional(),
    })
    .transform(({ hand, present_status: presentStatus, ...record }): StoredState => {
      // Release 0.1.0 stores the present values, with marks beside them.
      const event = eventIn(record);
      const state = { event, presentStatus: presentStatus ?? record.status };
      if (hand === undefined) return state;
      const { status, ends_at: endsAt, schedule, available_until: availableUntil } = hand;
      return { ...state, event: { ...event, hand: { status, endsAt, schedule, availableUntil } } };
    });
};

/** What is stored of an event: the event, and the status that it had at the time of the last write. */
export interface StoredState {
  readonly event: Event;
  readonly presentStatus: EventStatus;
}

/** An event from a file or a request. Functions that only read stored events do not load this schema. */
export const eventRecordSchema = /* @__PURE__ */ recordSchema({
  title: readable(titleSchema),
  category: readable(categorySchema),
  moment: momentSchema,
  wholeSecond: momentSchema.refine((moment) => moment.endsWith('.000Z'), 'must be a whole second'),
  webAddress: webAddressSchema,
  streamAddress: streamAddressSchema,
  contractAddress: writtenAddressSchema,
  geoblocking: geoblockingSchema,
  named: ({ examples, ...said }, schema) => schema.meta({ ...said, examples: [...examples] }),
});

/**
 * An event from the table. Its times and addresses are not checked again, because these checks would take most of the
 * time of reading an event.
 */
export const storedEventSchema = /* @__PURE__ */ storedSchema({
  title: titleSchema,
  category: categorySchema,
  moment: z.string(),
  wholeSecond: z.string(),
  webAddress: z.string(),
  streamAddress: z.string(),
  contractAddress: z.string().transform((address) => address.toLowerCase() as Address),
  geoblocking: storedGeoblockingSchema,
  named: (_, schema) => schema,
});

/** The event as it is stored, with the fields that a later release has stored. */
export const storedEventRecord = ({ event, presentStatus }: StoredState) => {
  const { status, endsAt, schedule, availableUntil } = event.hand;
  const hand = withoutNone({ status, ends_at: endsAt, schedule, available_until: availableUntil });
  return withLaterFields(
    {
      ...recordOf(event, {}),
      ...(Object.keys(hand).length > 0 && { hand }),
      ...(presentStatus !== event.status && { present_status: presentStatus }),
    },
    event.later,
  );
};

/** Whether two states of an event have the same given values and the same hand. */
export const isSameEvent = (one: Event, other: Event): boolean =>
  isDeepStrictEqual(
    storedEventRecord({ event: one, presentStatus: one.status }),
    storedEventRecord({ event: other, presentStatus: one.status }),
  );

/** The event at a time, in epoch milliseconds, as HTTP has it: parsing the result gives this event again. */
export const eventRecord = (
  event: Event,
  now: number,
  /** @default the one that the event has at this time */
  status: EventStatus = effectiveStatus(event, now),
) => {
  const { values, marks } = marked(event, now, status);
  return recordOf(values, marks);
};

/** The event at a time, as `events show` has it: with the fields that a later release has stored. */
export const shownEventRecord = (event: Event, now: number) =>
  withLaterFields(eventRecord(event, now), event.later);

/** The event as an export has it: with the status that its file would have, unless another one was set by hand. */
export const exportedEventRecord = (event: Event, now: number) => {
  const { values, marks } = markedForFile(event, now);
  return withLaterFields(recordOf(values, marks), event.later);
};

/** What callers can see of an event, which has no marks. */
export const presentEventRecord = (event: PresentEvent) => withLaterFields(recordOf(event, {}), event.later);

type StoredFields = Record<keyof z.input<typeof storedEventSchema>, unknown>;

const recordOf = (
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
  ...(same satisfies Pick<StoredFields, keyof typeof same>),
  starts_at: startsAt,
  ends_at: endsAt,
  ...(geoblocking && { geoblocking }),
  ...(tickets && { tickets: tickets.map(ticketRecord) }),
  ...(stream && { stream: streamRecord(stream, { available_until_in_file }) }),
  ...(schedule && { schedule }),
  ...withoutNone(marks),
});

const withoutNone = <Fields extends object>(fields: Fields): Fields =>
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
