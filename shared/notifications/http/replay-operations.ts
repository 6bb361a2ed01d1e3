import * as z from 'zod';
import { operation } from '../../http/operation.ts';
import { notificationStatuses } from '../record.ts';

const time = z.iso.datetime({ offset: true });
const exampleId = '3b5e6f4a9c1d4e0f8a7b6c5d4e3f2a1b';

const startReplaySchema = z
  .strictObject({
    from: time.describe('Published at or after this time, which must be past'),
    to: time.describe('Published before this time, and before this call'),
    status: z
      .enum(notificationStatuses)
      .optional()
      .describe('`failed`: only what failed, and only to endpoints that have not taken it since'),
    endpoint_id: z.string().optional().describe('Only to this endpoint; to all when left out'),
  })
  // A value that is not a time gets only one error.
  .refine(({ from, to }) => !(Date.parse(from) >= Date.parse(to)), {
    path: ['to'],
    message: 'Must be later than from',
  })
  .meta({
    id: 'NewReplay',
    description: 'What is to be sent again.',
    examples: [{ from: '2026-11-20T09:00:00Z', to: '2026-11-20T10:00:00Z' }],
  });

export type StartReplayBody = z.output<typeof startReplaySchema>;

const replaySchema = z
  .object({
    id: z.string(),
    from: z.string(),
    to: z.string(),
    status: z.enum(notificationStatuses).nullable().describe('As it was asked for'),
    endpoint_id: z.string().nullable(),
    state: z.enum(['running', 'ended']),
    looked_at: z.int().describe('Notifications of the list that were looked at up to now'),
    published: z.int().describe('Messages that were published up to now'),
    started_at: z.string(),
    ended_at: z.string().nullable(),
  })
  .meta({
    id: 'Replay',
    description: 'Notifications that are sent again, and how far that is.',
    examples: [
      {
        id: exampleId,
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

export const startReplayOperation = operation({
  operationId: 'startReplay',
  api: 'b2b',
  method: 'POST',
  route: '/notifications/replay',
  tag: 'Notifications',
  summary: 'Have notifications sent again',
  description:
    'Of each user, contract and token, and of a royalty or metadata, the newest notification of that time is sent once more, 20 a second; tests are not. Replays of one application run one after the other.',
  security: 'api-key',
  errorStyle: 'named',
  requestHeaders: {
    'Idempotency-Key': {
      schema: z.string().min(1).max(255).optional(),
      description: 'Sent again with the same body, the call answers the replay that it started',
    },
  },
  body: startReplaySchema,
  success: { status: 202, description: 'The replay, which goes on by itself', body: replaySchema },
  errors: ['BAD_REQUEST', 'ENDPOINT_NOT_FOUND', 'IDEMPOTENCY_KEY_REUSED', 'TOO_MANY_REPLAYS'],
});

const replayPathSchema = z.strictObject({
  id: z
    .string()
    .min(1)
    .meta({ examples: [exampleId] }),
});

export type ReplayPath = z.output<typeof replayPathSchema>;

export const getReplayOperation = operation({
  operationId: 'getReplay',
  api: 'b2b',
  method: 'GET',
  route: '/notifications/replay/{id}',
  tag: 'Notifications',
  summary: 'See how far a replay is',
  description: 'Known for 30 days.',
  security: 'api-key',
  errorStyle: 'named',
  path: replayPathSchema,
  success: { status: 200, description: 'The replay', body: replaySchema },
  errors: ['REPLAY_NOT_FOUND'],
});
