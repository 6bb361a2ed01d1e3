import { SNSClient } from '@aws-sdk/client-sns';
import type { Target } from '../../platform/target/target.ts';
import { snsSubscriptions } from './sns-subscriptions.ts';

export const subscriptionsOf = (target: Target) =>
  snsSubscriptions({
    client: new SNSClient(target.aws),
    topicArn: target.output('TopicArn'),
    recordQueueUrl: target.output('RecordQueueUrl'),
  });
