import type { SQSBatchResponse, SQSEvent } from 'aws-lambda';
import { inParallel } from '../../../shared/in-parallel.ts';
import type { Logger } from '../../../shared/logger.ts';
import {
  type RecordNotificationsDependencies,
  recordNotifications,
} from '../../../shared/notifications/record-notifications.ts';

export interface Dependencies extends RecordNotificationsDependencies {
  readonly logger: Pick<Logger, 'error'>;
}

const messagesAtOnce = 10;

export const recordNotificationsHandler =
  (dependencies: Dependencies) =>
  async ({ Records }: SQSEvent): Promise<SQSBatchResponse> => {
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
