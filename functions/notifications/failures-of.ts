import type { DynamoDBBatchResponse, DynamoDBRecord } from 'aws-lambda';

/** Tells Lambda which records of a batch it has to send again. */
export const failuresOf = (
  records: readonly DynamoDBRecord[],
  unhandled: readonly unknown[],
): DynamoDBBatchResponse => {
  const again = new Set(unhandled);
  return {
    batchItemFailures: records
      .filter((record) => again.has(record))
      .map((record) => ({
        // With an empty identifier, Lambda retries the whole batch.
        itemIdentifier: record.dynamodb?.SequenceNumber ?? '',
      })),
  };
};
