import * as z from 'zod';

export const replayMessageSchema = z.object({
  application_id: z.string().min(1),
  replay_id: z.string().min(1),
});
