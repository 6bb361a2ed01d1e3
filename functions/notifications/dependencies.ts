/** Environment variables and dependencies of the notification functions. esbuild keeps only what a function uses. */
import { setTimeout } from 'node:timers/promises';
import * as z from 'zod';
import { sqsDeliveryLines } from '../../shared/notifications/aws/delivery-lines.ts';
import { sqsFailedChanges, sqsFailedEvents } from '../../shared/notifications/aws/failed-changes.ts';
import { snsClient, snsNotificationTopic } from '../../shared/notifications/aws/notification-topic.ts';
import { sqsQueue } from '../../shared/notifications/aws/queue.ts';
import { recordedIn } from '../../shared/notifications/aws/record-queue.ts';
import {
  replayWorkIn,
  sqsRedeliveryQueue,
  sqsReplayQueue,
} from '../../shared/notifications/aws/replay-queue.ts';
import { linesIn } from '../../shared/notifications/aws/subscription-event.ts';
import { snsSubscriptionStates } from '../../shared/notifications/aws/subscription-states.ts';
import { endpointFinder } from '../../shared/notifications/endpoints/find-endpoint.ts';
import { pacedTopic } from '../../shared/notifications/publish/paced-topic.ts';
import { ladderInEnvironment } from '../../shared/notifications/redeliver/ladder-settings.ts';
import { dynamoDbEndpoints } from '../../shared/notifications/store/endpoints.ts';
import { eventWriteIn, eventWrittenIn } from '../../shared/notifications/store/event-records.ts';
import { dynamoDbNotificationRecords } from '../../shared/notifications/store/notification-records.ts';
import { dynamoDbRedeliveries } from '../../shared/notifications/store/redeliveries.ts';
import { dynamoDbReplays } from '../../shared/notifications/store/replays.ts';
import { changeInRecord } from '../../shared/notifications/store/stream-records.ts';
import { dynamoDbTestCounts } from '../../shared/notifications/store/test-counts.ts';
import { dynamoDbUndelivered } from '../../shared/notifications/store/undelivered.ts';
import { listWhileUnchanged } from '../../shared/platform/applications/cached-applications.ts';
import { logger as functionLogger, type Logger } from '../../shared/platform/logger.ts';
import { isOutage } from '../../shared/platform/outage.ts';
import { newRandomId } from '../../shared/platform/random-id.ts';
import { dynamoDbApplications } from '../../shared/platform/store/applications.ts';
import { type DocumentClient, documentClient } from '../../shared/platform/store/client.ts';
import { type Clock, systemClock } from '../../shared/platform/time/clock.ts';
import { newApplicationUserSub } from '../../shared/users/application-user-sub.ts';
import { dynamoDbApplicationUserSubs } from '../../shared/users/store/application-user-subs.ts';
import {
  callingApplications,
  cursorEnvironment,
  cursorSecretReader,
  type Parsed,
  positiveNumber,
  resourceName,
} from '../platform/dependencies.ts';

/** Everything outside of a notification function: services, time and randomness. */
interface Outside {
  readonly client: DocumentClient;
  readonly sns: typeof snsClient;
  readonly queue: typeof sqsQueue;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly randomId: () => string;
  readonly wait: (milliseconds: number) => Promise<void>;
}

/** A dependency that is left out is the one that a Lambda function uses. */
type Around<Name extends keyof Outside> = Partial<Pick<Outside, Name>>;

const waitForTime = async (milliseconds: number): Promise<void> => {
  await setTimeout(milliseconds);
};

const patience = { maxAttempts: 5, requestTimeoutMilliseconds: 5_000 };

export const recordEnvironment = { NOTIFICATIONS_TABLE: resourceName, ENDPOINTS_TABLE: resourceName };

const storesOf = (
  environment: Parsed<typeof recordEnvironment>,
  { client = documentClient(), clock = systemClock }: Around<'client' | 'clock'>,
) => ({
  records: dynamoDbNotificationRecords({ client, tableName: environment.NOTIFICATIONS_TABLE }),
  endpoints: dynamoDbEndpoints({ client, tableName: environment.ENDPOINTS_TABLE }),
  undelivered: dynamoDbUndelivered({ client, tableName: environment.NOTIFICATIONS_TABLE }),
  clock,
});

/** Of the recorder, which begins redeliveries, and of the function that sends them. */
export const redeliveryEnvironment = {
  ...recordEnvironment,
  REDELIVERY: ladderInEnvironment,
  TOPIC_ARN: resourceName,
  REPLAYS_QUEUE_URL: resourceName,
};
type RedeliveryEnvironment = Parsed<typeof redeliveryEnvironment>;

const redeliveryDependencies = (
  environment: RedeliveryEnvironment,
  { client = documentClient(), ...around }: Around<'client' | 'clock'>,
) => ({
  ...storesOf(environment, { ...around, client }),
  redeliveries: dynamoDbRedeliveries({ client, tableName: environment.ENDPOINTS_TABLE }),
  ladder: environment.REDELIVERY,
});

export const recorderDependencies = (
  environment: RedeliveryEnvironment,
  {
    logger = functionLogger,
    sns = snsClient,
    queue = sqsQueue,
    ...around
  }: Around<'client' | 'clock' | 'logger' | 'sns' | 'queue'> = {},
) => {
  const stores = redeliveryDependencies(environment, around);
  return {
    ...stores,
    findEndpoint: endpointFinder(stores),
    subscriptions: snsSubscriptionStates({ client: sns(patience), topicArn: environment.TOPIC_ARN }),
    enqueue: sqsRedeliveryQueue(queue(environment.REPLAYS_QUEUE_URL, patience)),
    recordedIn,
    logger,
  };
};

export const forwardEnvironment = { RECORD_QUEUE_URL: resourceName };

export const forwardDependencies = (
  environment: Parsed<typeof forwardEnvironment>,
  { queue = sqsQueue }: Around<'queue'> = {},
) => ({
  linesIn,
  forward: sqsDeliveryLines(queue(environment.RECORD_QUEUE_URL, patience)),
});

export const runReplaysDependencies = (
  environment: RedeliveryEnvironment,
  {
    client = documentClient(),
    sns = snsClient,
    queue = sqsQueue,
    logger = functionLogger,
    wait = waitForTime,
    ...around
  }: Around<'client' | 'clock' | 'sns' | 'queue' | 'logger' | 'wait'> = {},
) => ({
  ...redeliveryDependencies(environment, { ...around, client }),
  logger,
  replays: dynamoDbReplays({ client, tableName: environment.NOTIFICATIONS_TABLE }),
  topic: snsNotificationTopic({ client: sns(patience), topicArn: environment.TOPIC_ARN }),
  putOff: queue(environment.REPLAYS_QUEUE_URL, patience).changeVisibility,
  replayWorkIn,
  wait,
});

/** Few attempts with short timeouts, because an API caller waits for the response. */
const haste = { maxAttempts: 2, requestTimeoutMilliseconds: 3_000 };

const callEnvironment = { ...recordEnvironment, APPLICATIONS_TABLE: resourceName, TOPIC_ARN: resourceName };

const callDependencies = (
  environment: Parsed<typeof callEnvironment>,
  sns: ReturnType<typeof snsClient>,
  { client = documentClient(), clock = systemClock }: Around<'client' | 'clock'> = {},
) => ({
  ...storesOf(environment, { client, clock }),
  applications: callingApplications(environment, client, clock),
  replays: dynamoDbReplays({ client, tableName: environment.NOTIFICATIONS_TABLE }),
  subscriptions: snsSubscriptionStates({ client: sns, topicArn: environment.TOPIC_ARN }),
});

export const sendEnvironment = { ...callEnvironment, REPLAYS_QUEUE_URL: resourceName };

export const sendDependencies = (
  environment: Parsed<typeof sendEnvironment>,
  {
    client = documentClient(),
    sns = snsClient,
    queue = sqsQueue,
    randomId = newRandomId,
    ...around
  }: Around<'client' | 'clock' | 'sns' | 'queue' | 'randomId'> = {},
) => {
  const topicClient = sns(haste);
  return {
    ...callDependencies(environment, topicClient, { ...around, client }),
    testCounts: dynamoDbTestCounts({ client, tableName: environment.NOTIFICATIONS_TABLE }),
    topic: snsNotificationTopic({ client: topicClient, topicArn: environment.TOPIC_ARN }),
    enqueue: sqsReplayQueue(queue(environment.REPLAYS_QUEUE_URL, haste)),
    randomSub: newApplicationUserSub,
    randomId,
  };
};

export const showEnvironment = { ...callEnvironment, ...cursorEnvironment };

export const showDependencies = (environment: Parsed<typeof showEnvironment>) => ({
  ...callDependencies(environment, snsClient(haste)),
  readCursorSecret: cursorSecretReader(environment),
});

const publishingEnvironment = {
  APPLICATIONS_TABLE: resourceName,
  ENDPOINTS_TABLE: resourceName,
  TOPIC_ARN: resourceName,
  FAILED_CHANGES_QUEUE_URL: z.url(),
};

/** What the publishers of users' and of events' changes have in common. */
const publishingOf = (
  environment: Parsed<typeof publishingEnvironment>,
  { client, sns, queue, logger, wait }: Required<Around<'client' | 'sns' | 'queue' | 'logger' | 'wait'>>,
) => ({
  applications: listWhileUnchanged(
    dynamoDbApplications({ client, tableName: environment.APPLICATIONS_TABLE }),
  ),
  endpoints: dynamoDbEndpoints({ client, tableName: environment.ENDPOINTS_TABLE }),
  // The client does not retry, because a publisher itself makes three tries.
  topic: snsNotificationTopic({
    client: sns({ ...patience, maxAttempts: 1 }),
    topicArn: environment.TOPIC_ARN,
  }),
  failed: queue(environment.FAILED_CHANGES_QUEUE_URL, { ...patience, maxAttempts: 3 }),
  isOutage,
  pause: (tried: number) => wait(200 * 2 ** tried),
  logger,
});

export const publisherEnvironment = { ...publishingEnvironment, SUBS_TABLE: resourceName };

export const publisherDependencies = (
  environment: Parsed<typeof publisherEnvironment>,
  {
    client = documentClient(),
    sns = snsClient,
    queue = sqsQueue,
    logger = functionLogger,
    randomId = newApplicationUserSub,
    wait = waitForTime,
  }: Around<'client' | 'sns' | 'queue' | 'logger' | 'randomId' | 'wait'> = {},
) => {
  const { failed, ...publishing } = publishingOf(environment, { client, sns, queue, logger, wait });
  return {
    ...publishing,
    changeIn: changeInRecord({
      subs: dynamoDbApplicationUserSubs({ client, tableName: environment.SUBS_TABLE, newSub: randomId }),
    }),
    failedChanges: sqsFailedChanges(failed),
  };
};

export const eventPublisherEnvironment = { ...publishingEnvironment, MESSAGES_PER_SECOND: positiveNumber };

export const eventPublisherDependencies = (
  environment: Parsed<typeof eventPublisherEnvironment>,
  {
    client = documentClient(),
    sns = snsClient,
    queue = sqsQueue,
    logger = functionLogger,
    clock = systemClock,
    wait = waitForTime,
  }: Around<'client' | 'sns' | 'queue' | 'logger' | 'clock' | 'wait'> = {},
) => {
  const { failed, topic, ...publishing } = publishingOf(environment, { client, sns, queue, logger, wait });
  return {
    ...publishing,
    writeIn: eventWriteIn,
    writtenIn: eventWrittenIn,
    topic: pacedTopic(topic, { messagesPerSecond: environment.MESSAGES_PER_SECOND, clock, wait }),
    keepFailed: sqsFailedEvents(failed),
  };
};
