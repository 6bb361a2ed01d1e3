import * as z from 'zod';
import { type Address, writtenAddressSchema } from '../../chain/hex.ts';
import { isOneLine, isVisible } from '../../platform/texts.ts';
import { type Geoblocking, geoblockingSchema, storedGeoblockingSchema } from '../viewers/geoblocking.ts';
import type { Event, ScheduledStatus, Stream, Ticket } from './event.ts';
import {
  categorySchema,
  eventAccessSchema,
  eventStatusSchema,
  eventStatusValueSchema,
  streamTypes,
} from './event-kinds.ts';
import { withLaterFields } from './later-fields.ts';

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

const streamRecordSchema = ({ moment, streamAddress, geoblocking }: Parts) =>
  z
    .strictObject({
      type: z.enum(streamTypes),
      url: streamAddress,
      signed_path: clearable(streamAddress),
      available_from: clearable(moment),
      available_until: clearable(moment),
      available_until_in_file: clearable(moment),
      geoblocking: clearable(geoblocking),
    })
    .refine(
      ({ available_from: from, available_until: until }) =>
        from === undefined || until === undefined || from < until,
      { path: ['available_until'], error: 'must be after available_from' },
    );

type StreamRecord = z.output<ReturnType<typeof streamRecordSchema>>;

const recordSchema = (parts: Parts) => {
  const { named } = parts;
  const entry = named(
    {
      id: 'ScheduleEntryRequest',
      description: 'A status that an event takes by itself, and when.',
      examples: [{ at: '2026-05-29T11:00:00+02:00', status: 'LIVE' }],
    },
    z.strictObject({ at: parts.wholeSecond, status: eventStatusValueSchema }),
  );
  const ticket = named(
    {
      id: 'TicketRequest',
      description: 'A collection whose tokens are tickets for an event.',
      examples: [{ contract_address: '0x5FbDB2315678afecb367f032d93F642f64180aa3' }],
    },
    z.strictObject({ contract_address: parts.contractAddress }),
  );
  const stream = named(
    {
      id: 'CatalogueStreamRequest',
      description: 'The stream of an event.',
      examples: [{ type: 'hls', url: 'https://streams.example.com/training-session/index.m3u8' }],
    },
    streamRecordSchema(parts),
  );
  return z
    .strictObject({
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
    })
    .refine((event) => event.ends_at === null || event.ends_at >= event.starts_at, {
      path: ['ends_at'],
      error: 'must not be before starts_at',
    })
    .refine(({ tickets, access }) => tickets === undefined || access === 'paid', {
      path: ['tickets'],
      error: 'are allowed only if access is paid',
    })
    .transform(
      ({
        event_id,
        starts_at,
        ends_at,
        geoblocking,
        tickets,
        stream,
        schedule,
        status_in_file,
        status_set_at,
        ends_at_in_file,
        schedule_in_file,
        ...same
      }): Event => ({
        id: event_id,
        // A field whose name in the event is another one does not compile here.
        ...(same satisfies Pick<Event, keyof typeof same>),
        startsAt: starts_at,
        endsAt: ends_at,
        ...(geoblocking && { geoblocking }),
        ...(tickets && {
          tickets: tickets.map(({ contract_address: contractAddress }) => ({ contractAddress })),
        }),
        ...(stream && { stream: streamOf(stream) }),
        ...(schedule && { schedule }),
        ...(status_in_file !== undefined && { statusInFile: status_in_file }),
        ...(status_set_at !== undefined && { statusSetAt: status_set_at }),
        ...(ends_at_in_file !== undefined && { endsAtInFile: ends_at_in_file }),
        ...(schedule_in_file && { scheduleInFile: schedule_in_file }),
      }),
    );
};

/** An event from an import file. Functions that only read stored events do not load this schema. */
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
export const storedEventSchema = recordSchema({
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

const streamOf = ({
  type,
  url,
  signed_path,
  available_from,
  available_until,
  available_until_in_file,
  geoblocking,
}: StreamRecord): Stream => ({
  type,
  url,
  ...(signed_path !== undefined && { signedPath: signed_path }),
  ...(available_from !== undefined && { availableFrom: available_from }),
  ...(available_until !== undefined && { availableUntil: available_until }),
  ...(available_until_in_file !== undefined && { availableUntilInFile: available_until_in_file }),
  ...(geoblocking && { geoblocking }),
});

/** The event as it is stored: its record, with the fields that a later release has stored. */
export const storedEventRecord = (event: Event) => withLaterFields(eventRecord(event), event.later);

type StoredFields = Record<keyof z.input<typeof storedEventSchema>, unknown>;

/** The inverse of `eventRecordSchema`: parsing the result gives this event again, without fields of later releases. */
export const eventRecord = ({
  id,
  startsAt,
  endsAt,
  geoblocking,
  tickets,
  stream,
  schedule,
  statusInFile,
  statusSetAt,
  endsAtInFile,
  scheduleInFile,
  later,
  ...same
}: Event) => ({
  event_id: id,
  ...(same satisfies Pick<StoredFields, keyof typeof same>),
  starts_at: startsAt,
  ends_at: endsAt,
  ...(geoblocking && { geoblocking }),
  ...(tickets && { tickets: tickets.map(ticketRecord) }),
  ...(stream && { stream: streamRecord(stream) }),
  ...(schedule && { schedule }),
  ...(statusInFile !== undefined && { status_in_file: statusInFile }),
  ...(statusSetAt !== undefined && { status_set_at: statusSetAt }),
  ...(endsAtInFile !== undefined && { ends_at_in_file: endsAtInFile }),
  ...(scheduleInFile && { schedule_in_file: scheduleInFile }),
});

export const ticketRecord = ({ contractAddress }: Ticket) => ({ contract_address: contractAddress });

const streamRecord = ({
  type,
  url,
  signedPath,
  availableFrom,
  availableUntil,
  availableUntilInFile,
  geoblocking,
}: Stream) => ({
  type,
  url,
  ...(signedPath !== undefined && { signed_path: signedPath }),
  ...(availableFrom !== undefined && { available_from: availableFrom }),
  ...(availableUntil !== undefined && { available_until: availableUntil }),
  ...(availableUntilInFile !== undefined && { available_until_in_file: availableUntilInFile }),
  ...(geoblocking && { geoblocking }),
});
