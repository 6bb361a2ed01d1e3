import * as z from 'zod';
import { operation } from '../../platform/http/operation.ts';
import { pageQuery } from '../../platform/http/page.ts';
import { operationTypes } from '../messages/message.ts';
import { notificationStatuses } from '../record/record.ts';
import { endpointId, endpointSchema, notificationSchema } from './answers.ts';

const time = z.iso.datetime({ offset: true });

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
  query: z.strictObject({
    ...pageQuery,
    from: time.optional().describe('Published at or after this time'),
    to: time.optional().describe('Published before this time'),
    status: z.enum(notificationStatuses).optional(),
    operation_type: z.enum(operationTypes).optional(),
  }),
  success: {
    status: 200,
    description: 'One page of notifications',
    body: z.array(notificationSchema),
    headers: { Link: 'The URL of the next page. Absent on the last page' },
  },
  errors: ['BAD_REQUEST'],
});

export type ListNotificationsQuery = z.output<NonNullable<typeof listNotificationsOperation.query>>;

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

const testSchema = z.strictObject({ endpoint_id: endpointId.optional() }).meta({
  id: 'TestRequest',
  description:
    'The endpoint to test. If `endpoint_id` is left out, every endpoint of the application is tested.',
  examples: [{}],
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

export type SendTestBody = z.output<typeof testSchema>;
