import * as z from 'zod';
import { operation } from '../../http/operation.ts';
import { pageQuery } from '../../http/page.ts';
import { messageParts, operationTypes } from '../message.ts';
import { notificationStatuses } from '../record.ts';

const time = z.iso.datetime({ offset: true });
const endpointId = z.string().describe('As the list of endpoints has it');
const exampleTime = '2026-11-20T09:15:02.456Z';

const deliverySchema = z
  .object({
    endpoint_id: endpointId.nullable().describe('Null for an endpoint that is gone for more than 30 days'),
    endpoint: z.string().describe('Its address'),
    status: z.enum(['delivered', 'failed']),
    status_code: z.int().nullable().describe('What it answered last; null when nothing answered'),
    response: z
      .string()
      .nullable()
      .describe(
        'What SNS logs of that answer, its first 1,000 bytes: the reason phrase of the status, or why there was none; null when it logs nothing',
      ),
    attempts: z.int().describe('A delivery that has ended is not attempted again'),
    dwell_time_ms: z
      .int()
      .nullable()
      .describe(
        'Milliseconds from the publication until the last attempt; null for what ended before the service recorded it',
      ),
    at: z.string().describe('When the delivery ended'),
    redriven_at: z
      .string()
      .nullable()
      .describe('When a failed one was sent again to this endpoint, by a notification of its own'),
  })
  .meta({
    id: 'Delivery',
    description: 'How the delivery of a notification to one endpoint ended.',
    examples: [
      {
        endpoint_id: '5f1d0c9ae27b4830',
        endpoint: 'https://club.example.com/notify',
        status: 'delivered',
        status_code: 200,
        response: 'OK',
        attempts: 1,
        dwell_time_ms: 64,
        at: exampleTime,
        redriven_at: null,
      },
    ],
  });

const notificationSchema = z
  .object({
    id: z.string().describe('The message id that the endpoint was sent in its headers'),
    operation_type: z.enum(operationTypes),
    application_user_sub: z.string().optional().describe('Of a user’s change'),
    contract_address: z.string().optional().describe('Of a contract or token'),
    token_id: z.string().optional(),
    part: z.enum(messageParts).optional(),
    chain_status: z.enum(['confirmed', 'failed']).optional().describe('What the chain decided'),
    transaction_hash: z.string().optional(),
    failure_reason: z.string().optional(),
    date_time: z.string(),
    published_at: z.string(),
    redrive_of: z
      .string()
      .optional()
      .describe('Of a notification that the operator has sent again: the id of the first one'),
    replay_of: z.string().optional().describe('Of one that a replay has sent again: the id of the first one'),
    status: z
      .enum(notificationStatuses)
      .describe(
        '`failed` when an endpoint did not take it, `delivered` when one did and none failed; `published` until a delivery has ended, which SNS reports only then',
      ),
    deliveries: z.array(deliverySchema),
  })
  .meta({
    id: 'SentNotification',
    description: 'A notification that was sent to this application, and what became of it.',
    examples: [
      {
        id: 'b1946ac9-2492-4d23-9f4b-6f6ac2d3c2a1',
        operation_type: 'data_update',
        application_user_sub: '9f0c2b4e6a514c1e8f0a3f3de1d6a2c7',
        date_time: '2026-11-20T09:15:02.123456',
        published_at: '2026-11-20T09:15:02.300Z',
        status: 'published',
        deliveries: [],
      },
    ],
  });

export const listNotificationsOperation = operation({
  operationId: 'listNotifications',
  api: 'b2b',
  method: 'GET',
  route: '/notifications',
  tag: 'Notifications',
  summary: 'List what was sent to this application',
  description:
    'Newest first, kept for 30 days. What became of a delivery is known some seconds after it ended. A page that a filter leaves little of may be short and yet have a next.',
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
    headers: { Link: 'The next page; absent on the last' },
  },
  errors: ['BAD_REQUEST'],
});

export type ListNotificationsQuery = z.output<NonNullable<typeof listNotificationsOperation.query>>;

const endpointSchema = z
  .object({
    id: endpointId,
    address: z.string(),
    form: z.enum(['raw', 'enveloped']),
    operation_types: z.array(z.enum(operationTypes)),
    state: z
      .enum(['pending', 'confirmed', 'ended'])
      .describe('`pending` until it has confirmed; `ended` when it never did, or unsubscribed'),
    last_success_at: z.string().nullable(),
    last_failure: z.object({ at: z.string(), reason: z.string() }).nullable(),
    failing_since: z.string().nullable().describe('The first failure after the last success'),
    failed_last_24_hours: z.int().describe('Of an endpoint that failed very often, not all are counted'),
    failed_not_redriven: z
      .int()
      .describe('What failed in the last 30 days and was not sent again; not all, if very much did'),
  })
  .meta({
    id: 'NotificationEndpoint',
    description: 'An endpoint of this application, and how it fares.',
    examples: [
      {
        id: '5f1d0c9ae27b4830',
        address: 'https://club.example.com/notify',
        form: 'raw',
        operation_types: ['data_update'],
        state: 'confirmed',
        last_success_at: exampleTime,
        last_failure: null,
        failing_since: null,
        failed_last_24_hours: 0,
        failed_not_redriven: 0,
      },
    ],
  });

export const listEndpointsOperation = operation({
  operationId: 'listNotificationEndpoints',
  api: 'b2b',
  method: 'GET',
  route: '/notifications/endpoints',
  tag: 'Notifications',
  summary: "List this application's endpoints",
  description: 'All of them: there are few.',
  security: 'api-key',
  errorStyle: 'named',
  success: { status: 200, description: 'The endpoints, oldest first', body: z.array(endpointSchema) },
  errors: [],
});

const testSchema = z.strictObject({ endpoint_id: endpointId.optional() }).meta({
  id: 'TestRequest',
  description: 'Whom to send it; every endpoint of the application when left out.',
  examples: [{}],
});

export const sendTestOperation = operation({
  operationId: 'sendTestNotification',
  api: 'b2b',
  method: 'POST',
  route: '/notifications/test',
  tag: 'Notifications',
  summary: 'Send a test to your endpoints',
  description:
    'One message whose `operation_type` is `test` and whose identifier reads 404. It appears in the list like any other.',
  security: 'api-key',
  errorStyle: 'named',
  body: testSchema,
  success: {
    status: 200,
    description: 'What was sent',
    body: notificationSchema,
  },
  errors: ['BAD_REQUEST', 'ENDPOINT_NOT_FOUND', 'ENDPOINT_ENDED', 'SERVICE_UNAVAILABLE'],
});

export type SendTestBody = z.output<typeof testSchema>;
