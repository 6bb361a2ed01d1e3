import * as z from 'zod';
import { pageQuery } from '../../platform/http/page-query.ts';
import { eventStatusSchema } from '../events/event-kinds.ts';
import { eventRecordSchema } from '../events/event-record.ts';

export const listCatalogueQuerySchema = z.strictObject(pageQuery);
export type ListCatalogueQuery = z.output<typeof listCatalogueQuerySchema>;

export const catalogueEventRequestSchema = eventRecordSchema.meta({
  id: 'CatalogueEventRequest',
  description:
    'Everything about an event. It replaces the stored event as a whole: a field that is left out is cleared.',
  examples: [
    {
      event_id: 'training-session',
      title: 'Open training session',
      status: 'UPCOMING',
      access: 'free',
      starts_at: '2026-05-29T11:00:00+02:00',
      categories: ['football', 'behind-the-scenes'],
      stream: { type: 'hls', url: 'https://streams.example.com/training-session/index.m3u8' },
    },
  ],
});

export const statusRequestSchema = z.strictObject({ status: eventStatusSchema }).meta({
  id: 'EventStatusRequest',
  description: 'The status that an event gets.',
  examples: [{ status: 'CANCELLED' }],
});
export type StatusRequest = z.output<typeof statusRequestSchema>;
