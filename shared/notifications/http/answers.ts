import { type Endpoint, withoutCredentials } from '../endpoints/endpoint.ts';
import type { EndpointHealth } from '../endpoints/list-endpoints.ts';
import { byForm, type Message } from '../messages/message.ts';
import { type NotificationRecord, statusOf } from '../record/record.ts';
import type { Redelivery } from '../redeliver/redelivery.ts';
import type { Replay } from '../replay/replay.ts';

const isoTime = (milliseconds: number): string => new Date(milliseconds).toISOString();
const isoTimeOrNull = (milliseconds: number | undefined): string | null =>
  milliseconds === undefined ? null : isoTime(milliseconds);

/**
 * The content of a message. Its `id` and `status` are called `token_id`, and `chain_status` or `event_status`, because in a response `id`
 * and `status` belong to the notification.
 */
const toldIn = (message: Message) => ({
  operation_type: message.operationType,
  ...byForm<object>(message, {
    user: ({ applicationUserSub }) => ({ application_user_sub: applicationUserSub }),
    chain: ({ contractAddress, tokenId, part, status, transactionHash, failureReason }) => ({
      contract_address: contractAddress,
      token_id: tokenId,
      part,
      chain_status: status,
      transaction_hash: transactionHash,
      failure_reason: failureReason,
    }),
    event: ({ change, eventId, status }) => ({
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
) => ({
  id,
  ...toldIn(message),
  published_at: isoTime(publishedAt),
  redrive_of: redriveOf,
  replay_of: replayOf,
  status: statusOf(deliveries),
  deliveries: deliveries.map((delivery) => ({
    endpoint_id: endpoints.find(({ destination }) => destination === delivery.destination)?.id ?? null,
    endpoint: withoutCredentials(delivery.destination),
    status: delivery.isDelivered ? 'delivered' : 'failed',
    status_code: delivery.statusCode ?? null,
    response: delivery.reason === '' ? null : delivery.reason,
    attempts: delivery.attempts,
    dwell_time_ms: delivery.dwellMilliseconds ?? null,
    at: isoTime(delivery.at),
    redriven_at: isoTimeOrNull(delivery.redrivenAt),
  })),
});

const redeliveryAnswer = ({ state, since, attempt, nextAt }: Redelivery) => ({
  state,
  since: isoTime(since),
  attempt,
  next_at: isoTimeOrNull(nextAt),
});

export const endpointAnswer = ({ endpoint, state, redelivery, failures }: EndpointHealth) => ({
  id: endpoint.id,
  address: withoutCredentials(endpoint.destination),
  form: endpoint.isEnveloped ? 'enveloped' : 'raw',
  operation_types: endpoint.operationTypes,
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

export const replayAnswer = (replay: Replay) => ({
  id: replay.id,
  from: isoTime(replay.from),
  to: isoTime(replay.to),
  status: replay.status ?? null,
  endpoint_id: replay.endpointId ?? null,
  state: replay.endedAt === undefined ? 'running' : 'ended',
  looked_at: replay.looked,
  published: replay.published,
  started_at: isoTime(replay.startedAt),
  ended_at: isoTimeOrNull(replay.endedAt),
});
