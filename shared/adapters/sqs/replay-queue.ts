import type * as z from 'zod';
import type { EnqueueReplay } from '../../notifications/ports/replays.ts';
import type { replayMessageSchema } from '../../notifications/replay-message.ts';
import type { Queue } from './queue.ts';

export const sqsReplayQueue =
  (queue: Pick<Queue, 'send'>): EnqueueReplay =>
  async ({ applicationId, id }) => {
    const body: z.input<typeof replayMessageSchema> = { application_id: applicationId, replay_id: id };
    await queue.send(JSON.stringify(body));
  };
