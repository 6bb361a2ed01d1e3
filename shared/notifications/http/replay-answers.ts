import * as z from 'zod';
import { notificationStatuses } from '../record/record.ts';
import type { Replay } from '../replay/replay.ts';
import { exampleReplayId } from './requests.ts';

const isoTime = (milliseconds: number): string => new Date(milliseconds).toISOString();

export const replaySchema = z
  .object({
    id: z.string(),
    from: z.string(),
    to: z.string(),
    status: z
      .enum(notificationStatuses)
      .nullable()
      .describe('The `status` in the request that started the replay'),
    endpoint_id: z.string().nullable(),
    state: z.enum(['running', 'ended']),
    looked_at: z.int().describe('How many notifications the replay has examined'),
    published: z.int().describe('How many messages the replay has published'),
    started_at: z.string(),
    ended_at: z.string().nullable(),
  })
  .meta({
    id: 'Replay',
    description: 'A replay of notifications, with its progress.',
    examples: [
      {
        id: exampleReplayId,
        from: '2026-11-20T09:00:00.000Z',
        to: '2026-11-20T10:00:00.000Z',
        status: null,
        endpoint_id: null,
        state: 'running',
        looked_at: 0,
        published: 0,
        started_at: '2026-11-20T10:02:11.123Z',
        ended_at: null,
      },
    ],
  });

export const replayAnswer = (replay: Replay): z.output<typeof replaySchema> => ({
  id: replay.id,
  from: isoTime(replay.from),
  to: isoTime(replay.to),
  status: replay.status ?? null,
  endpoint_id: replay.endpointId ?? null,
  state: replay.endedAt === undefined ? 'running' : 'ended',
  looked_at: replay.looked,
  published: replay.published,
  started_at: isoTime(replay.startedAt),
  ended_at: replay.endedAt === undefined ? null : isoTime(replay.endedAt),
});
