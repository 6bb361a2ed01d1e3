/**
 * The functions that publish, record and replay notifications, with their own wiring, and the parts of AWS that invoke
 * them.
 */

import { gzipSync } from 'node:zlib';
import type { DynamoDBRecord } from 'aws-lambda';
import {
  forwardDependencies,
  publisherDependencies,
  recorderDependencies,
  runReplaysDependencies,
  sendDependencies,
} from '../../../functions/notifications/dependencies.ts';
import { forwardDeliveriesHandler } from '../../../functions/notifications/forward-deliveries/handler.ts';
import { publishChangesHandler } from '../../../functions/notifications/publish-changes/handler.ts';
import { recordNotificationsHandler } from '../../../functions/notifications/record-notifications/handler.ts';
import { runReplaysHandler } from '../../../functions/notifications/run-replays/handler.ts';
import { handlerLifetimeMilliseconds } from '../../../shared/platform/time/handler-lifetime.ts';
import { aLadder } from '../../support/notifications/recording.ts';
import { type FunctionSurroundings, simulatedFunction } from '../functions.ts';
import type { Process } from '../process.ts';
import { createQueue, queueCalls } from '../queue.ts';
import type { Store } from '../store.ts';
import { between } from '../streams.ts';
import { surroundingsOf } from '../surroundings.ts';
import { readStream } from '../table-stream.ts';
import { type Accepted, createTopic, type Ended } from './topic.ts';

export const tables = {
  Applications: { keys: ['pk'] },
  Users: { keys: ['user_sub'] },
  ApplicationUserSubs: { keys: ['pk', 'sk'] },
  Wallets: { keys: ['pk'] },
  Notifications: {
    keys: ['pk', 'sk'],
    indexes: {
      'by-application': ['application_day', 'listed'],
      failures: ['failed_destination', 'sk'],
      undelivered: ['undelivered_to', 'next_at'],
    },
  },
  Endpoints: {
    keys: ['application_id', 'endpoint_id'],
    indexes: { 'by-next-look': ['redelivery', 'next_look_at'] },
  },
} as const;

export const environment = {
  APPLICATIONS_TABLE: 'Applications',
  USERS_TABLE: 'Users',
  SUBS_TABLE: 'ApplicationUserSubs',
  NOTIFICATIONS_TABLE: 'Notifications',
  ENDPOINTS_TABLE: 'Endpoints',
  TOPIC_ARN: 'topic',
  FAILED_CHANGES_QUEUE_URL: 'failedChanges',
  RECORD_QUEUE_URL: 'record',
  REPLAYS_QUEUE_URL: 'replays',
  // Undelivered notifications are redelivered in worlds of weeks: ../redelivery/twenty-days.ts.
  REDELIVERY: aLadder(),
} as const;

interface NotificationsOptions extends FunctionSurroundings {
  readonly store: Store;
  readonly post: (destination: string, message: Accepted) => number | undefined;
  readonly onAccepted: (message: Accepted) => void;
  readonly onEnded: (ended: Ended, isLogged: boolean) => void;
}

const second = 1_000;

export type Notifications = ReturnType<typeof createNotifications>;

export const createNotifications = (options: NotificationsOptions) => {
  const { scheduler, streams, faults, store, post, onAccepted, onEnded } = options;
  const deadLetters = createQueue(options, { name: 'dead letters', visibilityMilliseconds: 60 * second });
  const failedChanges = createQueue(options, { name: 'failed changes', visibilityMilliseconds: 60 * second });
  const unfinished = createQueue(options, { name: 'unfinished', visibilityMilliseconds: 60 * second });
  const recordQueue = createQueue(options, {
    name: 'record queue',
    visibilityMilliseconds: 91 * second,
    deadLetters: unfinished,
  });
  const replaysQueue = createQueue(options, {
    name: 'replays queue',
    visibilityMilliseconds: 360 * second,
    deadLetters: unfinished,
  });
  const queueOf = queueCalls(options, { failedChanges, record: recordQueue, replays: replaysQueue });

  let lines = 0;
  /** The subscription of the log group: Lambda is invoked asynchronously, and tries a failed invocation twice again. */
  const forward = async (task: string, ended: Ended, timestamp: number): Promise<void> => {
    const { message, destination, isDelivered, statusCode, attempts } = ended;
    const line = JSON.stringify({
      notification: { messageId: message.id, topicArn: environment.TOPIC_ARN },
      delivery: {
        destination,
        attempts,
        dwellTimeMs: timestamp - message.at,
        ...(statusCode && { statusCode }),
      },
      status: isDelivered ? 'SUCCESS' : 'FAILURE',
    });
    const payload = { messageType: 'DATA_MESSAGE', logEvents: [{ timestamp, message: line }] };
    const event = { awslogs: { data: gzipSync(JSON.stringify(payload), { level: 0 }).toString('base64') } };
    for (let tried = 1; tried <= 3; tried += 1) {
      if (tried > 1) await sleep((tried - 1) * 60 * second);
      const isDone = await functions.forward
        .invoke(`${task}, try ${tried}`, (handler) => handler(event))
        .then(
          () => true,
          () => false,
        );
      if (isDone) return;
    }
    unfinished.send(JSON.stringify({ requestPayload: event }));
  };
  const log = (ended: Ended): void => {
    lines += 1;
    const task = `log line ${lines}`;
    const timestamp = scheduler.now();
    const isLogged = !faults.strike('log: lost', task);
    onEnded(ended, isLogged);
    if (!isLogged) return;
    const copies = faults.strike('log: twice', task) ? 2 : 1;
    for (let copy = 1; copy <= copies; copy += 1) {
      const late = faults.strike('log: late', `${task}.${copy}`)
        ? between(streams.of(task), second, 120 * second)
        : 0;
      opened += 1;
      scheduler.at(timestamp + second + late, () => {
        void forward(`${task}.${copy}`, ended, timestamp).then(() => {
          opened -= 1;
        });
      });
    }
  };
  let opened = 0;

  const topic = createTopic({
    ...options,
    post,
    onAccepted,
    log,
    deadLetter: ({ body }) => deadLetters.send(body),
    record: ({ id, at, body, attributes }) =>
      recordQueue.send(
        JSON.stringify({
          Type: 'Notification',
          MessageId: id,
          Timestamp: new Date(at).toISOString(),
          Message: body,
          MessageAttributes: Object.fromEntries(
            Object.entries(attributes).map(([name, Value]) => [name, { Type: 'String', Value }]),
          ),
        }),
      ),
  });

  const around = (process: Process) => ({
    ...surroundingsOf(process, options),
    sns: topic.clientOf(process),
    queue: queueOf(process),
  });

  const functions = {
    publisher: simulatedFunction(options, {
      name: 'publisher',
      timeoutMilliseconds: 60 * second,
      make: (process) => publishChangesHandler(publisherDependencies(environment, around(process))),
    }),
    recorder: simulatedFunction(options, {
      name: 'recorder',
      timeoutMilliseconds: 15 * second,
      make: (process) => recordNotificationsHandler(recorderDependencies(environment, around(process))),
    }),
    forward: simulatedFunction(options, {
      name: 'forwarder',
      timeoutMilliseconds: 30 * second,
      make: (process) => forwardDeliveriesHandler(forwardDependencies(environment, around(process)) as never),
    }),
    replayer: simulatedFunction(options, {
      name: 'replayer',
      timeoutMilliseconds: 60 * second,
      make: (process) => runReplaysHandler(runReplaysDependencies(environment, around(process))),
    }),
    /** The calls that start replays. */
    send: simulatedFunction(options, {
      name: 'send',
      timeoutMilliseconds: handlerLifetimeMilliseconds,
      make: (process) => sendDependencies(environment, around(process)),
    }),
  };

  recordQueue.consume({
    batchSize: 25,
    windowMilliseconds: second,
    atOnce: 2,
    invoke: (task, event) => functions.recorder.invoke(task, (handler) => handler(event)),
  });
  replaysQueue.consume({
    batchSize: 1,
    windowMilliseconds: 0,
    atOnce: 2,
    invoke: (task, event) => {
      const endsAt = scheduler.now() + 60 * second;
      const context = { getRemainingTimeInMillis: () => endsAt - scheduler.now() };
      return functions.replayer.invoke(task, (handler) => handler(event, context));
    },
  });

  /** Reports, as Lambda does, the records that Lambda gave up. */
  const giveUp = (records: readonly DynamoDBRecord[]): void => {
    const [{ eventSourceARN: streamArn = '', dynamodb } = {}] = records;
    const arrived = (dynamodb?.ApproximateCreationDateTime ?? 0) * second;
    failedChanges.send(
      JSON.stringify({
        requestContext: { condition: 'RetryAttemptsExhausted' },
        DDBStreamBatchInfo: {
          streamArn,
          approximateArrivalOfFirstRecord: new Date(arrived).toISOString(),
          batchSize: records.length,
        },
      }),
    );
  };
  const stream = readStream({
    ...options,
    store,
    table: environment.USERS_TABLE,
    keys: tables.Users.keys,
    invoke: (task, event) => functions.publisher.invoke(task, (handler) => handler(event)),
    onGivenUp: giveUp,
  });

  const sleep = (milliseconds: number): Promise<void> =>
    new Promise((resolve) => scheduler.at(scheduler.now() + milliseconds, resolve));

  return {
    ...functions,
    around,
    topic,
    deadLetters,
    failedChanges,
    unfinished,
    queues: { record: recordQueue, replays: replaysQueue },
    /** The work that AWS has not done yet. */
    unfinishedWork: (): string[] => [
      ...(stream.isRead() ? [] : ['records of the stream']),
      ...(topic.isDelivering() ? ['deliveries'] : []),
      ...(opened > 0 ? ['lines of the delivery log'] : []),
      ...recordQueue.bodies().map((body) => `a message to the record: ${body}`),
      ...replaysQueue.bodies().map((body) => `a replay: ${body}`),
    ],
  };
};
