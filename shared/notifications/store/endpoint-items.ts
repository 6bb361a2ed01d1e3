import * as z from 'zod';
import { tellLaterData } from '../../platform/later-data.ts';
import type { Endpoint } from '../endpoints/endpoint.ts';
import { operationTypes } from '../messages/message.ts';
import type { Redelivery } from '../redeliver/redelivery.ts';

const operationTypeSchema = z.enum(operationTypes);

/** Without the operation types that only a later release knows: this one sends no such message. */
const knownTypes = ({
  endpoint_id: id,
  operation_types: types,
}: {
  readonly endpoint_id: string;
  readonly operation_types: readonly string[];
}) => {
  const unknown = types.filter((type) => !operationTypeSchema.safeParse(type).success);
  if (unknown.length > 0) tellLaterData({ kind: 'endpoint', id, unknown });
  return types.flatMap((type) => operationTypeSchema.safeParse(type).data ?? []);
};

/** The attribute `redelivery` of endpoints that have a next look: a key of the index `by-next-look`. */
export const isDue = 'due';

/** `next_look_at` is a key of an index, so it is a string: ISO 8601. */
export const toLook = (milliseconds: number): string => new Date(milliseconds).toISOString();

/** The attributes of a redelivery, to be removed when it ends. The count of failures stays: it never falls. */
export const withoutRedelivery = {
  undelivered_since: undefined,
  redelivery: undefined,
  next_look_at: undefined,
  next_at: undefined,
  is_paused: undefined,
  attempt: undefined,
  probe_id: undefined,
  rows_changed_at: undefined,
};

const itemSchema = z.object({
  application_id: z.string(),
  endpoint_id: z.string(),
  destination: z.string(),
  is_enveloped: z.boolean(),
  operation_types: z.array(z.string()),
  created_at: z.number(),
  removed_at: z.number().optional(),
  formerly_removed_at: z.number().optional(),
  last_success_at: z.number().optional(),
  accepted_until: z.number().optional(),
  last_failure_at: z.number().optional(),
  last_failure_reason: z.string().optional(),
  failing_since: z.number().optional(),
  undelivered_since: z.number().optional(),
  failures: z.number().default(0),
  failure_noted_at: z.number().default(0),
  next_at: z.number().optional(),
  is_paused: z.boolean().default(false),
  attempt: z.number().default(0),
  probe_id: z.string().optional(),
  rows_changed_at: z.number().default(0),
});

type Item = z.output<typeof itemSchema>;

const redeliveryOf = (item: Item): Redelivery | undefined =>
  item.undelivered_since === undefined || item.removed_at !== undefined
    ? undefined
    : {
        since: item.undelivered_since,
        attempt: item.attempt,
        nextAt: item.next_at,
        isPaused: item.is_paused,
        probeId: item.probe_id,
        rowsChangedAt: item.rows_changed_at,
        failureNotedAt: item.failure_noted_at,
        failures: item.failures,
      };

const endpointSchema = itemSchema.transform(
  (item): Endpoint => ({
    applicationId: item.application_id,
    id: item.endpoint_id,
    destination: item.destination,
    isEnveloped: item.is_enveloped,
    operationTypes: knownTypes(item),
    createdAt: item.created_at,
    removedAt: item.removed_at,
    formerlyRemovedAt: item.formerly_removed_at,
    lastSuccessAt: item.last_success_at,
    acceptedUntil: item.accepted_until,
    lastFailure:
      item.last_failure_at === undefined
        ? undefined
        : { at: item.last_failure_at, reason: item.last_failure_reason ?? '' },
    failingSince: item.failing_since,
    redelivery: redeliveryOf(item),
  }),
);

export const endpointOf = (item: unknown): Endpoint => endpointSchema.parse(item);
