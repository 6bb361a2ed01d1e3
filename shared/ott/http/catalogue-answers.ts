import * as z from 'zod';
import type { Event } from '../events/event.ts';
import {
  eventAccessSchema,
  eventStatusSchema,
  eventStatusValueSchema,
  streamTypes,
} from '../events/event-kinds.ts';
import { eventRecord } from '../events/event-record.ts';
import { exampleEvent, ticketSchema } from './answers.ts';

const geoblockingAnswerSchema = z
  .strictObject({
    enabled: z.boolean(),
    mode: z.enum(['block', 'allow']).optional(),
    countries: z.array(z.string()).optional(),
    statuses: z.array(eventStatusValueSchema).optional(),
  })
  .meta({
    id: 'Geoblocking',
    description: 'In which countries an event or its stream is blocked.',
    examples: [{ enabled: true, mode: 'block', countries: ['US'] }],
  });

const moment = z.iso.datetime();
const scheduleAnswerSchema = z.array(
  z.strictObject({ at: moment, status: eventStatusValueSchema }).meta({
    id: 'ScheduleEntry',
    description: 'A status that an event takes by itself, and when.',
    examples: [{ at: '2026-05-29T09:00:00.000Z', status: 'LIVE' }],
  }),
);
const markOf = (field: string) =>
  `Set while the event keeps ${field} that was set by hand: what the import file had then`;

const catalogueStreamSchema = z
  .strictObject({
    type: z.enum(streamTypes),
    url: z.string(),
    signed_path: z.string().optional(),
    available_from: moment.optional(),
    available_until: moment.optional(),
    available_until_in_file: moment.optional().describe(markOf('an end')),
    geoblocking: geoblockingAnswerSchema.optional().describe('The stream’s own rule'),
  })
  .meta({
    id: 'CatalogueStream',
    description: 'The stream of an event, as the catalogue has it.',
    examples: [{ type: 'hls', url: 'https://streams.example.com/training-session/index.m3u8' }],
  });

export const catalogueEventSchema = z
  .strictObject({
    event_id: z.string(),
    title: z.string(),
    description: z.string().nullable(),
    status: eventStatusSchema,
    access: eventAccessSchema,
    starts_at: moment.describe('UTC'),
    ends_at: moment.nullable(),
    image: z.string().nullable(),
    categories: z.array(z.string()),
    geoblocking: geoblockingAnswerSchema.optional().describe('The event’s own rule'),
    tickets: z.array(ticketSchema).optional(),
    stream: catalogueStreamSchema.optional(),
    schedule: scheduleAnswerSchema.optional().describe('The statuses that the event takes by itself'),
    status_in_file: eventStatusValueSchema
      .optional()
      .describe(
        'Set while the status is not that of the import file, but set by hand or by the schedule: the status of the file',
      ),
    status_set_at: moment
      .optional()
      .describe('When the status was set by hand. Entries of `schedule` up to then do not count'),
    ends_at_in_file: moment.optional().describe(markOf('an end')),
    schedule_in_file: scheduleAnswerSchema.optional().describe(markOf('a schedule')),
  })
  .meta({
    id: 'CatalogueEvent',
    description: 'Everything about an event, as import files have it.',
    examples: [
      {
        ...exampleEvent,
        stream: { type: 'hls', url: 'https://streams.example.com/training-session/index.m3u8' },
      },
    ],
  });

/** The event as it is at this time. Without what only a later release knows: a PUT keeps that. */
export const catalogueEventAnswer = (event: Event, now: number): ReturnType<typeof eventRecord> =>
  eventRecord(event, now);
