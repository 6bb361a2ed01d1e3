import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { type DynamoDBDocumentClient, GetCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import { itemOf } from '../../shared/adapters/dynamodb/events.ts';
import type { Event } from '../../shared/ott/event.ts';
import type { EventStatus } from '../../shared/ott/event-kinds.ts';
import { eventRecordSchema } from '../../shared/ott/event-record.ts';
import { OperatorError } from '../operator-error.ts';

const isTheEventRead = '#event = :read';

/**
 * Changes an event's status and nothing else of it, also when a file is being imported at the same time.
 *
 * @throws OperatorError when there is no such event, or it changed meanwhile.
 */
export const setEventStatus = async ({
  client,
  tableName,
  id,
  status,
}: {
  readonly client: DynamoDBDocumentClient;
  readonly tableName: string;
  readonly id: string;
  readonly status: EventStatus;
}): Promise<{ readonly event: Event; readonly before: EventStatus }> => {
  const { Item } = await client.send(
    new GetCommand({ TableName: tableName, Key: { pk: `EVENT#${id}` }, ConsistentRead: true }),
  );
  if (Item === undefined) throw new OperatorError({ message: `There is no event ${id}.` });
  const read = eventRecordSchema.parse(Item.event);
  const event = { ...read, status };
  if (read.status === status) return { event, before: status };
  try {
    await client.send(
      new PutCommand({
        TableName: tableName,
        Item: itemOf(event),
        ConditionExpression: isTheEventRead,
        ExpressionAttributeNames: { '#event': 'event' },
        ExpressionAttributeValues: { ':read': Item.event },
      }),
    );
  } catch (cause) {
    if (!(cause instanceof ConditionalCheckFailedException)) throw cause;
    throw new OperatorError({ message: `Event ${id} was changed by somebody else; try again.`, cause });
  }
  return { event, before: read.status };
};
