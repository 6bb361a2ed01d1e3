import { kmsAlias } from './kms-alias.ts';
import { kmsKey } from './kms-key.ts';
import { secretsManagerResourcePolicy } from './secretsmanager-resource-policy.ts';
import { secretsManagerSecret } from './secretsmanager-secret.ts';
import { snsSubscription } from './sns-subscription.ts';
import { snsTopic } from './sns-topic.ts';
import { snsTopicPolicy } from './sns-topic-policy.ts';
import { sqsQueue } from './sqs-queue.ts';
import { sqsQueuePolicy } from './sqs-queue-policy.ts';
import { ssmParameter } from './ssm-parameter.ts';
import { stepFunctionsStateMachine } from './stepfunctions-state-machine.ts';

/** Keys, secrets, parameters, topics, queues and state machines. */
export const messagingAndState = [
  kmsAlias,
  kmsKey,
  secretsManagerResourcePolicy,
  secretsManagerSecret,
  snsSubscription,
  snsTopic,
  snsTopicPolicy,
  sqsQueue,
  sqsQueuePolicy,
  ssmParameter,
  stepFunctionsStateMachine,
] as const;
