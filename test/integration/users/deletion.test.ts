import { DescribeTableCommand } from '@aws-sdk/client-dynamodb';
import type { StreamRecord } from 'template-runtime/engines/dynamodb/types.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Notification } from '../../../shared/notifications/messages/message.ts';
import { publishChanges } from '../../../shared/notifications/publish/publish-changes.ts';
import { changeInRecord } from '../../../shared/notifications/store/stream-records.ts';
import { systemClock } from '../../../shared/platform/time/clock.ts';
import { removeUser } from '../../../shared/users/remove-user.ts';
import { Broken, type Fault, withFault } from '../../support/nft/faults.ts';
import { startUserCalls, type UserCalls } from '../../support/users/user-calls.ts';
import { anApplication, userOf } from '../../support/users/users.ts';

let calls: UserCalls;
let streamArn: string;

beforeAll(async () => {
  calls = await startUserCalls();
  for (const id of ['club', 'shop', 'news']) {
    const audience = id === 'news' ? 'linked' : 'all';
    const { version: _, ...application } = anApplication({ id, apiKeyIds: [`key-${id}`], audience });
    await calls.applications.create(application);
  }
  const { Table } = await calls.database.client.send(
    new DescribeTableCommand({ TableName: calls.tables.Users }),
  );
  streamArn = Table?.LatestStreamArn ?? '';
});
afterAll(() => calls.stop());

/** The ports of both processes, at each of which a fault can break them off. */
const ports = (told: Notification[]) => ({
  users: calls.users,
  applications: calls.applications,
  subs: calls.subs,
  endpoints: { ofApplication: async () => [] },
  topic: {
    publish: async (notifications: readonly Notification[]) => {
      told.push(...notifications);
      return notifications.map(() => ({ isPublished: true, messageId: 'm' }) as const);
    },
  },
});
type Ports = ReturnType<typeof ports>;

let position: string | undefined;
const newRecords = async (): Promise<readonly StreamRecord[]> =>
  calls.database.engine.readStream({
    streamArn,
    limit: 1_000,
    ...(position !== undefined && { after: position }),
  });

/** Runs the publisher, which gets the same records again until it has handled them. */
const publish = async (given: Ports): Promise<void> => {
  const records = await newRecords();
  if (records.length === 0) return;
  const waiting = await publishChanges(
    {
      ...given,
      failedChanges: {
        keep: async () => {
          throw new Error('nothing is put aside here');
        },
      },
      changeIn: changeInRecord(given),
      isOutage: (error) => error instanceof Broken,
      pause: async () => {},
      logger: { error: () => {}, warn: () => {} },
    },
    { records },
  );
  if (waiting.length > 0) throw new Broken('comes again');
  position = records.at(-1)?.dynamodb.SequenceNumber;
};

/** Runs the operator's `users remove` and then the publisher, both with these ports. */
const remove = async (given: Ports, userSub: string): Promise<void> => {
  await removeUser({ users: given.users, clock: systemClock }, { userSub });
  await publish(given);
};

const subOf = async (userSub: string, applicationId: string): Promise<string> => {
  const { body } = await calls.exchange({
    apiKeyId: `key-${applicationId}`,
    body: { user_subs: [userSub] },
  });
  const [found] = (body as { user_subs: { application_user_sub: string }[] }).user_subs;
  return found?.application_user_sub ?? '';
};

let users = 0;
/** Registers a user, who becomes known to two of the three applications. */
const aRegistered = async () => {
  const userSub = `user-${++users}`;
  const { status } = await calls.put({
    headers: { Authorization: `Bearer ${userSub}` },
    body: { user_data: { email: 'a@example.com' } },
  });
  expect(status).toBe(200);
  await publish(ports([]));
  return { userSub, club: await subOf(userSub, 'club'), shop: await subOf(userSub, 'shop') };
};

const points = (
  [
    'users.trace',
    'users.bury',
    'applications.list',
    'subs.endAll',
    'subs.ofRegistration',
    'topic.publish',
  ] as const
).flatMap((at) => (['before', 'after'] as const).map((when): Fault => ({ at, when, mode: 'crash' })));

describe('the deletion of a user', () => {
  it.each(points)(
    'that dies $when $at and is repeated notifies each application of the user, which then reads 404',
    async (fault) => {
      const { userSub, club, shop } = await aRegistered();
      const told: Notification[] = [];
      const broken = withFault(ports(told), fault);

      await expect(remove(broken.ports, userSub)).rejects.toBeInstanceOf(Broken);
      expect(broken.hasHappened()).toBe(true);
      // The next run completes the deletion. Lambda retries by itself; an operator repeats the command.
      await remove(ports(told), userSub);

      const heard = told.map(({ applicationId, message }) => [
        applicationId,
        message.operationType,
        userOf(message),
      ]);
      expect(new Set(heard.map((each) => each.join(' ')))).toEqual(
        new Set([`club data_update ${club}`, `shop data_update ${shop}`]),
      );
      for (const [applicationId, application_user_sub] of [
        ['club', club],
        ['shop', shop],
      ] as const) {
        expect(
          await calls.read({ apiKeyId: `key-${applicationId}`, body: { application_user_sub } }),
        ).toMatchObject({ status: 404, body: { status: 404, error_fields: 'USER_NOT_FOUND' } });
      }
      expect(await removeUser({ users: calls.users, clock: systemClock }, { userSub })).toBe(false);
    },
  );
});
