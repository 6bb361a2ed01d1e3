import * as z from 'zod';

export const eventStatuses = ['UPCOMING', 'LIVE', 'FINISHED', 'VOD', 'CANCELLED'] as const;
export const eventStatusSchema = z.enum(eventStatuses, {
  error: `must be one of ${eventStatuses.join(', ')}`,
});
/** The status of an event, with the name that it has in the OpenAPI document where no field names it. */
export const eventStatusValueSchema = eventStatusSchema.meta({
  id: 'EventStatusValue',
  description: 'A status of an event.',
  examples: ['LIVE'],
});
export type EventStatus = z.infer<typeof eventStatusSchema>;

export const eventAccesses = ['free', 'paid'] as const;
export const eventAccessSchema = z.enum(eventAccesses, {
  error: `must be one of ${eventAccesses.join(', ')}`,
});
export type EventAccess = z.infer<typeof eventAccessSchema>;

/** `file` is a single file. `hls` and `dash` are playlists with segments in the same folder. */
export const streamTypes = ['hls', 'dash', 'file'] as const;
export type StreamType = (typeof streamTypes)[number];

export const categorySchema = z
  .string()
  .trim()
  .min(1, 'must not be empty')
  .max(64, 'must be at most 64 characters');
