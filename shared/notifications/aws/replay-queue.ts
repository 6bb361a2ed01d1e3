import * as z from 'zod';
import type { EnqueueReplay } from '../ports/replays.ts';
import type { Queue } from './queue.ts';

const messageSchema = z.object({ application_id: z.string().min(1), replay_id: z.string().min(1) });

export const sqsReplayQueue =
  (queue: Pick<Queue, 'send'>): EnqueueReplay =>
  async ({ applicationId, id }) => {
    const body: z.input<typeof messageSchema> = { application_id: applicationId, replay_id: id };
    await queue.send(JSON.stringify(body));
  };

/** The replay that a message of the queue names. @throws if `sqsReplayQueue` cannot have sent the message. */
export const replayIn = (body: string): Parameters<EnqueueReplay>[0] => {
  const { application_id: applicationId, replay_id: id } = messageSchema.parse(JSON.parse(body));
  return { applicationId, id };
};
