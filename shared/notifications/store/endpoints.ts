import type { UpdateCommandInput } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod';
import { tellLaterData } from '../../platform/later-data.ts';
import { conditionHeld, queryPages, scanPages, type Table } from '../../platform/store/client.ts';
import type { Endpoint } from '../endpoint.ts';
import { operationTypes } from '../message.ts';
import type { Endpoints } from '../ports/endpoints.ts';
import { recordLifetimeMilliseconds } from '../record.ts';

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

const itemSchema = z
  .object({
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
  })
  .transform(
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
    }),
  );

const toItem = (endpoint: Endpoint) => ({
  application_id: endpoint.applicationId,
  endpoint_id: endpoint.id,
  destination: endpoint.destination,
  is_enveloped: endpoint.isEnveloped,
  operation_types: [...endpoint.operationTypes],
  created_at: endpoint.createdAt,
});

const isNewSuccess =
  'attribute_exists(endpoint_id) AND (attribute_not_exists(last_success_at) OR last_success_at < :at)';
const isNewFailure =
  'attribute_exists(endpoint_id) AND (attribute_not_exists(last_failure_at) OR last_failure_at < :at)';
const isAfterSuccess =
  'attribute_exists(endpoint_id) AND attribute_not_exists(failing_since) AND (attribute_not_exists(last_success_at) OR last_success_at < :at)';
const isBeforeSuccess = 'failing_since <= last_success_at';

export const dynamoDbEndpoints = ({ client, tableName }: Table): Endpoints => {
  /** Returns whether the condition held. Otherwise the endpoint was deleted, or its stored state is newer. */
  const update = async (
    { applicationId, id }: Pick<Endpoint, 'applicationId' | 'id'>,
    input: Omit<UpdateCommandInput, 'TableName' | 'Key'>,
    write = client.update,
  ): Promise<boolean> => {
    const Key = { application_id: applicationId, endpoint_id: id };
    return conditionHeld(write({ TableName: tableName, Key, ...input }));
  };

  return {
    ofApplication: async (applicationId) => {
      const found: Endpoint[] = [];
      const pages = queryPages(client, {
        TableName: tableName,
        ConsistentRead: true,
        KeyConditionExpression: 'application_id = :application',
        ExpressionAttributeValues: { ':application': applicationId },
      });
      for await (const { Items = [] } of pages) found.push(...Items.map((item) => itemSchema.parse(item)));
      return found;
    },

    list: async () => {
      const found: Endpoint[] = [];
      const pages = scanPages(client, { TableName: tableName, ConsistentRead: true });
      for await (const { Items = [] } of pages) found.push(...Items.map((item) => itemSchema.parse(item)));
      return found;
    },

    // `save` and `remove` undo each other, so neither may run again after the other has run.
    save: async (endpoint) => {
      await client.putOnce({ TableName: tableName, Item: toItem(endpoint) });
    },

    remove: async ({ at, ...key }) => {
      await update(
        key,
        {
          UpdateExpression: 'SET removed_at = :at, expires_at = :end',
          ConditionExpression: 'attribute_exists(endpoint_id)',
          ExpressionAttributeValues: {
            ':at': at,
            ':end': Math.ceil((at + recordLifetimeMilliseconds) / 1_000),
          },
        },
        client.updateOnce,
      );
    },

    noteSuccess: async ({ at, ...key }) => {
      await update(key, {
        UpdateExpression: 'SET last_success_at = :at',
        ConditionExpression: isNewSuccess,
        ExpressionAttributeValues: { ':at': at },
      });
      await update(key, { UpdateExpression: 'REMOVE failing_since', ConditionExpression: isBeforeSuccess });
    },

    noteFailure: async ({ at, reason, ...key }) => {
      await update(key, {
        UpdateExpression: 'SET last_failure_at = :at, last_failure_reason = :reason',
        ConditionExpression: isNewFailure,
        ExpressionAttributeValues: { ':at': at, ':reason': reason },
      });
      return update(key, {
        UpdateExpression: 'SET failing_since = :at',
        ConditionExpression: isAfterSuccess,
        ExpressionAttributeValues: { ':at': at },
      });
    },
  };
};
