import * as z from 'zod';
import { eventStatuses } from '../../ott/events/event-kinds.ts';
import { type Endpoint, withoutCredentials } from '../endpoints/endpoint.ts';
import type { EndpointHealth } from '../endpoints/list-endpoints.ts';
import { byForm, eventChanges, type Message, messageParts, operationTypes } from '../messages/message.ts';
import { type NotificationRecord, notificationStatuses, statusOf } from '../record/record.ts';
import { redeliveryStates } from '../redeliver/redelivery.ts';
import { endpointId } from './requests.ts';

const isoTime = (milliseconds: number): string => new Date(milliseconds).toISOString();
const isoTimeOrNull = (milliseconds: number | undefined): string | null =>
  milliseconds === undefined ? null : isoTime(milliseconds);

const exampleTime = '2026-11-20T09:15:02.456Z';

const deliverySchema = z
  .object({
    endpoint_id: endpointId
      .nullable()
      .describe('Null for an endpoint that was removed more than 30 days ago'),
    endpoint: z.string().describe('The address of the endpoint, or the ARN of the queue'),
    status: z.enum(['delivered', 'failed']),
    status_code: z.int().nullable().describe('The endpoint’s last status code; null if it did not respond'),
    response: z
      .string()
      .nullable()
      .describe(
        'The first 1,000 bytes of what SNS logs about the response: the reason phrase of the status, or why there was no response. Null if SNS logs nothing',
      ),
    attempts: z
      .int()
      .describe('How many times SNS tried to deliver the notification until the delivery ended'),
    dwell_time_ms: z
      .int()
      .nullable()
      .describe(
        'Milliseconds from the publication to the last attempt; null for an old delivery, for which it was not recorded',
      ),
    at: z.string().describe('When the delivery ended'),
    redriven_at: z
      .string()
      .nullable()
      .describe(
        'When the notification was sent to this endpoint again, after this delivery had failed. This second notification is a separate entry in the list of notifications',
      ),
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

export const notificationSchema = z
  .object({
    id: z.string().describe('The message id in the headers that the endpoint received'),
    operation_type: z.enum(operationTypes),
    application_user_sub: z.string().optional().describe('Set if the notification is about a user'),
    contract_address: z.string().optional().describe('Set if the notification is about a contract or token'),
    token_id: z.string().optional(),
    part: z.enum(messageParts).optional(),
    chain_status: z
      .enum(['confirmed', 'failed'])
      .optional()
      .describe('The final outcome on the chain, for a notification about a contract or token'),
    transaction_hash: z.string().optional(),
    failure_reason: z.string().optional(),
    change: z.enum(eventChanges).optional().describe('Set if the notification is about events'),
    event_id: z.string().optional().describe('Set if the notification is about one event'),
    event_status: z
      .enum(eventStatuses)
      .optional()
      .describe('The status of the event that the notification tells'),
    date_time: z.string(),
    published_at: z.string(),
    redrive_of: z
      .string()
      .optional()
      .describe(
        'Set if this notification is a copy that the operator sent: the id of the original notification',
      ),
    replay_of: z
      .string()
      .optional()
      .describe(
        'Set if this notification is a copy that a replay or a redelivery sent: the id of the original notification',
      ),
    status: z
      .enum(notificationStatuses)
      .describe(
        '`failed` if the delivery to any endpoint failed; `delivered` if at least one succeeded and none failed; `published` until the first delivery has ended',
      ),
    deliveries: z.array(deliverySchema),
  })
  .meta({
    id: 'SentNotification',
    description: 'A notification that was sent to this application, with its deliveries.',
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

type NotificationAnswer = z.output<typeof notificationSchema>;
type ToldFields = Partial<Omit<NotificationAnswer, 'id' | 'status'>>;

/**
 * The content of a message. Its `id` and `status` are called `token_id`, and `chain_status` or `event_status`, because
 * in a response `id` and `status` belong to the notification.
 */
const toldIn = (message: Message): ToldFields & Pick<NotificationAnswer, 'operation_type' | 'date_time'> => ({
  operation_type: message.operationType,
  ...byForm<ToldFields>(message, {
    user: ({ applicationUserSub }): ToldFields => ({ application_user_sub: applicationUserSub }),
    chain: ({ contractAddress, tokenId, part, status, transactionHash, failureReason }): ToldFields => ({
      contract_address: contractAddress,
      token_id: tokenId,
      part,
      chain_status: status,
      transaction_hash: transactionHash,
      failure_reason: failureReason,
    }),
    event: ({ change, eventId, status }): ToldFields => ({
      change,
      event_id: eventId,
      event_status: status,
    }),
  }),
  date_time: message.dateTime,
});

export const notificationAnswer = (
  { id, message, publishedAt, redriveOf, replayOf, deliveries }: NotificationRecord,
  endpoints: readonly Endpoint[],
): NotificationAnswer => ({
  id,
  ...toldIn(message),
  published_at: isoTime(publishedAt),
  redrive_of: redriveOf,
  replay_of: replayOf,
  status: statusOf(deliveries),
  deliveries: deliveries.map(
    (delivery): z.output<typeof deliverySchema> => ({
      endpoint_id: endpoints.find(({ destination }) => destination === delivery.destination)?.id ?? null,
      endpoint: withoutCredentials(delivery.destination),
      status: delivery.isDelivered ? 'delivered' : 'failed',
      status_code: delivery.statusCode ?? null,
      response: delivery.reason === '' ? null : delivery.reason,
      attempts: delivery.attempts,
      dwell_time_ms: delivery.dwellMilliseconds ?? null,
      at: isoTime(delivery.at),
      redriven_at: isoTimeOrNull(delivery.redrivenAt),
    }),
  ),
});

export const endpointSchema = z
  .object({
    id: endpointId,
    address: z.string().describe('The URL of the endpoint, or the ARN of the queue'),
    form: z.enum(['raw', 'enveloped']),
    operation_types: z.array(z.enum(operationTypes)),
    state: z
      .enum(['pending', 'confirmed', 'ended'])
      .describe(
        '`pending` until the endpoint has confirmed its subscription; `ended` if it did not confirm in time, or unsubscribed',
      ),
    last_success_at: z.string().nullable(),
    last_failure: z
      .object({ at: z.string(), reason: z.string() })
      .meta({
        id: 'EndpointFailure',
        description: 'When a delivery to an endpoint failed last, and why.',
        examples: [{ at: exampleTime, reason: 'HTTP 503 Service Unavailable' }],
      })
      .nullable(),
    failing_since: z.string().nullable().describe('The time of the first failure after the last success'),
    redelivery: z
      .object({
        state: z
          .enum(redeliveryStates)
          .describe(
            '`waiting`: an attempt is made at `next_at`; `probing`: the outcome of an attempt is awaited; `replaying`: the endpoint accepts notifications again, and everything that it missed is being sent; `paused`: no further attempt is made until the endpoint accepts a notification, such as a test. If `failing_since` is null, the endpoint has refused some notifications for the whole time while it accepted others; these are sent again only by `POST /notifications/replay` with the status `failed`',
          ),
        since: z.string().describe('When the oldest undelivered notification was published'),
        attempt: z
          .int()
          .describe('How many attempts were made since the endpoint last accepted a notification'),
        next_at: z.string().nullable().describe('When something is sent next; null while paused'),
        undelivered: z
          .int()
          .describe(
            'How many users, contracts, tokens and events the endpoint may not have heard of. Exact up to 10,000',
          ),
      })
      .meta({
        id: 'Redelivery',
        description: 'When what an endpoint has not accepted is sent again.',
        examples: [
          {
            state: 'waiting',
            since: exampleTime,
            attempt: 2,
            next_at: '2026-11-20T09:45:00.000Z',
            undelivered: 17,
          },
        ],
      })
      .nullable()
      .describe('Null if the endpoint has accepted everything, as far as is known'),
    failed_last_24_hours: z
      .int()
      .describe(
        'Failed deliveries of the last 24 hours. If there are very many, not all of them are counted',
      ),
    failed_not_redriven: z
      .int()
      .describe(
        'Failed deliveries of the last 30 days whose notification was not sent again. If there are very many, not all of them are counted',
      ),
  })
  .meta({
    id: 'NotificationEndpoint',
    description: 'An endpoint of this application, with the state of its deliveries.',
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
        redelivery: null,
        failed_last_24_hours: 0,
        failed_not_redriven: 0,
      },
    ],
  });

const redeliveryAnswer = ({
  state,
  since,
  attempt,
  nextAt,
  undelivered,
}: NonNullable<EndpointHealth['redelivery']>): z.output<typeof endpointSchema>['redelivery'] => ({
  state,
  since: isoTime(since),
  attempt,
  next_at: isoTimeOrNull(state === 'paused' ? undefined : nextAt),
  undelivered,
});

export const endpointAnswer = ({
  endpoint,
  state,
  redelivery,
  failures,
}: EndpointHealth): z.output<typeof endpointSchema> => ({
  id: endpoint.id,
  address: withoutCredentials(endpoint.destination),
  form: endpoint.isEnveloped ? 'enveloped' : 'raw',
  operation_types: [...endpoint.operationTypes],
  state,
  last_success_at: isoTimeOrNull(endpoint.lastSuccessAt),
  last_failure:
    endpoint.lastFailure === undefined
      ? null
      : {
          at: isoTime(endpoint.lastFailure.at),
          reason: endpoint.lastFailure.reason,
        },
  failing_since: isoTimeOrNull(endpoint.failingSince),
  redelivery: redelivery === undefined ? null : redeliveryAnswer(redelivery),
  failed_last_24_hours: failures.since,
  failed_not_redriven: failures.notRedriven,
});
