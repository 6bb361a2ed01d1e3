import type { SQSBatchResponse, SQSEvent } from 'aws-lambda';
import { inParallel } from '../../../shared/in-parallel.ts';
import type { Logger } from '../../../shared/logger.ts';
import {
  type RecordNotificationsDependencies,
  recordNotifications,
} from '../../../shared/notifications/record-notifications.ts';
import {
  type WatchEndpointsDependencies,
  watchEndpoints,
} from '../../../shared/notifications/watch-endpoints.ts';

export type Dependencies = RecordNotificationsDependencies &
  WatchEndpointsDependencies & { readonly logger: Pick<Logger, 'error'> };

const messagesAtOnce = 10;

/** Records what the queue brings, and looks at the endpoints when the schedule asks. */
export const recordNotificationsHandler = (dependencies: Dependencies) => {
  const recordBatch = async ({ Records }: SQSEvent): Promise<SQSBatchResponse> => {
    const failed = await inParallel(Records, {
      atOnce: messagesAtOnce,
      run: async ({ messageId, body }) => {
        try {
          await recordNotifications(dependencies, { body });
          return [];
        } catch (error) {
          dependencies.logger.error('Not recorded, and comes again', { message_id: messageId, error });
          return [{ itemIdentifier: messageId }];
        }
      },
    });
    return { batchItemFailures: failed.flat() };
  };

  return async (
    event: SQSEvent | Readonly<Record<string, unknown>>,
  ): Promise<SQSBatchResponse | undefined> => {
    if ('Records' in event) return recordBatch(event as SQSEvent);
    await watchEndpoints(dependencies);
    return undefined;
  };
};
