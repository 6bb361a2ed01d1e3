import { kmsKey } from './kms-key.ts';
import { secretsManagerSecret } from './secretsmanager-secret.ts';
import { snsSubscription } from './sns-subscription.ts';
import { snsTopic } from './sns-topic.ts';
import { snsTopicPolicy } from './sns-topic-policy.ts';
import { sqsQueue } from './sqs-queue.ts';
import { sqsQueuePolicy } from './sqs-queue-policy.ts';
import { stepFunctionsStateMachine } from './stepfunctions-state-machine.ts';

export const messagingAndState = [
  kmsKey,
  secretsManagerSecret,
  snsSubscription,
  snsTopic,
  snsTopicPolicy,
  sqsQueue,
  sqsQueuePolicy,
  stepFunctionsStateMachine,
] as const;
