import { beforeEach, describe, expect, it } from 'vitest';
import { publishChangesHandler } from '../../../functions/notifications/publish-changes/handler.ts';
import { publishEventsHandler } from '../../../functions/notifications/publish-events/handler.ts';
import type { Endpoint } from '../../../shared/notifications/endpoints/endpoint.ts';
import type { Notification } from '../../../shared/notifications/messages/message.ts';
import type { FailedEvent } from '../../../shared/notifications/ports/failed-changes.ts';
import type {
  NotificationTopic,
  PublishOutcome,
} from '../../../shared/notifications/ports/notification-topic.ts';
import { pacedTopic } from '../../../shared/notifications/publish/paced-topic.ts';
import type { PublishEventsDependencies } from '../../../shared/notifications/publish/publish-events.ts';
import { eventWriteIn, eventWrittenIn } from '../../../shared/notifications/store/event-records.ts';
import type { Event } from '../../../shared/ott/events/event.ts';
import type { Application } from '../../../shared/platform/applications/application.ts';
import { anEndpoint } from '../../support/notifications/endpoints.ts';
import { anEventRecord } from '../../support/notifications/event-records.ts';
import { anEvent, anOttApplication } from '../../support/ott/builders.ts';
import { aChangeRecord } from '../../support/users/users.ts';

let applications: Application[];
let endpoints: Endpoint[];
let published: Notification[];
let failed: [FailedEvent, string][];
let refuses: (notification: Notification) => { readonly isUnavailable: boolean } | undefined;
let scans: number;

beforeEach(() => {
  applications = ['one', 'two'].map((id) => anOttApplication({}, id));
  endpoints = [anEndpoint({ applicationId: 'one', operationTypes: ['event_update'] })];
  published = [];
  failed = [];
  refuses = () => undefined;
  scans = 0;
});

const topic: NotificationTopic = {
  publish: async (notifications) =>
    notifications.map((notification): PublishOutcome => {
      const refusal = refuses(notification);
      if (refusal !== undefined) return { isPublished: false, reason: 'refused', ...refusal };
      published.push(notification);
      return { isPublished: true, messageId: 'm' };
    }),
};

const dependencies = (overrides: Partial<PublishEventsDependencies> = {}): PublishEventsDependencies => ({
  applications: { list: async () => applications },
  endpoints: {
    list: async () => {
      scans += 1;
      return endpoints;
    },
  },
  topic,
  writeIn: eventWriteIn,
  writtenIn: eventWrittenIn,
  keepFailed: async (event, reason) => {
    failed.push([event, reason]);
  },
  isOutage: () => false,
  pause: async () => {},
  logger: { error: () => {}, warn: () => {} },
  ...overrides,
});

const handle = (Records: ReturnType<typeof anEventRecord>[], overrides = {}) =>
  publishEventsHandler(dependencies(overrides))({ Records });

const upcoming = anEvent({ status: 'UPCOMING' });
const live = anEvent({ status: 'LIVE' });
const some = (count: number, fields: Partial<Event> = {}) =>
  Array.from({ length: count }, (_, index) => anEvent({ id: `match-${index}`, ...fields }));
const created = (events: readonly Event[]) =>
  events.map((after, index) => anEventRecord({ after, sequenceNumber: String(100 + index) }));

describe('the publisher of events', () => {
  it('notifies only applications with an endpoint that has selected such messages, and reads the endpoints once', async () => {
    endpoints.push(
      anEndpoint({ applicationId: 'two', operationTypes: ['data_update'] }),
      anEndpoint({ applicationId: 'two', operationTypes: ['event_update'], removedAt: 1 }),
    );

    expect(await handle(created(some(3)))).toEqual({ batchItemFailures: [] });

    expect(published.map(({ applicationId, message }) => [applicationId, message])).toEqual(
      ['match-0', 'match-1', 'match-2'].map((eventId) => [
        'one',
        {
          operationType: 'event_update',
          eventId,
          change: 'created',
          status: 'LIVE',
          dateTime: '2026-11-20T20:00:04.000001',
        },
      ]),
    );
    expect(scans).toBe(1);
  });

  it('publishes one message for all changes of an event in a batch, with the time of the last', async () => {
    await handle([
      anEventRecord({ before: upcoming, after: live, version: 7 }),
      anEventRecord({ after: anEvent({ id: 'other' }) }),
      anEventRecord({ before: live, after: anEvent({ status: 'FINISHED' }), version: 8 }),
    ]);

    expect(published.map(({ message }) => message)).toMatchObject([
      { eventId: 'final', change: 'status', status: 'FINISHED', dateTime: '2026-11-20T20:00:04.000008' },
      { eventId: 'other', change: 'created' },
    ]);
  });

  it('gives a removal a later time than the last change of the event', async () => {
    await handle([anEventRecord({ before: live, version: 8 })]);

    expect(published.map(({ message }) => message)).toEqual([
      {
        operationType: 'event_update',
        eventId: 'final',
        change: 'removed',
        dateTime: '2026-11-20T20:00:04.000009',
      },
    ]);
  });

  it('publishes nothing for a write that callers cannot see', async () => {
    await handle([
      anEventRecord({
        before: live,
        after: { ...live, hand: { status: { value: live.status, at: '2026-11-20T20:00:00.000Z' } } },
        version: 2,
      }),
    ]);

    expect([published, scans]).toEqual([[], 0]);
  });

  it('publishes a message for each of ten changed events, and one for eleven, which says that many have changed', async () => {
    await handle(created(some(10)));
    expect(published).toHaveLength(10);
    published = [];

    await handle(created(some(11)));

    expect(published).toEqual([
      {
        applicationId: 'one',
        message: { operationType: 'event_update', change: 'many', dateTime: '2026-11-20T20:00:04.000001' },
      },
    ]);
  });

  it('publishes the same messages again if it gets the same records again', async () => {
    const records = created(some(3));
    await handle(records);
    const first = published;
    published = [];

    await handle(records);

    expect(published).toEqual(first);
  });

  it('returns the records to the stream if the topic is unavailable, and puts nothing aside', async () => {
    refuses = () => ({ isUnavailable: true });

    const again = await handle(created(some(3)));

    expect(again).toEqual({
      batchItemFailures: ['100', '101', '102'].map((itemIdentifier) => ({ itemIdentifier })),
    });
    expect(failed).toEqual([]);
  });

  it('puts an event aside, with who could see it before, if one of its messages is refused, and publishes the others', async () => {
    refuses = ({ message }) =>
      'eventId' in message && message.eventId === 'final' ? { isUnavailable: false } : undefined;

    const again = await handle([
      anEventRecord({ before: upcoming, after: live, version: 7 }),
      ...created(some(2)),
    ]);

    expect(again).toEqual({ batchItemFailures: [] });
    expect(published).toHaveLength(2);
    expect(failed).toEqual([
      [
        {
          kind: 'event',
          id: 'final',
          dateTime: '2026-11-20T20:00:04.000007',
          before: [{ status: 'UPCOMING', access: 'free', categories: ['football'] }],
        },
        'refused',
      ],
    ]);
  });

  it('puts one failed change aside if the message that many events have changed is refused', async () => {
    refuses = () => ({ isUnavailable: false });

    await handle(created(some(20)));

    expect(failed).toEqual([[{ kind: 'many', dateTime: '2026-11-20T20:00:04.000001' }, 'refused']]);
  });

  it('puts an event aside that only a later release can read, and publishes the others', async () => {
    const later = anEventRecord({ after: live });
    const image = later.dynamodb?.NewImage?.event;
    Object.assign(image ?? {}, { S: String(image?.S).replace('"LIVE"', '"POSTPONED"') });

    expect(await handle([later, ...created(some(1))])).toEqual({ batchItemFailures: [] });

    expect(published.map(({ message }) => message)).toMatchObject([{ eventId: 'match-0' }]);
    expect(failed).toMatchObject([
      [{ kind: 'event', id: 'final', before: [] }, /only a later release knows/],
    ]);
  });

  it('reads the endpoints again after they could not be read', async () => {
    let isDown = true;
    const list = async () => {
      if (!isDown) return endpoints;
      isDown = false;
      throw new Error('no answer');
    };

    await handle(created(some(1)), { endpoints: { list } });

    expect(published).toHaveLength(1);
    expect(failed).toEqual([]);
  });
});

/**
 * SNS as it is in the smallest Regions: it accepts 300 messages a second of the whole account, and each call takes 20 ms.
 * The clock moves only while somebody waits.
 */
const smallRegion = () => {
  const quota = 300;
  let now = Date.parse('2026-11-20T20:00:00Z');
  const accepted: { readonly at: number; readonly notification: Notification }[] = [];
  const plans: { readonly at: number; readonly run: () => Promise<void> }[] = [];
  let isRunning = false;
  const pass = async (milliseconds: number): Promise<void> => {
    const until = now + milliseconds;
    while (!isRunning && (plans[0]?.at ?? Number.POSITIVE_INFINITY) <= until) {
      const plan = plans.shift();
      now = Math.max(now, plan?.at ?? now);
      isRunning = true;
      await plan?.run();
      isRunning = false;
    }
    now = Math.max(now, until);
  };
  let recent: number[] = [];
  const accept = (notification: Notification): PublishOutcome => {
    recent = recent.filter((at) => at > now - 1_000);
    if (recent.length >= quota) return { isPublished: false, reason: 'Throttled', isUnavailable: true };
    recent.push(now);
    accepted.push({ at: now, notification });
    return { isPublished: true, messageId: 'm' };
  };
  const publish: NotificationTopic['publish'] = async (notifications) => {
    const outcomes = notifications.map(accept);
    await pass(20);
    return outcomes;
  };
  return {
    topic: { publish },
    accepted,
    clock: () => now,
    wait: pass,
    /** Runs at this time, whatever else waits then. */
    plan: (at: number, run: () => Promise<void>) => plans.push({ at, run }),
  };
};

describe('an import of 20,000 events beside the changes of users, with 300 applications', () => {
  beforeEach(() => {
    applications = Array.from({ length: 300 }, (_, index) => anOttApplication({}, `customer-${index}`));
    endpoints = applications.map(({ id: applicationId }) =>
      anEndpoint({ applicationId, operationTypes: ['data_update', 'event_update'] }),
    );
  });
  const records = Array.from({ length: 20_000 }, (_, index) =>
    anEventRecord({ after: { ...live, id: `match-${index}` }, sequenceNumber: String(index) }),
  );

  const run = async (messagesPerSecond: number) => {
    const region = smallRegion();
    const delays: number[] = [];
    const changesOfUsers = publishChangesHandler({
      ...dependencies(),
      endpoints: { ofApplication: async () => [] },
      failedChanges: { keep: async () => {} },
      topic: region.topic,
      changeIn: () => ({
        notifications: async () => [
          {
            applicationId: 'customer-7',
            message: { operationType: 'data_update', applicationUserSub: 'anna', dateTime: '' },
          },
        ],
      }),
      pause: region.wait,
      isOutage: () => true,
    });
    const begin = region.clock();
    for (let second = 1; second <= 100; second += 1) {
      const at = begin + second * 970;
      region.plan(at, async () => {
        // Lambda passes the records to the function again until they are handled.
        for (;;) {
          const { batchItemFailures } = await changesOfUsers({
            Records: [aChangeRecord({ userSub: 'anna' })],
          } as never);
          if (batchItemFailures.length === 0) break;
        }
        const told = region.accepted.findLast(
          ({ notification }) => notification.message.operationType === 'data_update',
        );
        delays.push((told?.at ?? Number.NaN) - at);
      });
    }
    const handler = publishEventsHandler(
      dependencies({
        topic: pacedTopic(region.topic, { messagesPerSecond, clock: region.clock, wait: region.wait }),
        pause: region.wait,
        isOutage: () => true,
      }),
    );
    let batches = 0;
    let rest = records;
    while (rest.length > 0) {
      const batch = rest.slice(0, 1_000);
      batches += 1;
      const { batchItemFailures } = await handler({ Records: batch });
      const failedAt = batch.findIndex(
        ({ dynamodb }) => dynamodb?.SequenceNumber === batchItemFailures[0]?.itemIdentifier,
      );
      rest = rest.slice(failedAt < 0 ? batch.length : failedAt);
    }
    const told = region.accepted.filter(
      ({ notification }) => notification.message.operationType === 'event_update',
    );
    return { told, batches, delays };
  };

  // Two environments publish at most 50 messages a second each.
  it('publishes one message for each application and batch, and delays no user', async () => {
    const { told, batches, delays } = await run(100);

    expect(batches).toBe(20);
    expect(told).toHaveLength(20 * 300);
    expect(
      new Set(told.map(({ notification: { message } }) => 'change' in message && message.change)),
    ).toEqual(new Set(['many']));
    expect(delays.length).toBeGreaterThan(50);
    expect(Math.max(...delays)).toBe(0);
  });
});
