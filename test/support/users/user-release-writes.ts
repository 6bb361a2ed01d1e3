import { DescribeTableCommand } from '@aws-sdk/client-dynamodb';
import type { StreamRecord } from 'template-runtime/engines/dynamodb/types.ts';
import { type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts';
import { recordedIn } from '../../../shared/notifications/aws/record-queue.ts';
import { addressOf } from '../../../shared/notifications/endpoints/address.ts';
import { endpointFinder } from '../../../shared/notifications/endpoints/find-endpoint.ts';
import type { Notification } from '../../../shared/notifications/messages/message.ts';
import { wireMessage } from '../../../shared/notifications/messages/wire-message.ts';
import { publishChanges } from '../../../shared/notifications/publish/publish-changes.ts';
import { type NotificationStatus, statusOf } from '../../../shared/notifications/record/record.ts';
import { recordNotifications } from '../../../shared/notifications/record/record-notifications.ts';
import type { ReplayOrder } from '../../../shared/notifications/replay/replay.ts';
import {
  type ReplayOutcome,
  type RunReplayDependencies,
  runReplay,
} from '../../../shared/notifications/replay/run-replay.ts';
import { startReplay } from '../../../shared/notifications/replay/start-replay.ts';
import { dynamoDbEndpoints } from '../../../shared/notifications/store/endpoints.ts';
import { dynamoDbNotificationRecords } from '../../../shared/notifications/store/notification-records.ts';
import { dynamoDbRedeliveries } from '../../../shared/notifications/store/redeliveries.ts';
import { dynamoDbReplays } from '../../../shared/notifications/store/replays.ts';
import { changeInRecord } from '../../../shared/notifications/store/stream-records.ts';
import { dynamoDbUndelivered } from '../../../shared/notifications/store/undelivered.ts';
import { aLadder } from '../notifications/recording.ts';
import { walletWorld } from '../ott/tickets/wallet-world.ts';
import { createTables, startDatabase, type TestDatabase } from '../platform/dynamodb.ts';
import { type Release, recordWrites } from '../platform/release-writes.ts';
import { startUserCalls } from './user-calls.ts';
import { anApplication, userOf } from './users.ts';

/**
 * The data that the functions of a release wrote about users, their wallets and notifications, and the responses of the
 * functions.
 */
export interface UserRelease extends Release {
  /** The response to each application that reads each user. */
  readonly read: readonly (OldUser & { readonly answer: unknown })[];
  /** How many user changes the release had published. */
  readonly published: number;
  readonly notifications: readonly (readonly [id: string, status: NotificationStatus])[];
  /** The users about whom the release's replay had sent notifications when half of it was done. */
  readonly replayed: readonly string[];
  /** The id of a challenge that no wallet had signed. */
  readonly challenge: string;
}

/** A user, with the identifier that one application has for the user. */
interface OldUser {
  readonly userSub: string;
  readonly applicationId: string;
  readonly applicationUserSub: string;
}

export const oldWallets = {
  linked: privateKeyToAccount(`0x${'1'.repeat(64)}`),
  unlinked: privateKeyToAccount(`0x${'2'.repeat(64)}`),
  challenged: privateKeyToAccount(`0x${'3'.repeat(64)}`),
  ofRemoved: privateKeyToAccount(`0x${'4'.repeat(64)}`),
} satisfies Record<string, PrivateKeyAccount>;

export const oldEndpoint = { applicationId: 'club', destination: 'https://club.example.com/main' };

const inOneDelivery = 25;

/** Users, their wallets and notifications in one database, and the notifications that the topic received. */
export const startUserWorld = async (database: TestDatabase) => {
  const wallets = await walletWorld(database, { prefix: 'test', contracts: { isValid: async () => false } });
  const calls = await startUserCalls(database);
  const own = await createTables(database, ['Notifications', 'Endpoints']);
  const client = database.documents;
  const records = dynamoDbNotificationRecords({ client, tableName: own.Notifications });
  const replays = dynamoDbReplays({ client, tableName: own.Notifications });
  const endpoints = dynamoDbEndpoints({ client, tableName: own.Endpoints });
  const redeliveries = dynamoDbRedeliveries({ client, tableName: own.Endpoints });
  const undelivered = dynamoDbUndelivered({ client, tableName: own.Notifications });
  const { Table } = await database.client.send(new DescribeTableCommand({ TableName: calls.tables.Users }));
  const streamArn = Table?.LatestStreamArn ?? '';
  const { time, clock } = wallets;

  /** Messages published to the topic that have not been recorded yet. */
  const unrecorded: string[] = [];
  const told: Notification[] = [];
  let messages = 0;
  const topic: RunReplayDependencies['topic'] = {
    publish: async (notifications) => {
      told.push(...notifications);
      return notifications.map((notification) => {
        const messageId = `message-${time.now}-${++messages}`;
        const { message, replayOf } = notification;
        unrecorded.push(
          JSON.stringify({
            Type: 'Notification',
            MessageId: messageId,
            Timestamp: new Date(time.now).toISOString(),
            Message: JSON.stringify(wireMessage(message)),
            MessageAttributes: {
              application_id: { Value: addressOf(notification) },
              ...(replayOf !== undefined && { replay_of: { Value: replayOf } }),
            },
          }),
        );
        return { isPublished: true, messageId } as const;
      });
    },
  };

  const record = async (bodies: readonly string[]): Promise<void> => {
    const findEndpoint = endpointFinder({ endpoints });
    const logger = { warn: () => {} };
    const enqueue = async () => {};
    const messages = bodies.map(recordedIn);
    const errors = await recordNotifications(
      {
        records,
        endpoints,
        redeliveries,
        undelivered,
        enqueue,
        ladder: aLadder(),
        clock: () => time.now,
        findEndpoint,
        logger,
      },
      { messages },
    );
    for (const error of errors) if (error !== undefined) throw error;
  };

  return {
    tables: { ...wallets.tables, ...calls.tables, ...own },
    wallets,
    calls,
    records,
    replays,
    endpoints,
    told,
    topic,

    /** The records of the users table's stream that are about wanted users. */
    changes: async (wanted: (userSub: string) => boolean): Promise<readonly StreamRecord[]> => {
      const all = await database.engine.readStream({ streamArn, limit: 1_000 });
      return all.filter(({ dynamodb }) => wanted((dynamodb.Keys.user_sub as { S: string }).S));
    },

    /** Resolves to the changes that must be retried. */
    publish: (changes: readonly StreamRecord[], to = topic): Promise<readonly unknown[]> =>
      publishChanges(
        {
          applications: calls.applications,
          endpoints,
          topic: to,
          failedChanges: {
            keep: async () => {
              throw new Error('nothing is put aside here');
            },
          },
          changeIn: changeInRecord({ subs: calls.subs }),
          isOutage: () => false,
          pause: async () => {},
          logger: { error: () => {}, warn: () => {} },
        },
        { records: changes },
      ),

    recordPublished: async (): Promise<void> => {
      while (unrecorded.length > 0) await record(unrecorded.splice(0, inOneDelivery));
    },

    /** Records how the deliveries of messages to the old endpoint ended. */
    recordDelivered: (ends: Readonly<Record<string, boolean>>): Promise<void> => {
      const lines = Object.entries(ends).map(([messageId, isDelivered]) => ({
        timestamp: time.now,
        line: JSON.stringify({
          notification: { messageId },
          delivery: {
            destination: oldEndpoint.destination,
            statusCode: isDelivered ? 200 : 500,
            attempts: 2,
          },
          status: isDelivered ? 'SUCCESS' : 'FAILURE',
        }),
      }));
      return record([JSON.stringify({ delivery_lines: lines })]);
    },

    startReplay: (order: ReplayOrder, id: string) =>
      startReplay({ replays, endpoints, enqueue: async () => {}, clock, randomId: () => id }, { order }),

    runReplay: (
      { applicationId, id, holder = 'new' }: { applicationId: string; id: string; holder?: string },
      over: Partial<RunReplayDependencies> = {},
    ): Promise<ReplayOutcome> =>
      runReplay(
        { records, replays, endpoints, undelivered, topic, clock, wait: async () => {}, ...over },
        { applicationId, id, holder, until: clock() + 1_000 },
      ),
  };
};

export type UserWorld = Awaited<ReturnType<typeof startUserWorld>>;

export const as = (sub: string, client: string) => ({
  headers: { Authorization: `Bearer ${sub} ${client}` },
});

/** The response to an application that reads a user by its own identifier for the user. */
export const readAs = async (
  { calls }: UserWorld,
  { applicationId, applicationUserSub }: Omit<OldUser, 'userSub'>,
): Promise<unknown> => {
  const { status, body } = await calls.read({
    apiKeyId: `key-${applicationId}`,
    body: { application_user_sub: applicationUserSub },
  });
  return { status, body };
};

export const subsAt = async ({ calls }: UserWorld, applicationId: string, userSubs: readonly string[]) => {
  const { body } = await calls.exchange({ apiKeyId: `key-${applicationId}`, body: { user_subs: userSubs } });
  const { user_subs } = body as { user_subs: { user_sub: string; application_user_sub: string | null }[] };
  return user_subs.map(
    (each): OldUser => ({
      userSub: each.user_sub,
      applicationId,
      applicationUserSub: each.application_user_sub ?? '',
    }),
  );
};

export const register = async ({ calls, wallets }: UserWorld, applicationId: string): Promise<void> => {
  const { version: _, ...application } = anApplication({
    id: applicationId,
    apiKeyIds: [`key-${applicationId}`],
    clientIds: [`web-${applicationId}`],
    audience: applicationId === 'club' ? 'all' : 'linked',
    keyEnds: { [`key-${applicationId}-old`]: new Date(wallets.time.now).toISOString() },
  });
  await calls.applications.create(application);
};

/** Runs the functions of this release and records what they write. */
export const keepUserRelease = async (): Promise<UserRelease> => {
  const database = await startDatabase();
  let tables = {};
  const { documents, writes } = recordWrites(database.documents, () => tables);
  const world = await startUserWorld({ ...database, documents });
  tables = world.tables;
  const { calls, wallets, told, topic } = world;
  const startedAt = wallets.time.now;
  const put = (userSub: string, user_data: object, client = 'web-club') =>
    calls.put({ ...as(userSub, client), body: { user_data, user_agreements: ['terms'] } });
  let published = 0;
  const publishAll = async () => {
    const changes = (await world.changes(() => true)).slice(published);
    const waiting = await world.publish(changes);
    published += changes.length - waiting.length;
  };
  try {
    for (const id of ['club', 'shop']) await register(world, id);
    const endpoint = { applicationId: 'club', isEnveloped: false, createdAt: startedAt };
    const operationTypes = ['data_update'] as const;
    await world.endpoints.save({ ...endpoint, ...oldEndpoint, id: 'main', operationTypes });
    const gone = { ...endpoint, id: 'gone', destination: 'https://club.example.com/gone', operationTypes };
    await world.endpoints.save(gone);
    await world.endpoints.remove({ ...gone, at: startedAt });

    await put('anna', { email: 'a@example.com', seats: [1e300, { row: 'é' }] }, 'web-shop');
    for (const sub of ['berta', 'clara', 'dora']) await put(sub, { email: `${sub}@example.com` });
    await put('anna', { email: null, name: 'Anna' });
    await wallets.link('clara', oldWallets.linked);
    await wallets.link('clara', oldWallets.unlinked);
    await wallets.unlink('clara', oldWallets.unlinked.address);
    await wallets.link('dora', oldWallets.ofRemoved);
    const { id: challenge } = await wallets.challenge('clara', oldWallets.challenged.address);
    await publishAll();
    const berta = await subsAt(world, 'club', ['berta']);
    await wallets.remove('berta');
    await publishAll();
    await topic.publish(
      Array.from({ length: 24 }, (_, index) => ({
        applicationId: 'club',
        message: {
          operationType: 'data_update',
          applicationUserSub: `fan-${index}`,
          dateTime: `${new Date(startedAt).toISOString().slice(0, -1)}000`,
        },
      })),
    );
    await world.recordPublished();
    const window = { applicationId: 'club', from: startedAt - 1_000, to: startedAt + 1 };
    const { items } = await world.records.list({ ...window, limit: 100 });
    const [failed = '', redriven = '', delivered = ''] = items.map(({ id }) => id);
    await world.recordDelivered({ [delivered]: true });
    wallets.time.now += 5;
    await world.recordDelivered({ [failed]: false, [redriven]: false });
    const { destination } = oldEndpoint;
    await world.records.markRedriven({ messageId: redriven, destination, at: wallets.time.now });

    await world.startReplay(window, 'half');
    await world.startReplay({ ...window, status: 'failed' }, 'waiting');
    const toldBefore = told.length;
    const wait = async () => {
      throw new Error('killed');
    };
    const replays = { ...world.replays, release: async () => {} };
    await world
      .runReplay({ applicationId: 'club', id: 'half', holder: 'old' }, { wait, replays })
      .catch(() => {});
    const replayed = told.slice(toldBefore).map(({ message }) => userOf(message));
    await world.recordPublished();

    await put('emil', { email: 'e@example.com' });
    const out = { isPublished: false, reason: 'InternalError', isUnavailable: true } as const;
    await world.publish((await world.changes(() => true)).slice(published), {
      publish: async (notifications) => notifications.map(() => out),
    });
    const dora = await subsAt(world, 'club', ['dora']);
    await wallets.remove('dora', false);

    const users = [
      ...berta,
      ...dora,
      ...(await subsAt(world, 'club', ['anna', 'clara', 'emil'])),
      ...(await subsAt(world, 'shop', ['anna'])),
    ];
    const read = await Promise.all(
      users.map(async (user) => ({ ...user, answer: await readAs(world, user) })),
    );
    const listed = await world.records.list({ ...window, limit: 100 });
    const notifications = listed.items.map(({ id, deliveries }) => [id, statusOf(deliveries)] as const);
    return { startedAt, writes, read, published, notifications, replayed, challenge };
  } finally {
    await database.stop();
  }
};
