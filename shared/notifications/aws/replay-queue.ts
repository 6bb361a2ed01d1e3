import * as z from 'zod';
import type { EnqueueRedelivery } from '../ports/redeliveries.ts';
import type { EnqueueReplay, ReplayWork } from '../ports/replays.ts';
import type { Queue } from './queue.ts';

const replaySchema = z.object({ application_id: z.string().min(1), replay_id: z.string().min(1) });

/**
 * In a message about a redelivery, `replay_id` is not the id of a replay. So a release without redeliveries finds no
 * replay and drops the message.
 */
const messageSchema = replaySchema.extend({
  redelivery: z.object({ endpoint_id: z.string().min(1) }).optional(),
});

export const sqsReplayQueue =
  (queue: Pick<Queue, 'send'>): EnqueueReplay =>
  async ({ applicationId, id }) => {
    const body: z.input<typeof messageSchema> = { application_id: applicationId, replay_id: id };
    await queue.send(JSON.stringify(body));
  };

export const sqsRedeliveryQueue =
  (queue: Pick<Queue, 'send'>): EnqueueRedelivery =>
  async ({ applicationId, id }) => {
    const body: z.input<typeof messageSchema> = {
      application_id: applicationId,
      replay_id: `redelivery-${id}`,
      redelivery: { endpoint_id: id },
    };
    await queue.send(JSON.stringify(body));
  };

/** @throws if neither `sqsReplayQueue` nor `sqsRedeliveryQueue` can have sent the message. */
export const replayWorkIn = (body: string): ReplayWork => {
  const { application_id: applicationId, replay_id: id, redelivery } = messageSchema.parse(JSON.parse(body));
  if (redelivery === undefined) return { kind: 'replay', applicationId, id };
  return { kind: 'redelivery', applicationId, endpointId: redelivery.endpoint_id };
};
