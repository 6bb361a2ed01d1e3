import * as z from 'zod';
import { idempotencyKeySchema, repeatedHeaders } from '../../platform/http/idempotency-key.ts';
import { operation } from '../../platform/http/operation.ts';
import { notificationStatuses } from '../record/record.ts';

const time = z.iso.datetime({ offset: true });
const exampleId = '3b5e6f4a9c1d4e0f8a7b6c5d4e3f2a1b';

const startReplaySchema = z
  .strictObject({
    from: time.describe('Replays notifications published at or after this time, which must be in the past'),
    to: time.describe(
      'Replays notifications published before this time. Notifications published after this call are not replayed',
    ),
    status: z
      .enum(notificationStatuses)
      .optional()
      .describe(
        'Replays only notifications with this status. With `failed`, a notification is sent only to endpoints that have accepted neither this notification nor a newer one about the same user, contract, token or event',
      ),
    endpoint_id: z.string().optional().describe('Sends only to this endpoint; to all endpoints if left out'),
  })
  // `!(a >= b)` is also true for NaN, so that an invalid time gets only one error.
  .refine(({ from, to }) => !(Date.parse(from) >= Date.parse(to)), {
    path: ['to'],
    message: 'Must be later than from',
  })
  .meta({
    id: 'ReplayRequest',
    description: 'The notifications to send again.',
    examples: [{ from: '2026-11-20T09:00:00Z', to: '2026-11-20T10:00:00Z' }],
  });

export type StartReplayBody = z.output<typeof startReplaySchema>;

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
  summary: 'Send notifications again',
  description:
    'For each user, contract, token, royalty, metadata, revocation, claim and event, sends the newest notification of the time range again. Tests are not sent again. At most 20 messages are sent a second. Replays of one application run one after the other.',
  security: 'api-key',
  errorStyle: 'named',
  requestHeaders: {
    'Idempotency-Key': {
      schema: idempotencyKeySchema.optional(),
      description:
        'Makes a retry safe: a request with the same key and the same body returns the replay that the first request started',
    },
  },
  body: startReplaySchema,
  success: {
    status: 202,
    description: 'The replay, which continues in the background',
    body: replaySchema,
    headers: repeatedHeaders,
  },
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
  summary: 'Get the progress of a replay',
  description: 'Replays are kept for 30 days.',
  security: 'api-key',
  errorStyle: 'named',
  path: replayPathSchema,
  success: { status: 200, description: 'The replay', body: replaySchema },
  errors: ['REPLAY_NOT_FOUND'],
});
