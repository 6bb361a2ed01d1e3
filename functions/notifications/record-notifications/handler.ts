import type { SQSBatchResponse, SQSEvent } from 'aws-lambda';
import {
  type WatchEndpointsDependencies,
  watchEndpoints,
} from '../../../shared/notifications/endpoints/watch-endpoints.ts';
import type { RecordBatch } from '../../../shared/notifications/record/record.ts';
import {
  type RecordNotificationsDependencies,
  recordNotifications,
} from '../../../shared/notifications/record/record-notifications.ts';
import {
  type RedeliverDueDependencies,
  redeliverDue,
} from '../../../shared/notifications/redeliver/redeliver-due.ts';
import type { Logger } from '../../../shared/platform/logger.ts';

export type Dependencies = RecordNotificationsDependencies &
  WatchEndpointsDependencies &
  RedeliverDueDependencies & {
    /** Reads a message of the queue. */
    readonly recordedIn: (body: string) => RecordBatch;
    readonly logger: Pick<Logger, 'error' | 'warn'>;
  };

/**
 * The log's filter leaves out deliveries to the queue of the records itself. Another filter would forward them, too.
 */
const toCustomers = (batch: RecordBatch, ownQueueArn: string): RecordBatch => ({
  ...batch,
  deliveries: batch.deliveries.filter(({ destination }) => destination !== ownQueueArn),
});

/** The schedule runs once a minute. Endpoints that fail for days are logged less often, by each instance. */
const watchMilliseconds = 60 * 60 * 1_000;

export const recordNotificationsHandler = (dependencies: Dependencies) => {
  let watchedAt = Number.NEGATIVE_INFINITY;
  const recordBatch = async ({ Records }: SQSEvent): Promise<SQSBatchResponse> => {
    const errors = await recordNotifications(dependencies, {
      messages: Records.map(({ body, eventSourceARN }) =>
        toCustomers(dependencies.recordedIn(body), eventSourceARN),
      ),
    });
    const failed = Records.map(({ messageId }, index) => ({ messageId, error: errors[index] })).filter(
      ({ error }) => error !== undefined,
    );
    for (const { messageId, error } of failed) {
      dependencies.logger.error('Message not recorded; the queue will deliver it again', {
        message_id: messageId,
        error,
      });
    }
    return { batchItemFailures: failed.map(({ messageId }) => ({ itemIdentifier: messageId })) };
  };

  return async (
    event: SQSEvent | Readonly<Record<string, unknown>>,
  ): Promise<SQSBatchResponse | undefined> => {
    if ('Records' in event) return recordBatch(event as SQSEvent);
    if (dependencies.clock() - watchedAt >= watchMilliseconds) {
      await watchEndpoints(dependencies);
      watchedAt = dependencies.clock();
    }
    await redeliverDue(dependencies);
    return undefined;
  };
};
