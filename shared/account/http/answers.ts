import * as z from 'zod';
import { millisecondsOf } from '../../platform/date-time.ts';
import type { ErasurePreview } from '../preview-erasure.ts';

export const erasurePreviewSchema = z
  .object({
    registered_at: z.iso.datetime().describe('When the user registered'),
    user_data: z.array(z.string()).describe('The keys of the data that goes'),
    user_agreements: z.int().describe('How many agreements go'),
  })
  .meta({
    id: 'ErasurePreview',
    description: 'What an erasure of the user would delete, and what would stay.',
    examples: [{ registered_at: '2026-05-04T08:30:00.000Z', user_data: ['email'], user_agreements: 1 }],
  });

export const erasurePreviewAnswer = (preview: ErasurePreview): z.output<typeof erasurePreviewSchema> => ({
  registered_at: new Date(millisecondsOf(preview.registeredAt)).toISOString(),
  user_data: [...preview.dataKeys],
  user_agreements: preview.agreements,
});
