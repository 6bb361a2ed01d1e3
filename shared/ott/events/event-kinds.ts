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

/** Whether viewers can play an event with this status: now, perhaps at the next moment, or no more. */
const playing = {
  UPCOMING: 'soon',
  LIVE: 'now',
  FINISHED: 'no more',
  VOD: 'now',
  CANCELLED: 'no more',
} as const satisfies Record<EventStatus, 'soon' | 'now' | 'no more'>;

export const playableStatuses = eventStatuses.filter((status) => playing[status] === 'now');
export const isPlayable = (status: string): boolean => playableStatuses.some((one) => one === status);

const overStatuses = eventStatuses.filter((status) => playing[status] === 'no more');
/** Whether the event is over: only VIPs can still play it. */
export const isOver = (status: unknown): boolean => overStatuses.some((one) => one === status);

/** Whether the event is LIVE, or can change to LIVE at any moment. */
export const canBeLive = (status: EventStatus): boolean => status === 'LIVE' || playing[status] === 'soon';

/**
 * The statuses whose rules apply to an event with this status: also those of LIVE, if it can change to LIVE at any
 * moment.
 */
export const statusesToJudge = (status: EventStatus): readonly EventStatus[] =>
  playing[status] === 'soon' ? [status, 'LIVE'] : [status];

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
