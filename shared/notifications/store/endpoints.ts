import type { UpdateCommandInput } from '@aws-sdk/lib-dynamodb';
import { attributeUpdate } from '../../platform/store/attribute-update.ts';
import {
  answerIfHeld,
  conditionHeld,
  queryPages,
  scanPages,
  type Table,
} from '../../platform/store/client.ts';
import type { Endpoint, EndpointKey } from '../endpoints/endpoint.ts';
import type { Endpoints } from '../ports/endpoints.ts';
import { recordLifetimeMilliseconds } from '../record/record.ts';
import { endpointOf, isDue, toLook, withoutRedelivery } from './endpoint-items.ts';

const isThere = 'attribute_exists(endpoint_id)';
const isSubscribed = `${isThere} AND attribute_not_exists(removed_at)`;
const isNewSuccess = `${isThere} AND (attribute_not_exists(last_success_at) OR last_success_at < :at)`;
const isNewFailure = `${isThere} AND (attribute_not_exists(last_failure_at) OR last_failure_at < :at)`;
const isAfterSuccess = `${isSubscribed} AND attribute_not_exists(failing_since) AND (attribute_not_exists(last_success_at) OR last_success_at < :at)`;
const isEarlier = 'undelivered_since > :since';
/** A success that is recorded late does not end an outage if a later delivery has failed already. */
const isBeforeSuccess =
  'failing_since <= last_success_at AND (attribute_not_exists(last_failure_at) OR last_failure_at <= last_success_at)';

export const dynamoDbEndpoints = ({ client, tableName }: Table): Endpoints => {
  type Input = Omit<UpdateCommandInput, 'TableName' | 'Key'>;
  const keyOf = ({ applicationId, id }: EndpointKey) => ({ application_id: applicationId, endpoint_id: id });

  /** Returns whether the condition held. Otherwise the endpoint was deleted, or its stored state is newer. */
  const update = (key: EndpointKey, input: Input, write = client.update): Promise<boolean> =>
    conditionHeld(write({ TableName: tableName, Key: keyOf(key), ...input }));

  /** The endpoint before or after the write. `undefined` if the condition did not hold. */
  const updated = async (
    key: EndpointKey,
    input: Input & { readonly ReturnValues: 'ALL_NEW' | 'ALL_OLD' },
  ): Promise<Endpoint | undefined> => {
    const write = client.update({ TableName: tableName, Key: keyOf(key), ...input });
    const attributes = (await answerIfHeld(write))?.Attributes;
    return attributes && endpointOf(attributes);
  };

  const find = async (key: EndpointKey): Promise<Endpoint | undefined> => {
    const { Item } = await client.get({ TableName: tableName, Key: keyOf(key), ConsistentRead: true });
    return Item && endpointOf(Item);
  };

  return {
    find,

    ofApplication: async (applicationId) => {
      const found: Endpoint[] = [];
      const pages = queryPages(client, {
        TableName: tableName,
        ConsistentRead: true,
        KeyConditionExpression: 'application_id = :application',
        ExpressionAttributeValues: { ':application': applicationId },
      });
      for await (const { Items = [] } of pages) found.push(...Items.map(endpointOf));
      return found;
    },

    list: async () => {
      const found: Endpoint[] = [];
      const pages = scanPages(client, { TableName: tableName, ConsistentRead: true });
      for await (const { Items = [] } of pages) found.push(...Items.map(endpointOf));
      return found;
    },

    // `save` and `remove` undo each other, so neither may run again after the other has run.
    save: async (endpoint) => {
      await client.updateOnce({
        TableName: tableName,
        Key: keyOf(endpoint),
        ...attributeUpdate({
          destination: endpoint.destination,
          is_enveloped: endpoint.isEnveloped,
          operation_types: [...endpoint.operationTypes],
          created_at: endpoint.createdAt,
          removed_at: undefined,
          expires_at: undefined,
          last_success_at: undefined,
          last_failure_at: undefined,
          last_failure_reason: undefined,
          failing_since: endpoint.failingSince,
        }),
      });
    },

    remove: async ({ at, ...key }) => {
      await update(
        key,
        {
          ...attributeUpdate(
            {
              removed_at: at,
              formerly_removed_at: at,
              expires_at: Math.ceil((at + recordLifetimeMilliseconds) / 1_000),
              ...withoutRedelivery,
            },
            { ConditionExpression: isThere },
          ),
        },
        client.updateOnce,
      );
    },

    noteSuccess: async ({ at, publishedAt, ...key }) =>
      (await updated(key, {
        UpdateExpression: 'SET last_success_at = :at, accepted_until = :published',
        ConditionExpression: isNewSuccess,
        ExpressionAttributeValues: { ':at': at, ':published': publishedAt },
        ReturnValues: 'ALL_NEW',
      })) ?? find(key),

    endOutage: ({ now, ...key }) =>
      update(
        key,
        attributeUpdate(
          {
            failing_since: undefined,
            attempt: 0,
            probe_id: undefined,
            redelivery: isDue,
            next_look_at: toLook(now),
            next_at: now,
            is_paused: undefined,
          },
          { ConditionExpression: isBeforeSuccess },
        ),
      ),

    countFailure: async ({ since, notedAt, nextAt, ...key }) => {
      const before = await updated(key, {
        UpdateExpression:
          'ADD failures :one SET failure_noted_at = :noted, undelivered_since = if_not_exists(undelivered_since, :since), redelivery = :due, next_look_at = :look, next_at = if_not_exists(next_at, :next)',
        ConditionExpression: isSubscribed,
        ExpressionAttributeValues: {
          ':one': 1,
          ':noted': notedAt,
          ':since': since,
          ':due': isDue,
          ':look': toLook(notedAt),
          ':next': nextAt,
        },
        ReturnValues: 'ALL_OLD',
      });
      if (since < (before?.redelivery?.since ?? since)) {
        await update(key, {
          UpdateExpression: 'SET undelivered_since = :since',
          ConditionExpression: isEarlier,
          ExpressionAttributeValues: { ':since': since },
        });
      }
      return before;
    },

    noteFailure: async ({ at, reason, ...key }) => {
      await update(key, {
        UpdateExpression: 'SET last_failure_at = :at, last_failure_reason = :reason',
        ConditionExpression: isNewFailure,
        ExpressionAttributeValues: { ':at': at, ':reason': reason },
      });
    },

    beginOutage: async ({ at, nextAt, ...key }) => {
      await update(
        key,
        attributeUpdate(
          { failing_since: at, attempt: 0, probe_id: undefined, next_at: nextAt, is_paused: undefined },
          { ConditionExpression: isAfterSuccess, ExpressionAttributeValues: { ':at': at } },
        ),
      );
    },
  };
};
