import type { StreamRecord } from '../dynamodb/types.ts';
import type { InvocationResult } from '../lambda/types.ts';

export type DiscardCondition = 'RetryAttemptsExhausted' | 'RecordAgeExceeded';

export interface DiscardedBatch {
  readonly condition: DiscardCondition;
  readonly records: readonly [StreamRecord, ...StreamRecord[]];
  readonly functionArn: string;
  readonly streamArn: string;
  readonly invokeCount: number;
  readonly result?: InvocationResult;
  readonly now: number;
}

/**
 * The message that Lambda sends to a stream mapping's failure destination. It contains the batch's position in the
 * stream, but not the records.
 */
export const discardedBatchMessage = (batch: DiscardedBatch): string => {
  const { condition, records, functionArn, streamArn, invokeCount, result, now } = batch;
  const [first] = records;
  const last = records.at(-1) ?? first;
  const arrival = (record: StreamRecord): string =>
    new Date(record.dynamodb.ApproximateCreationDateTime * 1000).toISOString().replace(/\.\d+Z$/, 'Z');
  return JSON.stringify({
    requestContext: {
      ...(result && { requestId: result.requestId }),
      functionArn: `${functionArn}:$LATEST`,
      condition,
      approximateInvokeCount: invokeCount,
    },
    ...(result && {
      responseContext: {
        statusCode: 200,
        executedVersion: '$LATEST',
        functionError: result.ok ? null : 'Unhandled',
      },
    }),
    version: '1.0',
    timestamp: new Date(now).toISOString(),
    DDBStreamBatchInfo: {
      shardId: 'shardId-00000000000000000000-00000000',
      startSequenceNumber: first.dynamodb.SequenceNumber,
      endSequenceNumber: last.dynamodb.SequenceNumber,
      approximateArrivalOfFirstRecord: arrival(first),
      approximateArrivalOfLastRecord: arrival(last),
      batchSize: records.length,
      streamArn,
    },
  });
};
