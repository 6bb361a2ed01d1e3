import * as z from 'zod';
import type { Event, Stream } from './event.ts';
import { categorySchema, eventAccessSchema, eventStatusSchema, streamTypes } from './event-kinds.ts';
import { geoblockingSchema } from './geoblocking.ts';

/** Letters, digits, `-` and `_`: an id is part of a path and of index keys, whose separator is `#`. */
export const eventIdSchema = z
  .string()
  .regex(/^[A-Za-z0-9_-]{1,64}$/, 'must be 1 to 64 letters, digits, hyphens or underscores');

/**
 * A moment with its zone, brought to UTC with milliseconds: moments of one width sort as text.
 * A moment without a zone would mean another time for each reader, so it is refused.
 */
export const momentSchema = z.iso
  .datetime({
    offset: true,
    error: 'must be an ISO 8601 date and time with a zone, such as 2026-05-01T18:00:00Z',
  })
  .transform((text) => new Date(text).toISOString())
  .refine((moment) => /^\d{4}-/.test(moment), 'must lie in the years 0000 to 9999 of UTC');

const webAddressSchema = z.url({ protocol: /^https?$/, error: 'must be an http or https URL' }).max(2048);

const streamRecordSchema = z.strictObject({
  type: z.enum(streamTypes),
  url: webAddressSchema,
  signed_path: webAddressSchema.optional(),
  geoblocking: geoblockingSchema.optional(),
});

/** An event as files bring it and as it is stored, parsed to what the domain works with. */
export const eventRecordSchema = z
  .strictObject({
    event_id: eventIdSchema,
    title: z.string().trim().min(1, 'must not be empty').max(300),
    description: z.string().max(10_000).nullable().default(null),
    status: eventStatusSchema,
    access: eventAccessSchema,
    starts_at: momentSchema,
    ends_at: momentSchema.nullable().default(null),
    image: webAddressSchema.nullable().default(null),
    categories: z.array(categorySchema).max(50).default([]),
    geoblocking: geoblockingSchema.optional(),
    stream: streamRecordSchema.optional(),
  })
  .refine((event) => event.ends_at === null || event.ends_at >= event.starts_at, {
    path: ['ends_at'],
    error: 'must not be before starts_at',
  })
  .transform(
    ({ event_id, starts_at, ends_at, geoblocking, stream, ...same }): Event => ({
      id: event_id,
      ...same,
      startsAt: starts_at,
      endsAt: ends_at,
      ...(geoblocking && { geoblocking }),
      ...(stream && { stream: streamOf(stream) }),
    }),
  );

const streamOf = ({ signed_path, ...same }: z.output<typeof streamRecordSchema>): Stream => ({
  ...same,
  ...(signed_path !== undefined && { signedPath: signed_path }),
});

/** What `eventRecordSchema` parses to this very event. */
export const eventRecord = ({ id, startsAt, endsAt, geoblocking, stream, ...same }: Event) => ({
  event_id: id,
  ...same,
  starts_at: startsAt,
  ends_at: endsAt,
  ...(geoblocking && { geoblocking }),
  ...(stream && { stream: streamRecord(stream) }),
});

const streamRecord = ({ signedPath, ...same }: Stream) => ({
  ...same,
  ...(signedPath !== undefined && { signed_path: signedPath }),
});
