import * as z from 'zod';
import type { Address } from '../../chain/hex.ts';
import { isOneLine, isVisible } from '../../platform/parsing/texts.ts';
import type { Geoblocking } from '../viewers/geoblocking.ts';
import type { ScheduledStatus } from './event.ts';
import { eventAccessSchema, eventStatusSchema, eventStatusValueSchema, streamTypes } from './event-kinds.ts';

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

export const webAddressSchema = z
  .url({ protocol: /^https?$/, error: 'must be an http or https URL' })
  .max(2048);

/** The URL without its host is a sort key of a DynamoDB index. A sort key may have at most 1,024 bytes. */
export const streamAddressSchema = webAddressSchema.refine(
  (url) => !URL.canParse(url) || Buffer.byteLength(new URL(url).href) <= 1_000,
  'must be at most 1,000 bytes long',
);

export const titleSchema = z.string().trim().min(1, 'must not be empty').max(300);

/**
 * A single line that is seen as it was written: without characters that change the direction of text (Unicode
 * Bidirectional Algorithm, 2), and not of invisible characters alone.
 */
export const readable = <Schema extends z.ZodType<string>>(schema: Schema) =>
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

/**
 * What differs between the schema of a given event and that of a stored one, which is less strict because its checks
 * are slow.
 */
export interface Parts {
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

export const scheduleSchema = (entry: z.ZodType<ScheduledStatus>) =>
  z
    .array(entry)
    .min(1, 'must not be empty; leave the field out instead')
    .max(entriesAtMost, `must be at most ${entriesAtMost} entries`)
    .refine(isRising, { error: 'must be in the order of time, each entry later than the one before' });

export const streamShape = ({ moment, streamAddress, geoblocking }: Parts) => ({
  type: z.enum(streamTypes),
  url: streamAddress,
  signed_path: clearable(streamAddress),
  available_from: clearable(moment),
  available_until: clearable(moment),
  available_until_in_file: clearable(moment),
  geoblocking: clearable(geoblocking),
});

export const entrySchema = ({ named, wholeSecond }: Parts) =>
  named(
    {
      id: 'ScheduleEntryRequest',
      description: 'A status that an event takes by itself, and when.',
      examples: [{ at: '2026-05-29T11:00:00+02:00', status: 'LIVE' }],
    },
    z.strictObject({ at: wholeSecond, status: eventStatusValueSchema }),
  );

/** The fields of an event with its marks, and its stream as `stream` reads it. */
export const eventShape = <StreamSchema extends z.ZodType>(
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

export type StreamFields = z.output<z.ZodObject<ReturnType<typeof streamShape>>>;
export type EventFields = z.output<z.ZodObject<ReturnType<typeof eventShape<z.ZodType<StreamFields>>>>>;
