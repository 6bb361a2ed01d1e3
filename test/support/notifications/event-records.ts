import { marshall } from '@aws-sdk/util-dynamodb';
import type { DynamoDBRecord } from 'aws-lambda';
import type { Event } from '../../../shared/ott/events/event.ts';
import { itemsOf } from '../../../shared/ott/store/event-items.ts';

export interface EventWritten {
  readonly before?: Event | undefined;
  readonly after?: Event | undefined;
  /** The version of the last of the two. */
  readonly version?: number;
  /** Epoch seconds. */
  readonly at?: number;
  readonly sequenceNumber?: string;
}

const imageOf = (event: Event, version: number) =>
  marshall(itemsOf(event, { version, now: 0 })[0], { removeUndefinedValues: true });

/** A record of the events table's stream, as a write of the catalogue makes it. */
export const anEventRecord = ({
  before,
  after,
  version = 1,
  at = Date.parse('2026-11-20T20:00:04Z') / 1_000,
  sequenceNumber = '100',
}: EventWritten): DynamoDBRecord => {
  const [eventName, id] =
    before === undefined
      ? (['INSERT', after?.id] as const)
      : ([after === undefined ? 'REMOVE' : 'MODIFY', before.id] as const);
  return {
    eventName,
    dynamodb: {
      ApproximateCreationDateTime: at,
      Keys: { pk: { S: `EVENT#${id}` } },
      SequenceNumber: sequenceNumber,
      ...(before && { OldImage: imageOf(before, after === undefined ? version : version - 1) }),
      ...(after && { NewImage: imageOf(after, version) }),
    },
  } as DynamoDBRecord;
};
