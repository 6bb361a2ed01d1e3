import type { UpdateCommandInput } from '@aws-sdk/lib-dynamodb';
import { attributeUpdate } from '../../platform/store/attribute-update.ts';
import { answerIfHeld, conditionHeld, type Table } from '../../platform/store/client.ts';
import { queryNewIndex } from '../../platform/store/new-index.ts';
import type { Endpoint } from '../endpoints/endpoint.ts';
import type { Redeliveries } from '../ports/redeliveries.ts';
import { endpointOf, isDue, isPaused, toLook, withoutRedelivery, withoutSweep } from './endpoint-items.ts';

const isStillDue = 'redelivery = :is_due AND next_look_at = :due_at';
const isItsProbe = 'probe_id = :probe';
const hasNoProbe = 'attribute_not_exists(probe_id)';
const isItsSweep = 'walk = :walk';
const hasNoNewFailure = 'failures = walk_failures';
const removingAll = `REMOVE ${Object.keys(withoutRedelivery).join(', ')}`;

/** The state is in the endpoint's item. The index `by-next-look` has only items with something undelivered. */
export const dynamoDbRedeliveries = ({ client, tableName }: Table): Redeliveries => {
  type Key = Pick<Endpoint, 'applicationId' | 'id'>;
  const keyOf = ({ applicationId, id }: Key) => ({ application_id: applicationId, endpoint_id: id });
  const update = (key: Key, input: Omit<UpdateCommandInput, 'TableName' | 'Key'>): Promise<boolean> =>
    conditionHeld(client.update({ TableName: tableName, Key: keyOf(key), ...input }));
  const ofSweep = (sweep: string, isUnlessFailed = false) => ({
    ConditionExpression: isUnlessFailed ? `${isItsSweep} AND ${hasNoNewFailure}` : isItsSweep,
    ExpressionAttributeValues: { ':walk': sweep },
  });
  const ofDue = (dueAt: number) => ({ ':is_due': isDue, ':due_at': toLook(dueAt) });

  return {
    due: async (now) => {
      const found: Endpoint[] = [];
      const pages = queryNewIndex(client, {
        TableName: tableName,
        IndexName: 'by-next-look',
        KeyConditionExpression: 'redelivery = :due AND next_look_at <= :now',
        ExpressionAttributeValues: { ':due': isDue, ':now': toLook(now) },
      });
      for await (const { Items = [] } of pages) found.push(...Items.map(endpointOf));
      return found;
    },

    step: ({ dueAt, ...key }, { attempt, nextAt, probeId }) =>
      update(
        key,
        attributeUpdate(
          { attempt, next_look_at: toLook(nextAt), probe_id: undefined },
          {
            ConditionExpression: `${isStillDue} AND ${probeId === undefined ? hasNoProbe : isItsProbe}`,
            ExpressionAttributeValues: {
              ...ofDue(dueAt),
              ...(probeId !== undefined && { ':probe': probeId }),
            },
          },
        ),
      ),

    pause: ({ dueAt, ...key }) =>
      update(
        key,
        attributeUpdate(
          { redelivery: isPaused },
          { ConditionExpression: isStillDue, ExpressionAttributeValues: ofDue(dueAt) },
        ),
      ),

    begin: async ({ sweep, now, dueAt, until, ...key }) => {
      const begun = await answerIfHeld(
        client.update({
          TableName: tableName,
          Key: keyOf(key),
          UpdateExpression:
            'SET walk = :walk, walk_at = :now, walk_failures = failures, next_look_at = :until REMOVE probe_id, walk_next, walk_left_at, walk_gave_up',
          ConditionExpression: isStillDue,
          ExpressionAttributeValues: {
            ...ofDue(dueAt),
            ':walk': sweep,
            ':now': now,
            ':until': toLook(until),
          },
          ReturnValues: 'ALL_NEW',
        }),
      );
      if (begun?.Attributes !== undefined) return endpointOf(begun.Attributes);
      const { Item } = await client.get({ TableName: tableName, Key: keyOf(key), ConsistentRead: true });
      return Item?.walk === sweep ? endpointOf(Item) : undefined;
    },

    advance: ({ sweep, ...key }, { next, leftAt, gaveUp, until }) =>
      update(
        key,
        attributeUpdate(
          { walk_next: next, walk_left_at: leftAt, walk_gave_up: gaveUp, next_look_at: toLook(until) },
          ofSweep(sweep),
        ),
      ),

    probed: ({ sweep, ...key }, { probeId, next, attempt, nextAt }) =>
      update(
        key,
        attributeUpdate(
          {
            ...withoutSweep,
            probe_id: probeId,
            probe_next: next,
            attempt,
            next_look_at: toLook(nextAt),
          },
          ofSweep(sweep),
        ),
      ),

    putOff: ({ sweep, ...key }, { nextAt, attempt, isUnlessFailed, acceptedFailures }) =>
      update(
        key,
        attributeUpdate(
          {
            ...withoutSweep,
            probe_next: undefined,
            accepted_failures: acceptedFailures,
            next_look_at: toLook(nextAt),
            ...(attempt !== undefined && { attempt }),
          },
          ofSweep(sweep, isUnlessFailed),
        ),
      ),

    clear: ({ sweep, ...key }) => update(key, { UpdateExpression: removingAll, ...ofSweep(sweep, true) }),

    accept: (key, { dueAt, failures, isComplete }) =>
      update(key, {
        UpdateExpression: isComplete ? removingAll : 'SET accepted_failures = :failures',
        ConditionExpression: `${isStillDue} AND failures = :failures`,
        ExpressionAttributeValues: { ...ofDue(dueAt), ':failures': failures },
      }),
  };
};
