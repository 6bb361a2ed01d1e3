import * as z from 'zod';
import type { ShownEvent } from '../decision.ts';
import { eventAccessSchema, eventStatusSchema, streamTypes } from '../events/event-kinds.ts';
import { ticketRecord } from '../events/event-translation.ts';
import type { Playback } from '../streams/get-stream.ts';

/** One of the events of the demonstration. */
export const exampleEvent = {
  event_id: 'training-session',
  title: 'Open training session',
  description: 'The team trains; the cameras are on.',
  status: 'LIVE',
  access: 'free',
  starts_at: '2026-05-29T09:00:00.000Z',
  ends_at: null,
  image: null,
  categories: ['football', 'behind-the-scenes'],
} as const;

export const ticketSchema = z.strictObject({ contract_address: z.string() }).meta({
  id: 'Ticket',
  description: 'A collection whose tokens are tickets for an event.',
  examples: [{ contract_address: '0x5fbdb2315678afecb367f032d93f642f64180aa3' }],
});

export const eventAnswerSchema = z
  .strictObject({
    event_id: z.string(),
    title: z.string(),
    description: z.string().nullable(),
    status: eventStatusSchema.describe(
      'At the moment of the response. An event can change its status by itself at a planned time',
    ),
    access: eventAccessSchema,
    starts_at: z.iso.datetime().describe('UTC'),
    ends_at: z.iso.datetime().nullable(),
    image: z.string().nullable(),
    categories: z.array(z.string()),
    tickets: z
      .array(ticketSchema)
      .optional()
      .describe(
        'The collections whose tokens are tickets: a viewer who holds any such token may play the stream. Absent if there are none',
      ),
    blocked_when_live: z
      .literal(true)
      .optional()
      .describe(
        'While the event is LIVE, it cannot be played in the country of this request, and may be hidden there. Tell viewers before they buy. Only for UPCOMING and LIVE events; absent if nothing blocks the country',
      ),
  })
  .meta({
    id: 'Event',
    description: 'The basic information of an event.',
    examples: [exampleEvent],
  });
export type EventAnswer = z.infer<typeof eventAnswerSchema>;

export const eventAnswer = ({ event, isBlockedWhenLive }: ShownEvent): EventAnswer => ({
  event_id: event.id,
  title: event.title,
  description: event.description,
  status: event.status,
  access: event.access,
  starts_at: event.startsAt,
  ends_at: event.endsAt,
  image: event.image,
  categories: [...event.categories],
  ...(event.tickets && { tickets: event.tickets.map(ticketRecord) }),
  ...(isBlockedWhenLive && { blocked_when_live: true }),
});

export const streamAnswerSchema = z
  .strictObject({
    event_id: z.string(),
    type: z.enum(streamTypes),
    url: z.url(),
    expires_at: z.iso
      .datetime()
      .nullable()
      .describe(
        'When the signature expires and the stream must be requested again, at the latest when a planned change of status refuses the viewer; null if nothing is signed',
      ),
    renew_at: z.iso
      .datetime()
      .optional()
      .describe(
        'When to request the stream again, which renews the signed cookies and the session. Set if the stage signs streams with cookies',
      ),
    continuation: z
      .string()
      .optional()
      .describe(
        'Send this as `continuation` with the next call for this session. Set only if there is a limit on how many streams a viewer plays at the same time',
      ),
  })
  .meta({
    id: 'Stream',
    description: 'What is needed to play an event.',
    examples: [
      {
        event_id: 'training-session',
        type: 'hls',
        url: 'https://streams.example.com/training-session/index.m3u8',
        expires_at: null,
      },
    ],
  });

export const streamAnswer = ({
  event,
  stream,
  signed,
  renewAt,
  continuation,
}: Playback): z.input<typeof streamAnswerSchema> => ({
  event_id: event.id,
  type: stream.type,
  url: signed.url,
  expires_at: signed.expiresAt,
  renew_at: renewAt,
  continuation,
});
