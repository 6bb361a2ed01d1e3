import * as z from 'zod';
import { BadRequestError } from '../../errors.ts';
import { pageQuery } from '../../http/page.ts';
import { categorySchema, eventAccessSchema, eventStatusSchema } from '../event-kinds.ts';
import { momentSchema } from '../event-record.ts';

/** Any text: an id that no event can have is simply a missing event. */
export const eventPathSchema = z.object({
  event_id: z.string().meta({ description: 'The id of an event', examples: ['training-session'] }),
});
export type EventPath = z.output<typeof eventPathSchema>;

const sessionId = z.uuid().transform((id) => id.toLowerCase());

/**
 * Read as any text: only an application that limits streams looks at them. {@link sessionOf} reads them then.
 */
export const streamQuerySchema = z.object({
  session: z
    .string()
    .optional()
    .meta({
      description:
        'A UUID that the page makes and keeps for its tab. The call with it begins the session and renews it. Needed where the application limits how many streams a viewer plays at once; elsewhere ignored.',
      examples: ['3f0c6c1e-52a0-4d4c-9d52-0a2f5a3f1e11'],
    }),
  take_over: z
    .string()
    .optional()
    .describe('With `TOO_MANY_STREAMS`: the session of the viewer that gives way to this one'),
});
export type StreamQuery = z.output<typeof streamQuerySchema>;

const readSessionId = (path: keyof StreamQuery, text: string | undefined): string | undefined => {
  if (text === undefined) return undefined;
  const id = sessionId.safeParse(text);
  if (!id.success) throw new BadRequestError({ issues: [{ path, message: 'Must be a UUID' }] });
  return id.data;
};

/** @throws BadRequestError that names what is no UUID. */
export const sessionOf = ({ session, take_over }: StreamQuery) => ({
  sessionId: readSessionId('session', session),
  takeOver: readSessionId('take_over', take_over),
});

export const endStreamSchema = z.strictObject({ session: sessionId }).meta({
  id: 'EndedStream',
  description: 'The session that ends.',
  examples: [{ session: '3f0c6c1e-52a0-4d4c-9d52-0a2f5a3f1e11' }],
});
export type EndStream = z.output<typeof endStreamSchema>;

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
