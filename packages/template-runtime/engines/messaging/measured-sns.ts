import type { Clock } from '../../clock.ts';
import { resourceOfArn } from '../account.ts';
import type { Metrics } from '../metrics/types.ts';
import type { QueuePermission } from '../sns-delivery/queue-permission.ts';
import type { FinishedDelivery } from '../sns-delivery/types.ts';
import type { Fauxqs } from './fauxqs.ts';

type Measured = Pick<Metrics, 'put'>;

const measure = (
  { metrics, clock }: { readonly metrics: Measured; readonly clock: Clock },
  topicArn: string,
  name: string,
  value = 1,
): void =>
  metrics.put({
    namespace: 'AWS/SNS',
    name,
    dimensions: { TopicName: resourceOfArn(topicArn) },
    value,
    at: clock(),
  });

export const measuredSns = (fauxqs: Fauxqs, metrics: Measured, clock: Clock): Fauxqs => ({
  ...fauxqs,
  sns: async (parameters) => {
    const answer = await fauxqs.sns(parameters);
    const action = parameters.get('Action');
    const topicArn = parameters.get('TopicArn');
    if (topicArn !== null && answer.status === 200) {
      if (action === 'Publish') measure({ metrics, clock }, topicArn, 'NumberOfMessagesPublished');
      const accepted = action === 'PublishBatch' ? answer.body.split('<MessageId>').length - 1 : 0;
      if (accepted > 0) measure({ metrics, clock }, topicArn, 'NumberOfMessagesPublished', accepted);
    }
    return answer;
  },
});

/** For HTTP and HTTPS endpoints, SNS counts every failed attempt (AWS, *Monitoring Amazon SNS topics using CloudWatch*). */
export const measureFinished = (
  metrics: Measured,
  { topicArn, succeeded, attempts }: FinishedDelivery,
  clock: Clock,
): void => {
  const failed = succeeded ? attempts - 1 : attempts;
  if (succeeded) measure({ metrics, clock }, topicArn, 'NumberOfNotificationsDelivered');
  if (failed > 0) measure({ metrics, clock }, topicArn, 'NumberOfNotificationsFailed', failed);
};

/** Counts the messages that are lost because the dead-letter queue does not admit them. */
export const measuredDeadLetters =
  (mayDeadLetter: QueuePermission, metrics: Measured, clock: Clock): QueuePermission =>
  async (request) => {
    const isAdmitted = await mayDeadLetter(request);
    if (!isAdmitted)
      measure({ metrics, clock }, request.topicArn, 'NumberOfNotificationsFailedToRedriveToDlq');
    return isAdmitted;
  };
