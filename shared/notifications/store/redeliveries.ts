import type { UpdateCommandInput } from '@aws-sdk/lib-dynamodb';
import { attributeUpdate } from '../../platform/store/attribute-update.ts';
import { conditionHeld, type Table } from '../../platform/store/client.ts';
import { queryNewIndex } from '../../platform/store/new-index.ts';
import type { Endpoint, EndpointKey } from '../endpoints/endpoint.ts';
import type { Redeliveries } from '../ports/redeliveries.ts';
import { endpointOf, isDue, toLook, withoutRedelivery } from './endpoint-items.ts';

const hasRedelivery = 'attribute_exists(undelivered_since)';
const hasNoNewFailure = 'failures = :failures';
const isItsProbe = 'probe_id = :probe';
const isStillAt = 'next_at = :at';
const isStillPaused = 'attribute_not_exists(next_at)';

/** The state is in the endpoint's item. The index `by-next-look` has only endpoints with a next look. */
export const dynamoDbRedeliveries = ({ client, tableName }: Table): Redeliveries => {
  const update = (
    { applicationId, id }: EndpointKey,
    input: Omit<UpdateCommandInput, 'TableName' | 'Key'>,
  ): Promise<boolean> =>
    conditionHeld(
      client.update({
        TableName: tableName,
        Key: { application_id: applicationId, endpoint_id: id },
        ...input,
      }),
    );
  const noNewFailure = ({ redelivery }: Pick<Endpoint, 'redelivery'>) => ({
    ConditionExpression: hasNoNewFailure,
    ExpressionAttributeValues: { ':failures': redelivery?.failures },
  });
  /** The condition that the time at which something is sent has not changed since the endpoint was read. */
  const stillAt = (nextAt: number | undefined) =>
    nextAt === undefined
      ? { ConditionExpression: isStillPaused }
      : { ConditionExpression: isStillAt, ExpressionAttributeValues: { ':at': nextAt } };

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

    lookAgain: async (key, { at, rowsChangedAt }) => {
      await update(
        key,
        attributeUpdate(
          {
            redelivery: isDue,
            next_look_at: toLook(at),
            ...(rowsChangedAt !== undefined && { rows_changed_at: rowsChangedAt }),
          },
          { ConditionExpression: hasRedelivery },
        ),
      );
    },

    looked: (read, { lookAt, nextAt }) => {
      const failures = noNewFailure(read);
      const at = stillAt(read.redelivery?.nextAt);
      return update(
        read,
        attributeUpdate(
          {
            redelivery: lookAt === undefined ? undefined : isDue,
            next_look_at: lookAt === undefined ? undefined : toLook(lookAt),
            next_at: nextAt,
            is_paused: nextAt === undefined ? true : undefined,
          },
          {
            ConditionExpression: `${failures.ConditionExpression} AND ${at.ConditionExpression}`,
            ExpressionAttributeValues: {
              ...failures.ExpressionAttributeValues,
              ...at.ExpressionAttributeValues,
            },
          },
        ),
      );
    },

    probed: async ({ redelivery, ...key }, { probeId, nextAt }) => {
      await update(
        key,
        attributeUpdate(
          { probe_id: probeId, attempt: (redelivery?.attempt ?? 0) + 1, next_at: nextAt },
          stillAt(redelivery?.nextAt),
        ),
      );
    },

    probeRefused: async ({ probeId, nextAt, ...key }) => {
      await update(
        key,
        attributeUpdate(
          { probe_id: undefined, next_at: nextAt },
          { ConditionExpression: isItsProbe, ExpressionAttributeValues: { ':probe': probeId } },
        ),
      );
    },

    end: async (read) => {
      await update(read, {
        UpdateExpression: `REMOVE ${Object.keys(withoutRedelivery).join(', ')}`,
        ...noNewFailure(read),
      });
    },
  };
};
