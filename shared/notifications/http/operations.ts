import * as z from 'zod';
import { idempotencyKeySchema, repeatedHeaders } from '../../platform/http/idempotency-key.ts';
import { operation } from '../../platform/http/operation.ts';
import { endpointSchema, notificationSchema } from './answers.ts';
import { replaySchema } from './replay-answers.ts';
import { listNotificationsQuerySchema, replayPathSchema, startReplaySchema, testSchema } from './requests.ts';

export const listNotificationsOperation = operation({
  operationId: 'listNotifications',
  api: 'b2b',
  method: 'GET',
  route: '/notifications',
  tag: 'Notifications',
  summary: 'List the notifications that were sent to this application',
  description:
    'Newest first. Notifications are kept for 30 days. The outcome of a delivery appears some seconds after the delivery has ended. With a filter, a page may have fewer notifications than `limit` without being the last.',
  security: 'api-key',
  errorStyle: 'named',
  query: listNotificationsQuerySchema,
  success: {
    status: 200,
    description: 'One page of notifications',
    body: z.array(notificationSchema),
    headers: { Link: 'The URL of the next page. Absent on the last page' },
  },
  errors: ['BAD_REQUEST'],
});

export const listEndpointsOperation = operation({
  operationId: 'listNotificationEndpoints',
  api: 'b2b',
  method: 'GET',
  route: '/notifications/endpoints',
  tag: 'Notifications',
  summary: "List this application's endpoints",
  description: 'Returns all endpoints in one response.',
  security: 'api-key',
  errorStyle: 'named',
  success: { status: 200, description: 'The endpoints, oldest first', body: z.array(endpointSchema) },
  errors: [],
});

export const sendTestOperation = operation({
  operationId: 'sendTestNotification',
  api: 'b2b',
  method: 'POST',
  route: '/notifications/test',
  tag: 'Notifications',
  summary: 'Send a test notification to your endpoints',
  description:
    'Sends one message with the `operation_type` `test`. The user identifier in this message belongs to no user, so reading the user’s data returns 404. The message appears in the list of notifications. An application can send ten tests a minute.',
  security: 'api-key',
  errorStyle: 'named',
  body: testSchema,
  success: {
    status: 200,
    description: 'The notification that was sent',
    body: notificationSchema,
  },
  errors: ['BAD_REQUEST', 'ENDPOINT_NOT_FOUND', 'ENDPOINT_ENDED', 'TOO_MANY_TESTS', 'SERVICE_UNAVAILABLE'],
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
