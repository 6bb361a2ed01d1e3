import type { UpdateCommandInput } from '@aws-sdk/lib-dynamodb';
import { attributeUpdate } from '../../platform/store/attribute-update.ts';
import {
  answerIfHeld,
  conditionHeld,
  queryPages,
  scanPages,
  type Table,
} from '../../platform/store/client.ts';
import type { Endpoint } from '../endpoints/endpoint.ts';
import type { Endpoints } from '../ports/endpoints.ts';
import { longestDwellMilliseconds, recordLifetimeMilliseconds } from '../record/record.ts';
import type { Redelivery } from '../redeliver/redelivery.ts';
import { endpointOf, isDue, isPaused, toLook, withoutRedelivery } from './endpoint-items.ts';

const isThere = 'attribute_exists(endpoint_id)';
const isSubscribed = `${isThere} AND attribute_not_exists(removed_at)`;
const isNewSuccess = `${isThere} AND (attribute_not_exists(last_success_at) OR last_success_at < :at)`;
const isNewFailure = `${isThere} AND (attribute_not_exists(last_failure_at) OR last_failure_at < :at)`;
const isNotFailing = `${isThere} AND attribute_not_exists(failing_since)`;
const isAfterSuccess = `${isNotFailing} AND (attribute_not_exists(last_success_at) OR last_success_at < :at)`;
const isEarlier = 'undelivered_since > :since';
/** A success that is recorded late does not end an outage if a later delivery has failed already. */
const isBeforeSuccess =
  'failing_since <= last_success_at AND (attribute_not_exists(last_failure_at) OR last_failure_at <= last_success_at)';
const isItsProbe = 'probe_id = :probe';

/** The condition that the stored redelivery has not changed since it was read. */
const asRead = (redelivery: Redelivery | undefined) => {
  if (redelivery === undefined) return { ConditionExpression: 'attribute_not_exists(undelivered_since)' };
  if (redelivery.sweep !== undefined) {
    return {
      ConditionExpression: 'walk = :read',
      ExpressionAttributeValues: { ':read': redelivery.sweep.id },
    };
  }
  if (redelivery.nextAt === undefined) {
    return { ConditionExpression: 'redelivery = :read', ExpressionAttributeValues: { ':read': isPaused } };
  }
  return {
    ConditionExpression: 'attribute_not_exists(walk) AND next_look_at = :read',
    ExpressionAttributeValues: { ':read': toLook(redelivery.nextAt) },
  };
};

export const dynamoDbEndpoints = ({ client, tableName }: Table): Endpoints => {
  type Key = Pick<Endpoint, 'applicationId' | 'id'>;
  type Input = Omit<UpdateCommandInput, 'TableName' | 'Key'>;
  const keyOf = ({ applicationId, id }: Key) => ({ application_id: applicationId, endpoint_id: id });

  /** Returns whether the condition held. Otherwise the endpoint was deleted, or its stored state is newer. */
  const update = (key: Key, input: Input, write = client.update): Promise<boolean> =>
    conditionHeld(write({ TableName: tableName, Key: keyOf(key), ...input }));

  /** The endpoint before or after the write. `undefined` if the condition did not hold. */
  const updated = async (
    key: Key,
    input: Input & { readonly ReturnValues: 'ALL_NEW' | 'ALL_OLD' },
  ): Promise<Endpoint | undefined> => {
    const write = client.update({ TableName: tableName, Key: keyOf(key), ...input });
    const attributes = (await answerIfHeld(write))?.Attributes;
    return attributes && endpointOf(attributes);
  };

  const find = async (key: Key): Promise<Endpoint | undefined> => {
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
          outage_from: endpoint.outage?.from,
          outage_to: endpoint.outage?.to,
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
              expires_at: Math.ceil((at + recordLifetimeMilliseconds) / 1_000),
              ...withoutRedelivery,
            },
            { ConditionExpression: isThere },
          ),
        },
        client.updateOnce,
      );
    },

    noteSuccess: async ({ at, ...key }) =>
      (await updated(key, {
        UpdateExpression: 'SET last_success_at = :at',
        ConditionExpression: isNewSuccess,
        ExpressionAttributeValues: { ':at': at },
        ReturnValues: 'ALL_NEW',
      })) ?? find(key),

    endOutage: ({ at, redelivery, lookAt, ...key }) => {
      const isLooked = redelivery !== undefined && redelivery.sweep === undefined;
      const { ConditionExpression, ...read } = asRead(redelivery);
      return update(
        key,
        attributeUpdate(
          {
            outage_to: at,
            failing_since: undefined,
            ...(redelivery !== undefined && { attempt: 0 }),
            ...(isLooked && {
              brought_forward_at: lookAt,
              probe_id: undefined,
              redelivery: isDue,
              next_look_at: toLook(lookAt),
            }),
          },
          { ...read, ConditionExpression: `${isBeforeSuccess} AND ${ConditionExpression}` },
        ),
      );
    },

    bringForward: ({ lookAt, redelivery, ...key }) => {
      const { ConditionExpression, ...read } = asRead(redelivery);
      return update(
        key,
        attributeUpdate(
          {
            redelivery: isDue,
            next_look_at: toLook(lookAt),
            attempt: 0,
            brought_forward_at: lookAt,
            probe_id: undefined,
          },
          { ...read, ConditionExpression: `${isNotFailing} AND ${ConditionExpression}` },
        ),
      );
    },

    acceptProbe: ({ probeId, lookAt, ...key }) =>
      update(
        key,
        attributeUpdate(
          { probe_id: undefined, attempt: 0, redelivery: isDue, next_look_at: toLook(lookAt) },
          {
            ConditionExpression: `${isItsProbe} AND attribute_not_exists(walk)`,
            ExpressionAttributeValues: { ':probe': probeId },
          },
        ),
      ),

    countFailure: async ({ since, notedAt, lookAt, ...key }) => {
      const before = await updated(key, {
        UpdateExpression:
          'ADD failures :one SET failure_noted_at = :noted, undelivered_since = if_not_exists(undelivered_since, :since), redelivery = if_not_exists(redelivery, :due), next_look_at = if_not_exists(next_look_at, :look), attempt = if_not_exists(attempt, :none)',
        ConditionExpression: isSubscribed,
        ExpressionAttributeValues: {
          ':one': 1,
          ':noted': notedAt,
          ':since': since,
          ':due': isDue,
          ':look': toLook(lookAt),
          ':none': 0,
        },
        ReturnValues: 'ALL_OLD',
      });
      // The release before stores only the time since which an endpoint fails.
      const begun = before?.redelivery === undefined ? before?.failingSince : undefined;
      const earliest = Math.min(since, begun === undefined ? since : begun - longestDwellMilliseconds);
      if (earliest < (before?.redelivery?.since ?? since)) {
        await update(key, {
          UpdateExpression: 'SET undelivered_since = :since',
          ConditionExpression: isEarlier,
          ExpressionAttributeValues: { ':since': earliest },
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

    beginOutage: ({ at, lookAt, redelivery, ...key }) => {
      const isSooner =
        redelivery !== undefined &&
        redelivery.sweep === undefined &&
        (redelivery.nextAt === undefined || redelivery.nextAt > lookAt);
      const sooner = isSooner ? asRead(redelivery) : undefined;
      return update(
        key,
        attributeUpdate(
          {
            failing_since: at,
            outage_from: at,
            outage_to: undefined,
            ...(isSooner && { attempt: 0, redelivery: isDue, next_look_at: toLook(lookAt) }),
          },
          {
            ConditionExpression: [isAfterSuccess, ...(sooner ? [sooner.ConditionExpression] : [])].join(
              ' AND ',
            ),
            ExpressionAttributeValues: { ':at': at, ...sooner?.ExpressionAttributeValues },
          },
        ),
      );
    },
  };
};
