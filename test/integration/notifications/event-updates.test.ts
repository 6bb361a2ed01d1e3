import { DescribeTableCommand } from '@aws-sdk/client-dynamodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { publishEventsHandler } from '../../../functions/notifications/publish-events/handler.ts';
import type { Message } from '../../../shared/notifications/messages/message.ts';
import { dynamoDbEndpoints } from '../../../shared/notifications/store/endpoints.ts';
import { eventWriteIn, eventWrittenIn } from '../../../shared/notifications/store/event-records.ts';
import { applySchedules } from '../../../shared/ott/catalogue/apply-schedules.ts';
import { deleteEvent } from '../../../shared/ott/catalogue/delete-event.ts';
import { setEventStatus } from '../../../shared/ott/catalogue/set-event-status.ts';
import { dynamoDbCatalogue } from '../../../shared/ott/store/catalogue.ts';
import { anEndpoint } from '../../support/notifications/endpoints.ts';
import { anEvent, anOttApplication } from '../../support/ott/builders.ts';
import { createTables, startDatabase, type TestDatabase } from '../../support/platform/dynamodb.ts';

const kickOff = Date.parse('2026-11-20T20:00:00Z');
const minute = 60_000;

let database: TestDatabase;
let now = kickOff - minute;
let streamArn: string;
let after: string | undefined;
let catalogue: ReturnType<typeof dynamoDbCatalogue>;
let endpoints: ReturnType<typeof dynamoDbEndpoints>;

const clock = () => now;
const logger = { error: () => {}, warn: () => {} };

beforeAll(async () => {
  database = await startDatabase();
  const tables = await createTables(database, ['Events', 'Endpoints']);
  const client = database.documents;
  catalogue = dynamoDbCatalogue({ client, tableName: tables.Events }, { clock });
  endpoints = dynamoDbEndpoints({ client, tableName: tables.Endpoints });
  for (const applicationId of ['all', 'live']) {
    await endpoints.save(anEndpoint({ applicationId, operationTypes: ['event_update'] }));
  }
  const { Table } = await database.client.send(new DescribeTableCommand({ TableName: tables.Events }));
  streamArn = Table?.LatestStreamArn ?? '';
});
afterAll(() => database.stop());

const applications = [
  anOttApplication({}, 'all'),
  anOttApplication({ rules: [{ id: 'one', enabled: true, statuses: ['LIVE'] }] }, 'live'),
  anOttApplication({}, 'not-subscribed'),
];

/**
 * The notifications that the publisher sends about everything that was written since the last call, in batches of
 * `limit` records.
 */
const messages = async (limit = 1_000) => {
  const told: [string, Message][] = [];
  const records = await database.engine.readStream({
    streamArn,
    limit,
    ...(after !== undefined && { after }),
  });
  after = records.at(-1)?.dynamodb.SequenceNumber ?? after;
  const ofEvents = records.filter(({ dynamodb }) => JSON.stringify(dynamodb.Keys).includes('"EVENT#'));
  const handle = publishEventsHandler({
    applications: { list: async () => applications },
    endpoints,
    topic: {
      publish: async (notifications) => {
        told.push(
          ...notifications.map(({ applicationId, message }): [string, Message] => [applicationId, message]),
        );
        return notifications.map(() => ({ isPublished: true, messageId: 'm' }));
      },
    },
    writeIn: eventWriteIn,
    writtenIn: eventWrittenIn,
    keepFailed: async (_, reason) => {
      throw new Error(reason);
    },
    isOutage: () => false,
    pause: async () => {},
    logger,
  });
  expect(await handle({ Records: ofEvents as never })).toEqual({ batchItemFailures: [] });
  return { isAll: records.length < limit, told };
};
const eventMessage = (message: Message) =>
  message as Extract<Message, { readonly operationType: 'event_update' }>;
const heard = async () =>
  (await messages()).told.map(([applicationId, message]) => {
    const { change, eventId, status } = eventMessage(message);
    return [applicationId, eventId, change, status];
  });

const write = async (...events: readonly ReturnType<typeof anEvent>[]) => {
  const before = await catalogue.findAllStored(events.map(({ id }) => id));
  const outcomes = await catalogue.write(
    events.map((event) => {
      const stored = before.get(event.id);
      return { ...(stored && { before: stored }), after: event };
    }),
  );
  expect(outcomes).toMatchObject(events.map(() => ({ outcome: 'written' })));
};

const match = anEvent({
  id: 'match',
  status: 'UPCOMING',
  categories: ['football', 'cup'],
  schedule: [
    { at: new Date(kickOff).toISOString(), status: 'LIVE' },
    { at: new Date(kickOff + 110 * minute).toISOString(), status: 'FINISHED' },
  ],
});

describe('the stream of the catalogue', () => {
  it('notifies of a new event, of each status of its schedule once, however late it is stored, and of its deletion', async () => {
    const store = () => applySchedules({ catalogue, clock, logger }, { until: now + minute });
    await write(match);
    expect(await heard()).toEqual([['all', 'match', 'created', 'UPCOMING']]);

    now = kickOff + 20_000;
    await store();
    await store();
    expect(await heard()).toEqual([
      ['all', 'match', 'status', 'LIVE'],
      ['live', 'match', 'created', 'LIVE'],
    ]);

    // For an hour after the end, nothing stores statuses. A minute after the change, the event leaves the index of due
    // changes.
    now = kickOff + 5 * minute;
    await store();
    now = kickOff + 170 * minute;
    await store();
    await store();
    expect(await heard()).toEqual([
      ['all', 'match', 'status', 'FINISHED'],
      ['live', 'match', 'removed', undefined],
    ]);

    await setEventStatus({ catalogue, clock }, { id: 'match', status: 'VOD' });
    await deleteEvent({ catalogue, clock }, { id: 'match' });
    expect(await heard()).toEqual([['all', 'match', 'removed', undefined]]);
  });

  it('notifies of a new event with a later time than of the removal of its predecessor, also within one second', async () => {
    await write(anEvent({ id: 'again' }));
    for (let change = 0; change < 4; change += 1) await write(anEvent({ id: 'again', title: `${change}` }));
    await setEventStatus({ catalogue, clock }, { id: 'again', status: 'FINISHED' });
    await deleteEvent({ catalogue, clock }, { id: 'again' });
    await write(anEvent({ id: 'again', title: 'Again' }));
    await write(anEvent({ id: 'again', title: 'And again' }));

    const told: [string, string][] = [];
    // Each record is a batch of its own, so that each change is told.
    for (let isAll = false; !isAll; ) {
      const batch = await messages(1);
      isAll = batch.isAll;
      for (const [applicationId, message] of batch.told) {
        const { change, dateTime } = eventMessage(message);
        if (applicationId === 'all') told.push([change, dateTime]);
      }
    }

    expect(told.map(([change]) => change)).toEqual([
      'created',
      ...Array(4).fill('changed'),
      'status',
      'removed',
      'created',
      'changed',
    ]);
    const versions = told.map(([, dateTime]) => dateTime.slice(-6));
    expect(versions).toEqual(told.map((_, index) => String(index + 1).padStart(6, '0')));
  });

  it('causes one notification of an import of many events, and one of ten changes of an event', async () => {
    await write(...Array.from({ length: 30 }, (_, index) => anEvent({ id: `many-${index}` })));
    expect(await heard()).toEqual([
      ['all', undefined, 'many', undefined],
      ['live', undefined, 'many', undefined],
    ]);

    for (let index = 0; index < 10; index += 1)
      await write(anEvent({ id: 'many-7', title: `Title ${index}` }));
    expect(await heard()).toEqual([
      ['all', 'many-7', 'changed', 'LIVE'],
      ['live', 'many-7', 'changed', 'LIVE'],
    ]);
  });
});
