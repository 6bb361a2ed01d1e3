import * as z from 'zod';
import type { StreamPosition, StreamRecord } from './types.ts';
import { type Call, DynamoDbFault } from './wire.ts';

const target = (operation: string) => `DynamoDBStreams_20120810.${operation}`;

const shardSchema = z.object({
  ShardId: z.string(),
  SequenceNumberRange: z.object({ StartingSequenceNumber: z.string().optional() }),
});
const descriptionSchema = z.object({
  StreamDescription: z.object({ Shards: z.array(shardSchema), LastEvaluatedShardId: z.string().optional() }),
});
const iteratorSchema = z.object({ ShardIterator: z.string() });
const item = z.record(z.string(), z.unknown());
const recordsSchema = z.object({
  Records: z.array(
    z.object({
      eventID: z.string(),
      eventName: z.enum(['INSERT', 'MODIFY', 'REMOVE']),
      eventVersion: z.string(),
      dynamodb: z.object({
        ApproximateCreationDateTime: z.number(),
        Keys: item,
        NewImage: item.optional(),
        OldImage: item.optional(),
        SequenceNumber: z.string(),
        SizeBytes: z.number(),
        StreamViewType: z.string(),
      }),
    }),
  ),
  NextShardIterator: z.string().optional(),
});

type Shard = z.infer<typeof shardSchema>;

interface Place {
  readonly after: string | undefined;
  readonly shardId: string;
  readonly iterator: string;
}

export interface StreamReaderOptions {
  readonly call: Call;
  readonly region: string;
  readonly nativeArn: (arn: string) => string;
}

/**
 * Reads streams from given positions. Remembers each stream's last iterator, so that the next read can continue there.
 */
export const streamReader = ({ call, region, nativeArn }: StreamReaderOptions) => {
  const places = new Map<string, Place>();

  const shardsOf = async (streamArn: string): Promise<readonly Shard[]> => {
    const shards: Shard[] = [];
    let last: string | undefined;
    do {
      const answer = await call(target('DescribeStream'), {
        StreamArn: nativeArn(streamArn),
        ...(last && { ExclusiveStartShardId: last }),
      });
      const description = descriptionSchema.parse(answer).StreamDescription;
      shards.push(...description.Shards);
      last = description.LastEvaluatedShardId;
    } while (last !== undefined);
    return shards;
  };

  const placeIn = async (shard: Shard, { streamArn, after }: StreamPosition): Promise<Place> => {
    const isBefore = after === undefined || isLater(shard.SequenceNumberRange.StartingSequenceNumber, after);
    const answer = await call(target('GetShardIterator'), {
      StreamArn: nativeArn(streamArn),
      ShardId: shard.ShardId,
      ...(isBefore
        ? { ShardIteratorType: 'TRIM_HORIZON' }
        : { ShardIteratorType: 'AFTER_SEQUENCE_NUMBER', SequenceNumber: after }),
    });
    return { after, shardId: shard.ShardId, iterator: iteratorSchema.parse(answer).ShardIterator };
  };

  const readFrom = async (place: Place, position: StreamPosition): Promise<readonly StreamRecord[]> => {
    const answer = recordsSchema.parse(
      await call(target('GetRecords'), { ShardIterator: place.iterator, Limit: position.limit }),
    );
    const records = answer.Records.map((record) => ({
      ...record,
      eventSource: 'aws:dynamodb' as const,
      awsRegion: region,
      eventSourceARN: position.streamArn,
    }));
    const iterator = answer.NextShardIterator;
    const last = records.at(-1)?.dynamodb.SequenceNumber;
    if (iterator) places.set(position.streamArn, { ...place, after: last ?? place.after, iterator });
    else places.delete(position.streamArn);
    return records;
  };

  /**
   * Reads from the shard that contains the position. If that shard has no more records, continues with the next shard.
   */
  const search = async (position: StreamPosition): Promise<readonly StreamRecord[]> => {
    const shards = [...(await shardsOf(position.streamArn))];
    const holds = shards.findLastIndex(
      ({ SequenceNumberRange: range }) =>
        position.after === undefined || !isLater(range.StartingSequenceNumber, position.after),
    );
    for (const shard of shards.slice(position.after === undefined ? 0 : Math.max(holds, 0))) {
      const records = await readFrom(await placeIn(shard, position), position);
      if (records.length > 0) return records;
    }
    return [];
  };

  return {
    read: async (position: StreamPosition): Promise<readonly StreamRecord[]> => {
      const place = places.get(position.streamArn);
      if (!place || place.after !== position.after) return search(position);
      try {
        return await readFrom(place, position);
      } catch (error) {
        if (!(error instanceof DynamoDbFault) || error.code !== 'ExpiredIteratorException') throw error;
        places.delete(position.streamArn);
        return search(position);
      }
    },

    latest: async (streamArn: string): Promise<string | undefined> => {
      let after: string | undefined;
      for (;;) {
        const records = await search({ streamArn, limit: 1_000, ...(after && { after }) });
        if (records.length === 0) return after;
        after = records.at(-1)?.dynamodb.SequenceNumber;
      }
    },
  };
};

const isLater = (sequenceNumber: string | undefined, than: string): boolean =>
  sequenceNumber !== undefined && BigInt(sequenceNumber) > BigInt(than);
