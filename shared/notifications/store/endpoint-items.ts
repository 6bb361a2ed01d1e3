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

/** The values of the attribute `redelivery`. Those that are due are in the index `by-next-look`. */
export const isDue = 'due';
export const isPaused = 'paused';

/** `next_look_at` is a key of an index, so it is a string: ISO 8601. */
export const toLook = (milliseconds: number): string => new Date(milliseconds).toISOString();

/** The attributes of a sweep, to be removed when it ends. */
export const withoutSweep = {
  walk: undefined,
  walk_at: undefined,
  walk_failures: undefined,
  walk_next: undefined,
  walk_left_at: undefined,
  walk_gave_up: undefined,
};

/** The attributes of a redelivery, to be removed when it ends. The count of failures stays: it never falls. */
export const withoutRedelivery = {
  undelivered_since: undefined,
  redelivery: undefined,
  next_look_at: undefined,
  attempt: undefined,
  brought_forward_at: undefined,
  probe_id: undefined,
  probe_next: undefined,
  accepted_failures: undefined,
  ...withoutSweep,
};

const itemSchema = z.object({
  application_id: z.string(),
  endpoint_id: z.string(),
  destination: z.string(),
  is_enveloped: z.boolean(),
  operation_types: z.array(z.string()),
  created_at: z.number(),
  removed_at: z.number().optional(),
  last_success_at: z.number().optional(),
  last_failure_at: z.number().optional(),
  last_failure_reason: z.string().optional(),
  failing_since: z.number().optional(),
  outage_from: z.number().optional(),
  outage_to: z.number().optional(),
  undelivered_since: z.number().optional(),
  failures: z.number().default(0),
  failure_noted_at: z.number().default(0),
  redelivery: z.string().optional(),
  next_look_at: z.string().transform(Date.parse).optional(),
  attempt: z.number().default(0),
  brought_forward_at: z.number().optional(),
  probe_id: z.string().optional(),
  walk: z.string().optional(),
  walk_at: z.number().optional(),
  walk_failures: z.number().default(0),
  walk_next: z.string().optional(),
  walk_left_at: z.number().optional(),
  walk_gave_up: z.boolean().default(false),
  probe_next: z.string().optional(),
  /** How many failures there were when nothing undelivered was found. */
  accepted_failures: z.number().optional(),
});

type Item = z.output<typeof itemSchema>;

const stateOf = ({ redelivery, walk, probe_id, failing_since }: Item): Redelivery['state'] => {
  if (redelivery === isPaused) return 'paused';
  if (walk !== undefined) return failing_since === undefined ? 'replaying' : 'probing';
  return probe_id === undefined ? 'waiting' : 'probing';
};

const redeliveryOf = (item: Item): Redelivery | undefined =>
  item.undelivered_since === undefined || item.removed_at !== undefined
    ? undefined
    : {
        state: stateOf(item),
        since: item.undelivered_since,
        attempt: item.attempt,
        nextAt: item.redelivery === isPaused ? undefined : item.next_look_at,
        broughtForwardAt: item.brought_forward_at,
        probeId: item.probe_id,
        probeNext: item.probe_next,
        sweep:
          item.walk === undefined
            ? undefined
            : {
                id: item.walk,
                at: item.walk_at ?? 0,
                next: item.walk_next,
                leftAt: item.walk_left_at,
                gaveUp: item.walk_gave_up,
                failures: item.walk_failures,
              },
        failureNotedAt: item.failure_noted_at,
        failures: item.failures,
        isAccepted: item.accepted_failures === item.failures,
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
    lastSuccessAt: item.last_success_at,
    lastFailure:
      item.last_failure_at === undefined
        ? undefined
        : { at: item.last_failure_at, reason: item.last_failure_reason ?? '' },
    failingSince: item.failing_since,
    outage: item.outage_from === undefined ? undefined : { from: item.outage_from, to: item.outage_to },
    redelivery: redeliveryOf(item),
  }),
);

export const endpointOf = (item: unknown): Endpoint => endpointSchema.parse(item);
