import * as z from 'zod';
import { categorySchema, eventAccessSchema, eventStatusSchema } from './event-kinds.ts';
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

/** `file` is one file; the others are a playlist and the segments beside it. */
export const streamTypeSchema = z.enum(['hls', 'dash', 'file']);

export const streamSchema = z.strictObject({
  type: streamTypeSchema,
  url: webAddressSchema,
  /**
   * What signed cookies open: a URL that may end in `*`.
   * @default everything in the folder of `url`
   */
  signed_path: webAddressSchema.optional(),
  /** Asked on the stream call only, besides the event's own rule. */
  geoblocking: geoblockingSchema.optional(),
});
export type Stream = z.infer<typeof streamSchema>;

/** An event as it is imported and stored. `geoblocking` and `stream` never leave by the catalogue calls. */
export const eventSchema = z
  .strictObject({
    id: eventIdSchema,
    title: z.string().trim().min(1, 'must not be empty').max(300),
    description: z.string().max(10_000).nullable().default(null),
    status: eventStatusSchema,
    access: eventAccessSchema,
    starts_at: momentSchema,
    ends_at: momentSchema.nullable().default(null),
    image: webAddressSchema.nullable().default(null),
    categories: z.array(categorySchema).max(50).default([]),
    geoblocking: geoblockingSchema.optional(),
    stream: streamSchema.optional(),
  })
  .refine((event) => event.ends_at === null || event.ends_at >= event.starts_at, {
    path: ['ends_at'],
    error: 'must not be before starts_at',
  });
export type Event = z.infer<typeof eventSchema>;

/** The basic information that the catalogue calls show. */
export const eventViewSchema = z.strictObject({
  id: z.string(),
  title: z.string(),
  description: z.string().nullable(),
  status: eventStatusSchema,
  access: eventAccessSchema,
  starts_at: z.iso.datetime().describe('UTC'),
  ends_at: z.iso.datetime().nullable(),
  image: z.string().nullable(),
  categories: z.array(z.string()),
});
export type EventView = z.infer<typeof eventViewSchema>;

export const eventView = (event: Event): EventView => ({
  id: event.id,
  title: event.title,
  description: event.description,
  status: event.status,
  access: event.access,
  starts_at: event.starts_at,
  ends_at: event.ends_at,
  image: event.image,
  categories: event.categories,
});
