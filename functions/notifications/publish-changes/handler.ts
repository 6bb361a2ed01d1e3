import type { DynamoDBStreamEvent } from 'aws-lambda';
import {
  type PublishChangesDependencies,
  publishChanges,
} from '../../../shared/notifications/publish-changes.ts';
import { failuresOf } from '../failures-of.ts';

export type Dependencies = PublishChangesDependencies;

export const publishChangesHandler =
  (dependencies: Dependencies) =>
  async ({ Records }: DynamoDBStreamEvent) =>
    failuresOf(Records, await publishChanges(dependencies, { records: Records }));
