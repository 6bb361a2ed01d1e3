import { gzipSync } from 'node:zlib';
import type { ConsumedCapacity } from '@aws-sdk/client-dynamodb';
import type { SQSEvent } from 'aws-lambda';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { forwardDeliveriesHandler } from '../../../functions/notifications/forward-deliveries/handler.ts';
import { recordNotificationsHandler } from '../../../functions/notifications/record-notifications/handler.ts';
import { countNotifications } from '../../../operator/notifications/notification-counts.ts';
import { recordedIn } from '../../../shared/notifications/aws/record-queue.ts';
import { linesIn } from '../../../shared/notifications/aws/subscription-event.ts';
import type { Endpoint } from '../../../shared/notifications/endpoints/endpoint.ts';
import { endpointFinder } from '../../../shared/notifications/endpoints/find-endpoint.ts';
import { listEndpoints } from '../../../shared/notifications/endpoints/list-endpoints.ts';
import { failingDestinations, statusOf } from '../../../shared/notifications/record/record.ts';
import { recordNotifications } from '../../../shared/notifications/record/record-notifications.ts';
import { dynamoDbEndpoints } from '../../../shared/notifications/store/endpoints.ts';
import { dynamoDbNotificationRecords } from '../../../shared/notifications/store/notification-records.ts';
import { dynamoDbRedeliveries } from '../../../shared/notifications/store/redeliveries.ts';
import { dynamoDbUndelivered } from '../../../shared/notifications/store/undelivered.ts';
import type { DocumentClient } from '../../../shared/platform/store/client.ts';
import { aLadder } from '../../support/notifications/recording.ts';
import { createTables, startDatabase, type TestDatabase } from '../../support/platform/dynamodb.ts';

let database: TestDatabase;
let tables: Record<'Notifications' | 'Endpoints', string>;
let records: ReturnType<typeof dynamoDbNotificationRecords>;
let endpoints: ReturnType<typeof dynamoDbEndpoints>;
let redeliveries: ReturnType<typeof dynamoDbRedeliveries>;
let undelivered: ReturnType<typeof dynamoDbUndelivered>;

beforeAll(async () => {
  database = await startDatabase();
  tables = await createTables(database, ['Notifications', 'Endpoints']);
  const client = database.documents;
  records = dynamoDbNotificationRecords({ client: counted(client), tableName: tables.Notifications });
  endpoints = dynamoDbEndpoints({ client, tableName: tables.Endpoints });
  redeliveries = dynamoDbRedeliveries({ client, tableName: tables.Endpoints });
  undelivered = dynamoDbUndelivered({ client, tableName: tables.Notifications });
});
afterAll(() => database.stop());

/** The write units that were used, by table and index, as DynamoDB reports them. */
let units: Record<string, number> = {};
const unitsTaken = (): Record<string, number> => {
  const taken = units;
  units = {};
  return taken;
};
const counted = (client: DocumentClient): DocumentClient => {
  const add = (capacity: ConsumedCapacity | undefined) => {
    const indexes = Object.entries(capacity?.GlobalSecondaryIndexes ?? {});
    for (const [name, each] of [['table', capacity?.Table] as const, ...indexes]) {
      units[name] = (units[name] ?? 0) + (each?.CapacityUnits ?? 0);
    }
  };
  const ReturnConsumedCapacity = 'INDEXES';
  return {
    ...client,
    update: async (input) => {
      const answer = await client.update({ ...input, ReturnConsumedCapacity });
      add(answer.ConsumedCapacity);
      return answer;
    },
    put: async (input) => {
      const answer = await client.put({ ...input, ReturnConsumedCapacity });
      add(answer.ConsumedCapacity);
      return answer;
    },
    batchWrite: async (input) => {
      const answer = await client.batchWrite({ ...input, ReturnConsumedCapacity });
      for (const each of answer.ConsumedCapacity ?? []) add(each);
      return answer;
    },
  };
};

let applications = 0;
const anApplication = () => `application-${++applications}`;
const start = Date.parse('2026-11-20T23:59:58Z');

const anEndpoint = async (applicationId: string, name = 'main'): Promise<Endpoint> => {
  const endpoint: Endpoint = {
    applicationId,
    id: name,
    destination: `https://${applicationId}.example.com/${name}`,
    isEnveloped: false,
    operationTypes: ['data_update'],
    createdAt: start,
  };
  await endpoints.save(endpoint);
  return endpoint;
};

/** A message as SNS delivers it to the queue. */
const envelope = (address: string, id: string, seconds = 0, sub = 'a', origin: object = {}) =>
  JSON.stringify({
    Type: 'Notification',
    MessageId: id,
    TopicArn: 'arn:aws:sns:us-east-1:000000000000:topic',
    Timestamp: new Date(start + seconds * 1_000).toISOString(),
    Message: JSON.stringify({
      operation_type: 'data_update',
      application_user_sub: sub,
      date_time: `${new Date(start + seconds * 1_000).toISOString().slice(0, -1)}000`,
    }),
    MessageAttributes: { application_id: { Type: 'String', Value: address }, ...origin },
  });

const line = (
  messageId: string,
  destination: string,
  status: 'SUCCESS' | 'FAILURE',
  statusCode?: number,
) => ({
  notification: {
    messageMD5Sum: 'x',
    messageId,
    topicArn: 'arn:aws:sns:us-east-1:000000000000:topic',
    timestamp: '2026-11-20 23:59:58.123',
  },
  delivery: {
    deliveryId: 'd',
    destination,
    providerResponse: 'said',
    dwellTimeMs: 12,
    attempts: 4,
    ...(statusCode !== undefined && { statusCode }),
  },
  status,
});

const dependencies = () => ({
  records,
  endpoints,
  redeliveries,
  undelivered,
  ladder: aLadder(),
  clock: () => start,
  findEndpoint: endpointFinder({ endpoints }),
  subscriptions: { ofAll: async () => new Map() },
  enqueue: async () => {},
  logger: { warn: () => {} },
});

const silent = { error: () => {}, warn: () => {} };

/** Records these messages, and throws the first error. */
const record = async (...bodies: readonly string[]): Promise<void> => {
  const errors = await recordNotifications(dependencies(), { messages: bodies.map(recordedIn) });
  for (const error of errors) if (error !== undefined) throw error;
};

/** Records these lines of the delivery log, through the function that the log's subscription filter calls. */
const logged = async (lines: readonly unknown[], timestamp = start + 5_000): Promise<void> => {
  const bodies: string[] = [];
  const forward = forwardDeliveriesHandler({
    linesIn,
    forward: async (delivery_lines) => {
      bodies.push(JSON.stringify({ delivery_lines }));
    },
  });
  const data = {
    messageType: 'DATA_MESSAGE',
    owner: '000000000000',
    logGroup: 'sns/us-east-1/000000000000/topic',
    logStream: 'x',
    subscriptionFilters: ['f'],
    logEvents: lines.map((each) => ({ id: '1', timestamp, message: JSON.stringify(each) })),
  };
  await forward({ awslogs: { data: gzipSync(JSON.stringify(data)).toString('base64') } });
  for (const body of bodies) await record(body);
};

const list = (applicationId: string, filter: object = {}) =>
  records.list({ applicationId, from: start - 1_000, to: start + 100_000, limit: 100, ...filter });

describe('the record of notifications', () => {
  it('contains each message with its deliveries, even if these arrive in another order, twice or late', async () => {
    const applicationId = anApplication();
    const { destination } = await anEndpoint(applicationId);
    const id = `${applicationId}-1`;

    await logged([line(id, destination, 'FAILURE', 500)]);
    await logged([line(id, destination, 'SUCCESS', 200), line(id, destination, 'SUCCESS', 200)]);
    await record(envelope(applicationId, id));
    await record(envelope(applicationId, id));
    await logged([line(id, destination, 'FAILURE', 500)]);

    const { items } = await list(applicationId);
    expect(items).toMatchObject([
      {
        id,
        applicationId,
        publishedAt: start,
        message: { operationType: 'data_update', applicationUserSub: 'a' },
        deliveries: [
          {
            destination,
            isDelivered: true,
            statusCode: 200,
            attempts: 4,
            at: start + 5_000,
            dwellMilliseconds: 12,
          },
        ],
      },
    ]);
    expect(await records.find(id)).toEqual(items[0]);
    expect(await records.find(`${id}-other`)).toBeUndefined();
  });

  it('contains the id of the message that was redriven or replayed', async () => {
    const applicationId = anApplication();
    const of = (Value: string) => ({ Type: 'String', Value });

    await record(envelope(applicationId, `${applicationId}-1`, 1));
    await record(
      envelope(applicationId, `${applicationId}-2`, 2, 'a', { redrive_of: of(`${applicationId}-1`) }),
    );
    await record(
      envelope(applicationId, `${applicationId}-3`, 3, 'a', { replay_of: of(`${applicationId}-1`) }),
    );

    const { items } = await list(applicationId);
    expect(items.map(({ redriveOf, replayOf }) => [redriveOf, replayOf])).toEqual([
      [undefined, `${applicationId}-1`],
      [`${applicationId}-1`, undefined],
      [undefined, undefined],
    ]);
  });

  it('lists an application’s own messages, newest first, in pages and across midnight', async () => {
    const [one, other] = [anApplication(), anApplication()];
    for (let second = 0; second < 7; second++) await record(envelope(one, `${one}-${second}`, second));
    await record(envelope(other, `${other}-0`));

    const seen: string[] = [];
    let after: string | undefined;
    do {
      const page = await list(one, { limit: 3, ...(after !== undefined && { after }) });
      seen.push(...page.items.map(({ id }) => id));
      after = page.next;
    } while (after !== undefined);

    expect(seen).toEqual([6, 5, 4, 3, 2, 1, 0].map((second) => `${one}-${second}`));
    expect((await list(other)).items).toHaveLength(1);
    const some = await list(one, { from: start + 2_000, to: start + 4_000 });
    expect(some.items.map(({ id }) => id)).toEqual([`${one}-3`, `${one}-2`]);
  });

  it('can be filtered by the status of the messages', async () => {
    const applicationId = anApplication();
    const [good, bad] = [await anEndpoint(applicationId, 'good'), await anEndpoint(applicationId, 'bad')];
    for (let second = 0; second < 4; second++) {
      await record(envelope(applicationId, `${applicationId}-${second}`, second));
    }
    await logged([
      line(`${applicationId}-1`, good.destination, 'SUCCESS', 200),
      line(`${applicationId}-2`, good.destination, 'SUCCESS', 200),
      line(`${applicationId}-2`, bad.destination, 'FAILURE'),
    ]);

    const idsOf = async (status: string) => (await list(applicationId, { status })).items.map(({ id }) => id);
    expect(await idsOf('published')).toEqual([`${applicationId}-3`, `${applicationId}-0`]);
    expect(await idsOf('delivered')).toEqual([`${applicationId}-1`]);
    expect(await idsOf('failed')).toEqual([`${applicationId}-2`]);
    expect(statusOf([])).toBe('published');
    const counted = await countNotifications({ records, clock: () => start + 10_000 }, { applicationId });
    expect(counted).toEqual({
      published: 4,
      delivered: 1,
      failed: 1,
      failures: [expect.objectContaining({ id: `${applicationId}-2` })],
      since: '2026-11-20T23:59:58.000Z',
      isAll: true,
    });
  });

  it('counts only the newest hundred messages of a day if there are more', async () => {
    const applicationId = anApplication();
    for (let second = 0; second < 102; second++) {
      await record(envelope(applicationId, `${applicationId}-${second}`, second));
    }
    const of = (clock: number) => countNotifications({ records, clock: () => clock }, { applicationId });

    expect(await of(start + 200_000)).toMatchObject({
      published: 100,
      since: '2026-11-21T00:00:00.000Z',
      isAll: false,
    });
    expect(await of(start + 48 * 3_600_000)).toMatchObject({ published: 0, since: undefined, isAll: true });
  });

  it('shows which addresses have not yet received a subject', async () => {
    const applicationId = anApplication();
    const { destination } = await anEndpoint(applicationId);
    await record(envelope(applicationId, `${applicationId}-1`, 1));
    await logged([line(`${applicationId}-1`, destination, 'FAILURE', 500)]);
    const key = {
      applicationId,
      message: { operationType: 'data_update', applicationUserSub: 'a', dateTime: '' },
    } as const;
    expect(failingDestinations(await records.ofSubject(key))).toEqual([destination]);

    await record(envelope(`${applicationId}/main`, `${applicationId}-2`, 1));
    await logged([line(`${applicationId}-2`, destination, 'SUCCESS', 200)]);

    expect(failingDestinations(await records.ofSubject(key))).toEqual([]);
  });

  it('costs three write units per message, and one for each further endpoint', async () => {
    const applicationId = anApplication();
    const [one, other] = [await anEndpoint(applicationId, 'one'), await anEndpoint(applicationId, 'other')];
    const id = `${applicationId}-1`;
    unitsTaken();

    await record(envelope(applicationId, id));
    expect(unitsTaken()).toEqual({ table: 1, 'by-application': 1 });
    await logged([line(id, one.destination, 'SUCCESS', 200)]);
    expect(unitsTaken()).toEqual({ table: 1 });
    await logged([line(id, other.destination, 'FAILURE', 500)]);
    expect(unitsTaken()).toEqual({ table: 1, failures: 1 });
  });

  const healthOf = async ({ applicationId, destination }: Endpoint) => {
    const [found] = await listEndpoints(
      {
        endpoints,
        records,
        undelivered,
        subscriptions: { ofAll: async () => new Map([[destination, 'confirmed' as const]]) },
        clock: () => start + 10_000,
      },
      { applicationId },
    );
    return found;
  };

  it('counts no failures of an application that had the address of the endpoint before', async () => {
    const former = anApplication();
    const before = await anEndpoint(former);
    const { destination } = before;
    const movedAt = start + 2_000;
    const after: Endpoint = { ...before, applicationId: anApplication(), id: 'moved', createdAt: movedAt };
    await logged([line(`${former}-m1`, destination, 'FAILURE', 500)], start + 1_000);
    await endpoints.save(after);
    // SNS tried for 12 ms, so this one was published before the address moved.
    await logged([line(`${former}-m2`, destination, 'FAILURE', 500)], movedAt + 5);

    expect(await healthOf(after)).toMatchObject({ failures: { since: 0, notRedriven: 0 } });

    await logged([line(`${former}-m3`, destination, 'FAILURE', 500)], movedAt + 12);
    expect(await healthOf(after)).toMatchObject({ failures: { since: 1, notRedriven: 1 } });
  });

  it('shows whether the deliveries to an endpoint succeed', async () => {
    const applicationId = anApplication();
    const endpoint = await anEndpoint(applicationId);
    const health = () => healthOf(endpoint);

    await logged([line('m1', endpoint.destination, 'SUCCESS', 200)], start + 1_000);
    await logged([line(`${applicationId}-m2`, endpoint.destination, 'FAILURE', 500)], start + 2_000);
    await logged([line(`${applicationId}-m3`, endpoint.destination, 'FAILURE')], start + 3_000);

    expect(await health()).toMatchObject({
      state: 'confirmed',
      endpoint: {
        lastSuccessAt: start + 1_000,
        lastFailure: { at: start + 3_000, reason: 'said' },
        failingSince: start + 2_000,
      },
      failures: { since: 2, notRedriven: 2 },
    });
    await records.markRedriven({
      messageId: `${applicationId}-m2`,
      destination: endpoint.destination,
      at: start + 4_000,
    });
    await logged([line('m4', endpoint.destination, 'SUCCESS', 200)], start + 5_000);
    expect(await health()).toMatchObject({ failures: { since: 2, notRedriven: 1 } });
    expect((await health())?.endpoint.failingSince).toBeUndefined();
  });

  it('reads no more failures of an endpoint than the given maximum', async () => {
    const { destination } = await anEndpoint(anApplication());
    const failed = Array.from({ length: 5 }, (_, index) =>
      line(`${destination}-${index}`, destination, 'FAILURE'),
    );
    await logged(failed);

    const count = (atMost: number) =>
      records.countFailures({ destination, publishedFrom: 0, since: start, atMost });

    expect(await count(3)).toEqual({ since: 3, notRedriven: 3 });
    expect(await count(100)).toEqual({ since: 5, notRedriven: 5 });
  });

  it('is written for a whole batch, even if it has a duplicate and a message that the table rejects', async () => {
    const applicationId = anApplication();
    const ids = Array.from({ length: 30 }, (_, number) => `${applicationId}-${number}`);
    // The table refuses this one: a partition key has at most 2,048 bytes.
    const tooLong = 'x'.repeat(3_000);
    const bodies = [...ids, ids[0] ?? '', tooLong].map((id) => envelope(applicationId, id));

    const errors = await recordNotifications(dependencies(), { messages: bodies.map(recordedIn) });

    expect(errors.slice(0, -1)).toEqual(Array(31).fill(undefined));
    expect(errors.at(-1)).toMatchObject({ name: 'ValidationException' });
    expect((await list(applicationId)).items.map(({ id }) => id).sort()).toEqual(ids.toSorted());
  });

  it('retries the items that a throttled batch write has left', async () => {
    const applicationId = anApplication();
    const ids = Array.from({ length: 5 }, (_, number) => `${applicationId}-${number}`);
    const left: unknown[] = [];
    const throttled: DocumentClient = {
      ...database.documents,
      batchWrite: async ({ RequestItems = {} }) => {
        const [[table, writes = []] = ['']] = Object.entries(RequestItems);
        left.push(...writes.slice(2));
        const answer = await database.documents.batchWrite({ RequestItems: { [table]: writes.slice(0, 2) } });
        return { ...answer, UnprocessedItems: { [table]: writes.slice(2) } };
      },
    };
    const ofThrottled = dynamoDbNotificationRecords({ client: throttled, tableName: tables.Notifications });

    const errors = await recordNotifications(
      { ...dependencies(), records: ofThrottled },
      { messages: ids.map((id) => recordedIn(envelope(applicationId, id))) },
    );

    expect(left).toHaveLength(3);
    expect(errors).toEqual(Array(5).fill(undefined));
    expect((await list(applicationId)).items).toHaveLength(5);
  });

  it('has no delivery to its own queue, even if the log forwards the line of one', async () => {
    const applicationId = anApplication();
    const { destination } = await anEndpoint(applicationId);
    const id = `${applicationId}-1`;
    const eventSourceARN = 'arn:aws:sqs:us-east-1:000000000000:record';
    const delivery_lines = [destination, eventSourceARN].map((each) => ({
      timestamp: start + 1_000,
      line: JSON.stringify(line(id, each, 'SUCCESS')),
    }));
    const bodies = [envelope(applicationId, id), JSON.stringify({ delivery_lines })];

    await recordNotificationsHandler({ ...dependencies(), recordedIn, logger: silent })({
      Records: bodies.map((body, index) => ({ messageId: `${index}`, body, eventSourceARN })),
    } as SQSEvent);

    const [{ deliveries } = { deliveries: [] }] = (await list(applicationId)).items;
    expect(deliveries).toMatchObject([{ destination }]);
  });

  it('is complete after its table was unavailable for a while', async () => {
    const applicationId = anApplication();
    const messageIds = ['1', '2', '3'].map((number) => `${applicationId}-${number}`);
    const event = {
      Records: messageIds.map((id, index) => ({ messageId: id, body: envelope(applicationId, id, index) })),
    } as SQSEvent;
    const common = { ...dependencies(), recordedIn, logger: silent };
    const absent = dynamoDbNotificationRecords({ client: database.documents, tableName: 'absent' });

    const missed = await recordNotificationsHandler({ ...common, records: absent })(event);
    const kept = await recordNotificationsHandler(common)(event);

    expect(missed?.batchItemFailures.map(({ itemIdentifier }) => itemIdentifier)).toEqual(messageIds);
    expect(kept?.batchItemFailures).toEqual([]);
    expect((await list(applicationId)).items.map(({ id }) => id)).toEqual(messageIds.toReversed());
  });

  it('logs every hour the endpoints that have accepted nothing for five days', async () => {
    const applicationId = anApplication();
    const { id, destination } = await anEndpoint(applicationId);
    const days = 24 * 60 * 60 * 1_000;
    await logged([line('m1', destination, 'FAILURE', 500)], start);
    await logged([line('m2', destination, 'FAILURE', 500)], start + 4 * days);
    const named = async (at: number): Promise<string> => {
      const lines: unknown[] = [];
      await recordNotificationsHandler({
        ...dependencies(),
        recordedIn,
        clock: () => at,
        logger: { error: () => {}, warn: (...line) => lines.push(line) },
      })({ 'detail-type': 'Scheduled Event' });
      return JSON.stringify(lines);
    };

    const told = { application: applicationId, endpoint: id };
    expect(await named(start + 5 * days - 1)).not.toContain(applicationId);
    expect(await named(start + 5 * days)).toContain(JSON.stringify(told));
    // The path in an endpoint's URL can be a secret.
    expect(await named(start + 5 * days)).not.toContain(destination);
    await logged([line('m3', destination, 'SUCCESS', 200)], start + 4 * days + 1);
    expect(await named(start + 5 * days)).not.toContain(applicationId);
  });

  it('logs the number of failures of each endpoint with its id, and never with its address', async () => {
    const applicationId = anApplication();
    const { id, destination } = await anEndpoint(applicationId);
    const lines: unknown[] = [];
    const body = JSON.stringify({
      delivery_lines: [
        line('m1', destination, 'FAILURE', 500),
        line('m2', destination, 'FAILURE', 500),
        line('m3', destination, 'SUCCESS', 200),
        line('m4', 'https://unknown.example.com/secret', 'FAILURE', 500),
      ].map((each, index) => ({ timestamp: start + index, line: JSON.stringify(each) })),
    });

    await recordNotifications(
      {
        ...dependencies(),
        logger: { warn: (_message, fields) => lines.push(fields) },
      },
      { messages: [recordedIn(body)] },
    );

    expect(lines.slice(1)).toEqual([
      // SNS counts four attempts of each failed delivery, and three failed attempts before the delivery that succeeded.
      { code: 'ATTEMPTS_FAILED', count: 15 },
      { code: 'DELIVERIES_FAILED', count: 2, application: applicationId, endpoint: id },
      { code: 'DELIVERIES_FAILED', count: 1, application: undefined, endpoint: 'unknown' },
    ]);
  });

  it('logs once that an endpoint begins to fail, and again only after a success', async () => {
    const [first, second] = [await anEndpoint(anApplication()), await anEndpoint(anApplication())];
    const begun: unknown[] = [];
    const deliver = async (destination: string, status: 200 | 500, after: number) => {
      const text = JSON.stringify(
        line(`n${after}`, destination, status === 200 ? 'SUCCESS' : 'FAILURE', status),
      );
      const body = JSON.stringify({ delivery_lines: [{ timestamp: start + after, line: text }] });
      await recordNotifications(
        {
          ...dependencies(),
          logger: {
            warn: (_message, fields = {}) => {
              if (fields.code === 'ENDPOINT_BEGINS_TO_FAIL') begun.push(fields.application);
            },
          },
        },
        { messages: [recordedIn(body)] },
      );
    };

    await deliver(first.destination, 500, 1);
    await deliver(first.destination, 500, 2);
    await deliver(second.destination, 500, 3);
    await deliver(first.destination, 200, 4);
    await deliver(first.destination, 500, 5);

    expect(begun).toEqual([first.applicationId, second.applicationId]);
  });

  it('takes the line of a failure again until the failure is counted', async () => {
    const applicationId = anApplication();
    const { destination } = await anEndpoint(applicationId);
    const refusing: typeof endpoints = {
      ...endpoints,
      countFailure: async () => {
        throw new Error('The database is unavailable');
      },
    };
    const text = JSON.stringify(line(`${applicationId}-1`, destination, 'FAILURE', 500));
    const body = recordedIn(JSON.stringify({ delivery_lines: [{ timestamp: start, line: text }] }));

    const errors = await recordNotifications(
      { ...dependencies(), endpoints: refusing },
      { messages: [body] },
    );

    expect(errors).toEqual([new Error('The database is unavailable')]);
  });

  it('ignores messages that neither SNS nor the service can have written', async () => {
    for (const body of ['', '{', '[]', '{"delivery_lines":[{"timestamp":1,"line":"x"}]}']) {
      await expect(record(body)).resolves.toBeUndefined();
    }
  });
});
