import type { DynamoDBBatchResponse, DynamoDBStreamEvent } from 'aws-lambda';
import {
  type PublishChangesDependencies,
  publishChanges,
} from '../../../shared/notifications/publish-changes.ts';

export type Dependencies = PublishChangesDependencies;

export const publishChangesHandler =
  (dependencies: Dependencies) =>
  async ({ Records }: DynamoDBStreamEvent): Promise<DynamoDBBatchResponse> => {
    const unhandled = new Set(await publishChanges(dependencies, { records: Records }));
    return {
      batchItemFailures: Records.filter((record) => unhandled.has(record)).map((record) => ({
        // With an empty identifier, Lambda retries the whole batch.
        itemIdentifier: record.dynamodb?.SequenceNumber ?? '',
      })),
    };
  };
