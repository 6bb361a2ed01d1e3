import * as z from 'zod';
import { pageQuery } from '../../platform/http/page-query.ts';
import { operationTypes } from '../messages/message.ts';
import { notificationStatuses } from '../record/record.ts';

export const endpointId = z.string().describe('The id of an endpoint, as in the list of endpoints');
export const exampleReplayId = '3b5e6f4a9c1d4e0f8a7b6c5d4e3f2a1b';

const time = z.iso.datetime({ offset: true });

export const listNotificationsQuerySchema = z.strictObject({
  ...pageQuery,
  from: time.optional().describe('Published at or after this time'),
  to: time.optional().describe('Published before this time'),
  status: z.enum(notificationStatuses).optional(),
  operation_type: z.enum(operationTypes).optional(),
});
export type ListNotificationsQuery = z.output<typeof listNotificationsQuerySchema>;

export const testSchema = z.strictObject({ endpoint_id: endpointId.optional() }).meta({
  id: 'TestRequest',
  description:
    'The endpoint to test. If `endpoint_id` is left out, every endpoint of the application is tested.',
  examples: [{}],
});
export type SendTestBody = z.output<typeof testSchema>;

export const startReplaySchema = z
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

export const replayPathSchema = z.strictObject({
  id: z
    .string()
    .min(1)
    .meta({ examples: [exampleReplayId] }),
});
export type ReplayPath = z.output<typeof replayPathSchema>;
