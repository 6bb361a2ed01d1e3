import { PublishBatchCommand, type PublishBatchRequestEntry, SNSClient } from '@aws-sdk/client-sns';
import { type AwsClientOptions, clientConfig } from '../../platform/aws/client.ts';
import { inParallel } from '../../platform/in-parallel.ts';
import { isOutage } from '../../platform/outage.ts';
import { addressOf } from '../endpoints/address.ts';
import type { Notification } from '../messages/message.ts';
import { wireMessage } from '../messages/wire-message.ts';
import type { NotificationTopic, PublishOutcome } from '../ports/notification-topic.ts';

/** SNS's limit for one call. */
const messagesAtOnce = 10;
const callsAtOnce = 10;

const text = (StringValue: string) => ({ DataType: 'String', StringValue });

/**
 * The recorder reads the attributes `redrive_of` and `replay_of`. Endpoints that receive messages in SNS's envelope see
 * them too.
 */
const entry = (notification: Notification, index: number): PublishBatchRequestEntry => {
  const { message, redriveOf, replayOf } = notification;
  return {
    Id: String(index),
    Message: JSON.stringify(wireMessage(message)),
    MessageAttributes: {
      application_id: text(addressOf(notification)),
      operation_type: text(message.operationType),
      ...(redriveOf !== undefined && { redrive_of: text(redriveOf) }),
      ...(replayOf !== undefined && { replay_of: text(replayOf) }),
    },
  };
};

const inBatches = <Item>(items: readonly Item[]): Item[][] =>
  Array.from({ length: Math.ceil(items.length / messagesAtOnce) }, (_, index) =>
    items.slice(index * messagesAtOnce, (index + 1) * messagesAtOnce),
  );

/** The topic's subscriptions filter messages by the attributes `application_id` and `operation_type`. */
export const snsNotificationTopic = ({
  client,
  topicArn,
}: {
  readonly client: SNSClient;
  readonly topicArn: string;
}): NotificationTopic => {
  const publishBatch = async (notifications: readonly Notification[]): Promise<PublishOutcome[]> => {
    try {
      const { Failed = [], Successful = [] } = await client.send(
        new PublishBatchCommand({
          TopicArn: topicArn,
          PublishBatchRequestEntries: notifications.map(entry),
        }),
      );
      const ids = new Map(Successful.map(({ Id, MessageId = '' }) => [Id, MessageId]));
      const failures = new Map(Failed.map((failure) => [failure.Id, failure]));
      return notifications.map((_, index) => {
        const failure = failures.get(String(index));
        if (failure === undefined) return { isPublished: true, messageId: ids.get(String(index)) ?? '' };
        const reason = `${failure.Code}: ${failure.Message ?? ''}`;
        return { isPublished: false, reason, isUnavailable: failure.SenderFault !== true };
      });
    } catch (error) {
      const outcome: PublishOutcome = {
        isPublished: false,
        reason: String(error),
        isUnavailable: isOutage(error),
      };
      return notifications.map(() => outcome);
    }
  };

  return {
    publish: async (notifications) =>
      (await inParallel(inBatches(notifications), { atOnce: callsAtOnce, run: publishBatch })).flat(),
  };
};

export const snsClient = (options: AwsClientOptions): SNSClient => new SNSClient(clientConfig(options));
