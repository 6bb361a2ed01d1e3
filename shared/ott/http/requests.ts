import * as z from 'zod';
import { BadRequestError } from '../../platform/errors.ts';
import { pageQuery } from '../../platform/http/page-query.ts';
import { categorySchema, eventAccessSchema, eventStatusSchema } from '../events/event-kinds.ts';
import { momentSchema } from '../events/event-schema.ts';

/** Accepts any text: an id that no event can have gets the same response as a missing event. */
export const eventPathSchema = z.object({
  event_id: z.string().meta({ description: 'The id of an event', examples: ['training-session'] }),
});
export type EventPath = z.output<typeof eventPathSchema>;

const sessionId = z.uuid().transform((id) => id.toLowerCase());

/** Accepts any text: {@link sessionOf} checks it, but only if an application limits the stream. */
export const streamQuerySchema = z.object({
  session: z
    .string()
    .optional()
    .meta({
      description:
        'A UUID that the page makes and keeps for its tab. Required where the application, the seller of the access or the issuer of the event’s tickets limits a viewer’s streams; otherwise ignored.',
      examples: ['3f0c6c1e-52a0-4d4c-9d52-0a2f5a3f1e11'],
    }),
  continuation: z
    .string()
    .optional()
    .meta({
      description:
        'The `continuation` of the last response for this session. Without it, a call can only begin a session',
      examples: ['mZr1uVb3Q0eXbS1T'],
    }),
  take_over: z
    .string()
    .optional()
    .describe('After `TOO_MANY_STREAMS`: the id of the viewer’s other session that this session takes over'),
});
export type StreamQuery = z.output<typeof streamQuerySchema>;

const readSessionId = (path: keyof StreamQuery, text: string | undefined): string | undefined => {
  if (text === undefined) return undefined;
  const id = sessionId.safeParse(text);
  if (!id.success) throw new BadRequestError({ issues: [{ path, message: 'Must be a UUID' }] });
  return id.data;
};

/** @throws BadRequestError that names the parameter that is not a UUID. */
export const sessionOf = ({ session, continuation, take_over }: StreamQuery) => ({
  sessionId: readSessionId('session', session),
  continuation,
  takeOver: readSessionId('take_over', take_over),
});

export const endStreamSchema = z.strictObject({ session: sessionId }).meta({
  id: 'EndedStream',
  description: 'The session to end.',
  examples: [{ session: '3f0c6c1e-52a0-4d4c-9d52-0a2f5a3f1e11' }],
});
export type EndStream = z.output<typeof endStreamSchema>;

/** Unknown parameters are refused: a misspelt filter would otherwise be ignored. */
export const listQuerySchema = z
  .strictObject({
    status: eventStatusSchema.optional(),
    access: eventAccessSchema.optional(),
    category: categorySchema.optional().describe('Only events with this category'),
    from: momentSchema.optional().describe('Earliest start, inclusive'),
    to: momentSchema.optional().describe('Latest start, exclusive'),
    ...pageQuery,
  })
  .refine(({ from, to }) => from === undefined || to === undefined || from <= to, {
    path: ['to'],
    error: 'must not be before from',
  });
export type ListQuery = z.output<typeof listQuerySchema>;
