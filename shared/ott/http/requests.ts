import * as z from 'zod';
import { pageQuery } from '../../http/page.ts';
import { categorySchema, eventAccessSchema, eventStatusSchema } from '../event-kinds.ts';
import { momentSchema } from '../event-record.ts';

/** Any text: an id that no event can have is simply a missing event. */
export const eventPathSchema = z.object({
  event_id: z.string().meta({ description: 'The id of an event', examples: ['training-session'] }),
});
export type EventPath = z.output<typeof eventPathSchema>;

/** Filters and page of a list. An unknown parameter is refused: a misspelt one would filter nothing. */
export const listQuerySchema = z
  .strictObject({
    status: eventStatusSchema.optional(),
    access: eventAccessSchema.optional(),
    category: categorySchema.optional().describe('Events that have this category among theirs'),
    from: momentSchema.optional().describe('Earliest start, inclusive'),
    to: momentSchema.optional().describe('Latest start, exclusive'),
    ...pageQuery,
  })
  .refine(({ from, to }) => from === undefined || to === undefined || from <= to, {
    path: ['to'],
    error: 'must not be before from',
  });
export type ListQuery = z.output<typeof listQuerySchema>;
