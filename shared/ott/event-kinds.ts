import * as z from 'zod';

export const EVENT_STATUSES = ['UPCOMING', 'LIVE', 'FINISHED', 'VOD', 'CANCELLED'] as const;
export const eventStatusSchema = z.enum(EVENT_STATUSES, {
  error: `must be one of ${EVENT_STATUSES.join(', ')}`,
});
export type EventStatus = z.infer<typeof eventStatusSchema>;

export const EVENT_ACCESSES = ['free', 'paid'] as const;
export const eventAccessSchema = z.enum(EVENT_ACCESSES, {
  error: `must be one of ${EVENT_ACCESSES.join(', ')}`,
});
export type EventAccess = z.infer<typeof eventAccessSchema>;

export const categorySchema = z
  .string()
  .trim()
  .min(1, 'must not be empty')
  .max(64, 'must be at most 64 characters');
