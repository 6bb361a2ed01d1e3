import * as z from 'zod';

/** A message in the replays' queue. */
export const replayMessageSchema = z.object({
  application_id: z.string().min(1),
  replay_id: z.string().min(1),
});
