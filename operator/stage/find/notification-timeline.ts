import type { NotificationRecords } from '../../../shared/notifications/ports/notification-records.ts';
import { statusOf } from '../../../shared/notifications/record/record.ts';
import { type RecordMomentDependencies, recordMoments, said, subjectText } from './notification-moments.ts';
import { inTime, type Timeline } from './timeline.ts';

export interface NotificationTimelineDependencies extends RecordMomentDependencies {
  readonly records: Pick<NotificationRecords, 'find'>;
}

/** Finds a notification of the last 30 days by its message id in the topic. */
export const findNotification = async (
  { records, endpoints, clock }: NotificationTimelineDependencies,
  messageId: string,
): Promise<Timeline | undefined> => {
  const record = await records.find(messageId);
  if (record === undefined) return undefined;
  const { applicationId, message, deliveries, redriveOf, replayOf } = record;
  const known = { endpoints: await endpoints.ofApplication(applicationId), now: clock() };
  return {
    kind: 'notification',
    id: messageId,
    fields: {
      status: statusOf(deliveries),
      application: applicationId,
      operation: message.operationType,
      about: subjectText(message) === '' ? undefined : subjectText(message),
      said: said(message),
      redrive_of: redriveOf,
      replay_of: replayOf,
    },
    moments: inTime(recordMoments(record, known)),
    related: [redriveOf ?? replayOf ?? '', subjectText(message), applicationId].filter((each) => each !== ''),
    commands:
      statusOf(deliveries) === 'failed' ? [`dead-letters redrive --application ${applicationId}`] : [],
  };
};
