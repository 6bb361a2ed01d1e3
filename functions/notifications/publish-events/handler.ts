import type { DynamoDBStreamEvent } from 'aws-lambda';
import {
  type PublishEventsDependencies,
  publishEvents,
} from '../../../shared/notifications/publish-events.ts';
import { failuresOf } from '../failures-of.ts';

export type Dependencies = PublishEventsDependencies;

export const publishEventsHandler =
  (dependencies: Dependencies) =>
  async ({ Records }: DynamoDBStreamEvent) =>
    failuresOf(Records, await publishEvents(dependencies, { records: Records }));
