import { recordedIn } from '../../../shared/notifications/aws/record-queue.ts';
import { addressOf } from '../../../shared/notifications/endpoints/address.ts';
import type { Endpoint } from '../../../shared/notifications/endpoints/endpoint.ts';
import { endpointFinder } from '../../../shared/notifications/endpoints/find-endpoint.ts';
import { redeliveryAt } from '../../../shared/notifications/endpoints/list-endpoints.ts';
import {
  type Notification,
  type OperationType,
  subjectOf,
} from '../../../shared/notifications/messages/message.ts';
import { wireMessage } from '../../../shared/notifications/messages/wire-message.ts';
import type { NotificationTopic } from '../../../shared/notifications/ports/notification-topic.ts';
import type { EnqueueRedelivery } from '../../../shared/notifications/ports/redeliveries.ts';
import { recordNotifications } from '../../../shared/notifications/record/record-notifications.ts';
import { redeliverDue } from '../../../shared/notifications/redeliver/redeliver-due.ts';
import type { Ladder } from '../../../shared/notifications/redeliver/redelivery.ts';
import { runRedeliveries, runRedelivery } from '../../../shared/notifications/redeliver/run-redelivery.ts';
import { runReplay } from '../../../shared/notifications/replay/run-replay.ts';
import { startReplay } from '../../../shared/notifications/replay/start-replay.ts';
import { dynamoDbEndpoints } from '../../../shared/notifications/store/endpoints.ts';
import { dynamoDbNotificationRecords } from '../../../shared/notifications/store/notification-records.ts';
import { dynamoDbRedeliveries } from '../../../shared/notifications/store/redeliveries.ts';
import { dynamoDbReplays } from '../../../shared/notifications/store/replays.ts';
import { dynamoDbUndelivered } from '../../../shared/notifications/store/undelivered.ts';
import type { DocumentClient } from '../../../shared/platform/store/client.ts';
import { aLadder } from './recording.ts';

const second = 1_000;
const minute = 60 * second;

/** What an endpoint answers to a message about a subject at a time. */
export type Answer = 200 | 400 | 500;

export interface SimulatedEndpoint {
  readonly id: string;
  readonly answer: (at: number, subject: string) => Answer;
  /** @default ['data_update'] */
  readonly operationTypes?: readonly OperationType[];
}

/** An endpoint that accepts everything. */
export const living: SimulatedEndpoint = { id: 'living', answer: () => 200 };

/** A message that reached an endpoint. */
export interface Heard {
  readonly at: number;
  readonly endpointId: string;
  readonly subject: string;
  readonly dateTime: string;
  readonly messageId: string;
  readonly answer: Answer;
  /** Whether the message was sent again, by a redelivery or a replay. */
  readonly isCopy: boolean;
}

export interface DeliveryFaults {
  /**
   * How long it takes until the recorder gets a message, or a line about a delivery. SNS logs accepted and failed
   * deliveries in two log groups. @default one second
   */
  readonly recordDelay?: (of: 'message' | 'success' | 'failure') => number;
  /** Whether SNS logs the end of this delivery. @default always */
  readonly isLogged?: (of: { readonly isCopy: boolean }) => boolean;
  /** Whether a line of SNS's log is recorded twice, at different times. @default never */
  readonly isLoggedTwice?: () => boolean;
  /** What happens to a call of the database, or of the topic. @default nothing */
  readonly strike?: () => Strike;
  /** How long others go first, if they do. @default 20 ms */
  readonly suspendedFor?: () => number;
}

/**
 * `dies before`, `dies after`: the process dies before or after the call has its effect. `twice`: the answer is lost, so the
 * call is repeated. `others first`: whatever is due meanwhile happens before the call.
 */
export type Strike = 'nothing' | 'dies before' | 'dies after' | 'twice' | 'others first';

class Killed extends Error {
  override readonly name = 'Killed';
}

interface Event {
  readonly at: number;
  readonly order: number;
  readonly run: () => Promise<void>;
}

/**
 * SNS, its delivery log, the queues and the schedule on a virtual clock, around the code of the recorder, the schedule's
 * function and the worker of replays, with their adapters.
 */
export const deliveryWorld = ({
  client,
  tables,
  applicationId = 'club',
  start = Date.parse('2026-11-01T00:00:00Z'),
  ladder = aLadder(),
  faults = {},
}: {
  readonly client: DocumentClient;
  readonly tables: { readonly Notifications: string; readonly Endpoints: string };
  readonly applicationId?: string;
  readonly start?: number;
  readonly ladder?: Ladder;
  readonly faults?: DeliveryFaults;
}) => {
  const {
    recordDelay = () => second,
    isLogged = () => true,
    isLoggedTwice = () => false,
    strike = () => 'nothing' as const,
    suspendedFor = () => 20,
  } = faults;
  const time = { now: start };
  const clock = () => time.now;
  const storesOf = (own: DocumentClient) => ({
    records: dynamoDbNotificationRecords({ client: own, tableName: tables.Notifications }),
    replays: dynamoDbReplays({ client: own, tableName: tables.Notifications }),
    undelivered: dynamoDbUndelivered({ client: own, tableName: tables.Notifications }),
    endpoints: dynamoDbEndpoints({ client: own, tableName: tables.Endpoints }),
    redeliveries: dynamoDbRedeliveries({ client: own, tableName: tables.Endpoints }),
  });
  const { records, replays, undelivered, endpoints, redeliveries } = storesOf(client);
  const known: SimulatedEndpoint[] = [];
  const subscribed = new Set<string>();
  const heard: Heard[] = [];
  const told: { readonly code: unknown; readonly endpoint: unknown; readonly at: number }[] = [];
  /** What is left to do, soonest first. */
  const events: Event[] = [];
  let order = 0;
  const at = (when: number, run: () => Promise<void>): void => {
    const event = { at: when, order: order++, run };
    let [low, high] = [0, events.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((events[middle]?.at ?? 0) <= when) low = middle + 1;
      else high = middle;
    }
    events.splice(low, 0, event);
  };
  const runUntil = async (until: number): Promise<void> => {
    for (let next = events[0]; next !== undefined && next.at <= until; next = events[0]) {
      events.shift();
      time.now = Math.max(time.now, next.at);
      await next.run();
    }
    time.now = Math.max(time.now, until);
  };

  const destinationOf = (id: string) => `https://${applicationId}.example.com/${id}`;
  const logger = {
    warn: (_: unknown, fields: Readonly<Record<string, unknown>> = {}) => {
      told.push({ code: fields.code, endpoint: fields.endpoint, at: time.now });
    },
  };

  let kills = 0;
  let repeated = 0;
  /** One process: when it dies, none of its further calls has an effect. */
  const newProcess = () => {
    let isDead = false;
    const die = (): never => {
      if (!isDead) kills += 1;
      isDead = true;
      throw new Killed('The process is dead');
    };
    const call = async <Answer>(act: () => Promise<Answer>): Promise<Answer> => {
      if (isDead) die();
      const struck = strike();
      if (struck === 'dies before') die();
      if (struck === 'others first') await runUntil(time.now + suspendedFor());
      if (struck === 'twice') await act();
      const answer = await act();
      return struck === 'dies after' ? die() : answer;
    };
    const own = Object.fromEntries(
      Object.entries(client).map(([name, act]) => [
        name,
        (input: never) => call(() => (act as (input: never) => Promise<unknown>)(input)),
      ]),
    ) as unknown as DocumentClient;
    return {
      ...storesOf(own),
      topic: {
        publish: (notifications: readonly Notification[]) => {
          let published = 0;
          return call(() => {
            published += 1;
            if (published > 1) repeated += 1;
            return topic.publish(notifications);
          });
        },
      } satisfies NotificationTopic,
      enqueue: (key: Parameters<EnqueueRedelivery>[0]) => call(() => enqueue(key)),
    };
  };

  /** The recorder's queue. A message that could not be recorded comes again. */
  let delayed: { readonly isDelayed: () => boolean; readonly by: number } | undefined;
  const delayOf = (of: 'message' | 'success' | 'failure'): number =>
    delayed?.isDelayed() === true ? delayed.by : recordDelay(of);
  const record = (bodies: readonly string[], delay: number): void => {
    at(time.now + delay, async () => {
      const process = newProcess();
      const findEndpoint = endpointFinder({ endpoints: process.endpoints, clock });
      let errors: readonly unknown[];
      try {
        errors = await recordNotifications(
          { ...process, ladder, clock, findEndpoint, logger },
          { messages: bodies.map(recordedIn) },
        );
      } catch (error) {
        errors = bodies.map(() => error);
      }
      const again = bodies.filter((_, index) => errors[index] !== undefined);
      if (again.length > 0) record(again, 91 * second);
    });
  };

  const deliver = (
    { id, answer }: SimulatedEndpoint,
    { message, replayOf, redriveOf }: Notification,
    messageId: string,
  ): void => {
    const publishedAt = time.now;
    const subject = subjectOf(message);
    const attempt = (tried: number) => async () => {
      const answered = answer(time.now, subject);
      const isCopy = (replayOf ?? redriveOf) !== undefined;
      heard.push({
        at: time.now,
        endpointId: id,
        subject,
        dateTime: message.dateTime,
        messageId,
        answer: answered,
        isCopy,
      });
      if (answered === 500 && tried < 3) {
        at(time.now + 20 * second, attempt(tried + 1));
        return;
      }
      if (!isLogged({ isCopy })) return;
      const line = JSON.stringify({
        notification: { messageId },
        delivery: {
          destination: destinationOf(id),
          attempts: tried + 1,
          dwellTimeMs: time.now - publishedAt,
          statusCode: answered,
        },
        status: answered === 200 ? 'SUCCESS' : 'FAILURE',
      });
      const body = JSON.stringify({ delivery_lines: [{ timestamp: time.now, line }] });
      for (let copy = isLoggedTwice() ? 2 : 1; copy > 0; copy -= 1) {
        record([body], delayOf(answered === 200 ? 'success' : 'failure'));
      }
    };
    at(time.now + 10, attempt(0));
  };

  let messages = 0;
  const topic: NotificationTopic = {
    publish: async (notifications) =>
      notifications.map((notification) => {
        const messageId = `message-${++messages}`;
        const { endpointId, replayOf, redriveOf } = notification;
        const attributes = Object.entries({
          application_id: addressOf(notification),
          replay_of: replayOf,
          redrive_of: redriveOf,
        }).flatMap(([name, Value]) => (Value === undefined ? [] : [[name, { Value }]]));
        const envelope = JSON.stringify({
          Type: 'Notification',
          MessageId: messageId,
          Timestamp: new Date(time.now).toISOString(),
          Message: JSON.stringify(wireMessage(notification.message)),
          MessageAttributes: Object.fromEntries(attributes),
        });
        record([envelope], delayOf('message'));
        for (const endpoint of known) {
          const isMeant = endpointId === undefined || endpointId === endpoint.id;
          if (isMeant && subscribed.has(endpoint.id)) deliver(endpoint, notification, messageId);
        }
        return { isPublished: true, messageId };
      }),
  };

  const wait = (milliseconds: number) => runUntil(time.now + milliseconds);
  const newWorker = () => ({ ...newProcess(), ladder, clock, logger, wait });

  /** The queue of replays. A message whose worker died or was not done comes again. */
  let received = 0;
  const work = (
    run: (message: { holder: string; until: number }) => Promise<string>,
    after: number,
  ): void => {
    at(time.now + after, async () => {
      let outcome = 'died';
      try {
        outcome = await run({ holder: `receipt-${++received}`, until: time.now + 40 * second });
      } catch {
        // The message becomes visible again.
      }
      if (outcome === 'unfinished' || outcome === 'waiting') work(run, 10 * second);
      if (outcome === 'looking') work(run, 5 * second);
      if (outcome === 'died') work(run, 6 * minute);
    });
  };
  const enqueue: EnqueueRedelivery = async ({ applicationId, id }) => {
    work((received) => runRedelivery(newWorker(), { applicationId, id, ...received }), 100);
  };
  const redeliverNow = (): Promise<void> =>
    redeliverDue({
      ...newProcess(),
      subscriptions: {
        ofAll: async () => new Map([...subscribed].map((id) => [destinationOf(id), 'confirmed' as const])),
      },
      clock,
    });
  const everyMinute = (): void => {
    at(time.now + minute, async () => {
      everyMinute();
      await redeliverNow().catch(() => {});
    });
  };
  everyMinute();

  const endpoint = async (id: string): Promise<Endpoint> => {
    const found = await endpoints.find({ applicationId, id });
    if (found === undefined) throw new Error(`There is no endpoint ${id}`);
    return found;
  };

  return {
    time,
    clock,
    records,
    replays,
    undelivered,
    endpoints,
    redeliveries,
    topic,
    ladder,
    kills: () => kills,
    /** How many calls of the topic were repeated because their answer was lost. */
    repeated: () => repeated,
    newWorker,
    heard,
    told,
    redeliverNow,
    at,
    runUntil,
    /** Goes on for a time. */
    pass: wait,

    subscribe: async (endpoint: SimulatedEndpoint): Promise<void> => {
      known.push(endpoint);
      subscribed.add(endpoint.id);
      await endpoints.save({
        applicationId,
        id: endpoint.id,
        destination: destinationOf(endpoint.id),
        isEnveloped: false,
        operationTypes: endpoint.operationTypes ?? ['data_update'],
        createdAt: time.now,
      });
    },

    /** Delays the next messages of the recorder's queue for which `isDelayed` returns `true`. */
    delayNext: (isDelayed: () => boolean, by: number): void => {
      delayed = { isDelayed, by };
    },

    /** A test that the customer sends to one endpoint. */
    test: async (endpointId: string): Promise<void> => {
      const dateTime = `${new Date(time.now).toISOString().slice(0, -1)}000`;
      const message = { operationType: 'test', applicationUserSub: 'nobody', dateTime } as const;
      await topic.publish([{ applicationId, endpointId, message }]);
    },

    /** Removes an endpoint, as the operator does. */
    remove: async (id: string): Promise<void> => {
      subscribed.delete(id);
      await endpoints.remove({ applicationId, id, at: time.now });
    },

    /** Adds an endpoint again that was removed. */
    addAgain: async (id: string): Promise<void> => {
      const { destination, isEnveloped, operationTypes, createdAt } = await endpoint(id);
      subscribed.add(id);
      await endpoints.save({ applicationId, id, destination, isEnveloped, operationTypes, createdAt });
    },

    /** Confirms a subscription again. */
    resubscribe: (id: string) => subscribed.add(id),

    /** Ends a subscription as the endpoint's `UnsubscribeURL` does. */
    unsubscribe: (id: string) => subscribed.delete(id),

    /** A user's change. */
    change: async (sub: string): Promise<void> => {
      const dateTime = `${new Date(time.now).toISOString().slice(0, -1)}${String(messages % 1_000).padStart(3, '0')}`;
      await topic.publish([
        { applicationId, message: { operationType: 'data_update', applicationUserSub: sub, dateTime } },
      ]);
    },

    /** A customer's replay of failed notifications. */
    replay: async (): Promise<void> => {
      const queue = async ({ id }: { readonly id: string }) =>
        work(async (received) => {
          const worker = newWorker();
          const outcome = await runReplay(worker, { applicationId, id, ...received });
          return outcome === 'ended' ? runRedeliveries(worker, { applicationId, ...received }) : outcome;
        }, 100);
      await startReplay(
        { endpoints, replays, enqueue: queue, clock, randomId: () => `replay-${++received}` },
        { order: { applicationId, from: start, to: time.now, status: 'failed' } },
      );
    },

    endpoint,

    /** What the customer is told of an endpoint's redelivery. `undefined` if nothing is undelivered. */
    state: async (id: string) => redeliveryAt(await endpoint(id), time.now),

    /** Goes on until it holds. */
    until: async (holds: () => boolean): Promise<void> => {
      while (!holds()) await wait(100);
    },

    /** What an endpoint heard of the copies: each attempt of SNS, with the minutes since the beginning. */
    copies: (id: string) =>
      heard
        .filter(({ isCopy, endpointId }) => isCopy && endpointId === id)
        .map(({ subject, at, answer }) => ({
          sub: subject.split('#')[1],
          minutes: Math.round((at - start) / minute),
          answer,
        })),
  };
};
