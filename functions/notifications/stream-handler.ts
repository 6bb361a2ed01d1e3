import type { DynamoDBBatchResponse, DynamoDBRecord, DynamoDBStreamEvent } from 'aws-lambda';

/** Creates the handler of a table's stream. `publish` returns the records that Lambda has to send again. */
export const streamHandler =
  <Dependencies>(
    publish: (
      dependencies: Dependencies,
      changes: { readonly records: readonly DynamoDBRecord[] },
    ) => Promise<readonly unknown[]>,
  ) =>
  (dependencies: Dependencies) =>
  async ({ Records: records }: DynamoDBStreamEvent): Promise<DynamoDBBatchResponse> => {
    const again = new Set(await publish(dependencies, { records }));
    return {
      batchItemFailures: records
        .filter((record) => again.has(record))
        .map((record) => ({
          // With an empty identifier, Lambda retries the whole batch.
          itemIdentifier: record.dynamodb?.SequenceNumber ?? '',
        })),
    };
  };
