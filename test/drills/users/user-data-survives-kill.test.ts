import { spawn } from 'node:child_process';
import { DynamoDBClient, ScanCommand } from '@aws-sdk/client-dynamodb';
import { waitFor, waitUntil } from 'template-runtime/testing/wait.ts';
import { afterAll, beforeAll, describe, expect, it, type TestContext } from 'vitest';
import { notificationsOf, type Reaction } from '../../support/notifications/customer-endpoint.ts';
import { type ApiAnswer, callApi } from '../../support/platform/api-client.ts';
import { type System, startSystem } from '../../support/platform/system.ts';
import { userDataOf } from '../../support/users/user-data-system.ts';

/** A larger `USER_DATA_USERS` makes the test longer. */
const userCount = Number(process.env.USER_DATA_USERS ?? 24);
const changesEach = 3;

let system: System;
let data: ReturnType<typeof userDataOf>;

beforeAll(async () => {
  system = await startSystem({ arguments: ['--empty'] });
  data = userDataOf(system);
});
afterAll(() => system.dispose());

interface Listed {
  readonly id: string;
  readonly application_user_sub: string;
  readonly date_time: string;
  readonly deliveries: readonly { readonly endpoint: string; readonly status: string }[];
}

/** All pages of an application's list of notifications. */
const listOf = async (key: string): Promise<Listed[]> => {
  const found: Listed[] = [];
  let url: string | undefined =
    `${system.outputs.api_url_b2b}/notifications?limit=100&operation_type=data_update`;
  while (url !== undefined) {
    const page: ApiAnswer<Listed[]> = await callApi(url, { key });
    expect(page.status).toBe(200);
    found.push(...page.json);
    url = /<([^>]+)>; rel="next"/.exec(page.headers.get('link') ?? '')?.[1];
  }
  return found;
};

const setFaults = async (faults: unknown): Promise<void> => {
  const url = `${system.outputs.aws_endpoint_url}/_faults`;
  expect((await callApi(url, { method: 'PUT', body: faults })).status).toBe(200);
};

/** When each user whose name begins like this was last changed. */
const changeTimesOf = async (prefix: string): Promise<string[]> => {
  const client = new DynamoDBClient(system.aws);
  const { Items = [] } = await client.send(
    new ScanCommand({
      TableName: await system.stackOutput('UsersTable'),
      FilterExpression: 'begins_with(user_sub, :prefix)',
      ExpressionAttributeValues: { ':prefix': { S: prefix } },
    }),
  );
  client.destroy();
  return Items.map(({ changed_at }) => changed_at?.S ?? '');
};

/**
 * Kills a redrive of dead letters after its first delivery. For a minute, the messages that it had received stay
 * invisible to others. The returned function redrives the rest and waits until all are delivered.
 */
const killRedrive = async (context: TestContext): Promise<() => Promise<void>> => {
  let status = 500;
  const { id, clientId } = await data.ownApplication('kept');
  const ours = await data.endpoint(context, ({ body }) =>
    body.Type === 'SubscriptionConfirmation' ? 200 : status,
  );
  await data.subscribe(ours.url, id);
  await data.confirm(ours);
  const users = Array.from({ length: 20 }, (_, index) => `dead-${index}`);
  await Promise.all(users.map((sub) => data.put(sub, { n: 1 }, clientId)));
  await waitFor(async () => expect(await data.countLetters()).toBe(users.length), { interval: 200 });
  const listed = (await data.operator('dead-letters', 'list')) as Record<string, string>[];
  expect(listed.map(({ application: applicationId }) => applicationId)).toEqual(users.map(() => id));

  status = 200;
  const before = notificationsOf(ours).length;
  const redrive = spawn(process.execPath, data.operatorArguments('dead-letters', 'redrive'), {
    stdio: 'ignore',
  });
  await waitFor(() => expect(notificationsOf(ours).length).toBeGreaterThan(before), { interval: 1 });
  redrive.kill('SIGKILL');

  return async () => {
    await waitUntil(data.hasLetters, { interval: 100 });
    await waitFor(
      async () => {
        await data.operator('dead-letters', 'redrive');
        expect(await data.countLetters()).toBe(0);
      },
      { interval: 1_000 },
    );
    await waitFor(() => {
      const delivered = notificationsOf(ours).slice(before);
      expect(new Set(delivered.map(({ body }) => body.application_user_sub))).toEqual(
        new Set(listed.map(({ subject }) => subject)),
      );
    });
  };
};

describe(`${userCount * changesEach} changes for three applications, with a flaky and a dead endpoint, two kills, and an outage of the record`, () => {
  it('are each delivered or dead-lettered, and listed correctly, and a read after a notification returns no older data', async (context) => {
    /** For each kill, the time until the system ran again. Deliveries from just before a kill may be repeated. */
    const kills: { readonly from: number; readonly until: number }[] = [];
    const finishRedrive = await killRedrive(context);
    const third = (await data.operator('applications', 'create', 'third')) as { api_key: string };
    const keys = [data.application(0).api_key, data.application(1).api_key, third.api_key] as const;
    const letters = await data.letterQueue('letters-of-the-test');
    const accepted = new Set<string>();
    const readings: Promise<{ sub: string; dateTime: string; n: number } | undefined>[] = [];
    const attempts = new Map<string, { status: Reaction; at: number }[]>();

    /** The message's id decides the reaction. Some failures happen at every attempt, others only at the first. */
    const reactionTo = (messageId: string, attempt: number): Reaction => {
      const bucket = Number.parseInt(messageId.slice(0, 4), 16) % 100;
      if (bucket < 5) return 500;
      if (bucket < 8) return 404;
      if (attempt > 1) return 200;
      if (bucket < 13) return 500;
      if (bucket < 16) return 429;
      if (bucket < 17) return 'hang';
      return bucket < 20 ? 'close' : 200;
    };

    /** After the first kill, a call may fail because the system is not running. */
    const readIfRunning = async (...asked: Parameters<typeof data.read>) => {
      try {
        return await data.read(...asked);
      } catch (error) {
        if (kills.length === 0) throw error;
        return undefined;
      }
    };

    /** The data that a customer reads after a notification. The endpoint answers without waiting for it. */
    const read = async (index: 0 | 1 | 2, sub: string | undefined, dateTime: string | undefined) => {
      const answer = await readIfRunning(sub, keys[index]);
      if (answer?.status !== 200 || sub === undefined || dateTime === undefined) return undefined;
      const { n } = answer.body.user_data as { n: number };
      return { sub, dateTime, n };
    };

    const customer = (index: 0 | 1 | 2, react: typeof reactionTo) =>
      data.endpoint(context, async (post) => {
        if (post.body.Type === 'SubscriptionConfirmation') return 200;
        const { application_user_sub: sub, date_time: dateTime } = post.body as Record<string, string>;
        const earlier = attempts.get(post.messageId) ?? [];
        const status = react(post.messageId, earlier.length + 1);
        attempts.set(post.messageId, [...earlier, { status, at: post.at }]);
        readings.push(read(index, sub, dateTime));
        if (status === 200) accepted.add(`${sub} ${dateTime}`);
        return status;
      });
    const faulty = await customer(0, reactionTo);
    const healthy = await customer(1, () => 200);
    const broken = await customer(2, () => 404);
    const RedrivePolicy = JSON.stringify({ deadLetterTargetArn: letters.arn });
    await data.subscribe(faulty.url, data.application(0).id, { RedrivePolicy });
    await data.subscribe(healthy.url, data.application(1).id, { RedrivePolicy });
    await data.subscribe(broken.url, 'third', { RedrivePolicy });
    await Promise.all([faulty, healthy, broken].map(data.confirm));
    const startedAt = new Date().toISOString().slice(0, -1);
    const outage = { database: { tablesOutOfReach: [await system.stackOutput('NotificationsTable')] } };
    await setFaults(outage);
    expect((await data.b2b(keys[1], '/notifications')).status).toBeGreaterThanOrEqual(500);

    const tokens = new Map<string, string>();
    const users = Array.from({ length: userCount }, (_, index) => `user-${index}`);
    for (const sub of users) tokens.set(sub, await system.token({ sub, client_id: 'test' }));
    let done = 0;
    const change = async (sub: string, n: number): Promise<void> => {
      const response = await fetch(`${system.outputs.api_url_profile}/user/data`, {
        method: 'PUT',
        headers: { authorization: `Bearer ${tokens.get(sub)}`, 'content-type': 'application/json' },
        body: JSON.stringify({ user_data: { n } }),
        signal: AbortSignal.timeout(30_000),
      });
      await response.body?.cancel();
      if (response.status !== 200) throw new Error(`PUT answered ${response.status}`);
      done += 1;
    };
    /** Repeats a change until it is answered. If it had already been stored, repeating it changes nothing. */
    const changeUntilAnswered = (sub: string, n: number) =>
      waitFor(() => change(sub, n), { timeout: 240_000, interval: 500 });
    const queue = users.values();
    const work = async () => {
      for (const sub of queue) for (let n = 1; n <= changesEach; n++) await changeUntilAnswered(sub, n);
    };
    const working = Promise.all(Array.from({ length: 6 }, work));

    for (const part of [1 / 3, 2 / 3]) {
      // Customers are notified even while the notification record's table is out of reach.
      await waitUntil(
        () => done > userCount * changesEach * part && notificationsOf(healthy).length > userCount * part,
        { timeout: 240_000, interval: 50 },
      );
      const from = Date.now();
      kills.push({ from, until: Number.POSITIVE_INFINITY });
      await system.kill();
      // Deliveries that were sent just before the kill may be received only during the restart.
      await system.start();
      kills.splice(-1, 1, { from, until: Date.now() });
      if (part < 1 / 2) await setFaults(outage);
    }
    await working;

    const timesOf = () => {
      const times = new Map<string, Set<string>>();
      for (const one of [faulty, healthy, broken]) {
        for (const { body } of notificationsOf(one)) {
          const sub = String(body.application_user_sub);
          times.set(sub, (times.get(sub) ?? new Set()).add(String(body.date_time)));
        }
      }
      return times;
    };
    const stored = await changeTimesOf('user-');
    expect(stored).toHaveLength(userCount);
    await waitFor(
      () => {
        // Changes that are published in one batch are announced by one message, with the time of the last.
        const last = [...timesOf().values()].map((times) => [...times].sort().at(-1));
        expect(last.sort()).toEqual([...stored, ...stored, ...stored].sort());
      },
      { timeout: 240_000, interval: 500 },
    );
    const dead = new Set<string>();
    await waitFor(
      async () => {
        for (const { application_user_sub, date_time } of await data.takeLetters(letters.url)) {
          dead.add(`${application_user_sub} ${date_time}`);
        }
        const lost = [...timesOf()].flatMap(([sub, times]) =>
          [...times].map((time) => `${sub} ${time}`).filter((key) => !accepted.has(key) && !dead.has(key)),
        );
        expect(lost).toEqual([]);
      },
      { interval: 500 },
    );

    const known = (await Promise.all(readings)).filter((reading) => reading !== undefined);
    const order = new Map([...timesOf()].map(([sub, times]) => [sub, [...times].sort()]));
    const tooOld = known.filter(({ sub, dateTime, n }) => n < (order.get(sub)?.indexOf(dateTime) ?? 0) + 1);
    expect(tooOld).toEqual([]);
    expect(known.length).toBeGreaterThan(userCount);
    const retriedRefusals = [...attempts.values()].filter(
      (tries) =>
        tries[0]?.status === 404 &&
        tries
          .slice(1)
          .some(
            ({ at }, index) =>
              !kills.some(({ from, until }) => (tries[index]?.at ?? 0) <= until && at > from),
          ),
    );
    expect(retriedRefusals).toEqual([]);
    expect(dead.size).toBeGreaterThan(userCount);

    for (const [index, one] of [faulty, healthy, broken].entries()) {
      // Computed at each attempt, because a message that is published again after a kill may arrive last.
      const asSeen = () =>
        notificationsOf(one).map(({ messageId }) => {
          const isTaken = attempts.get(messageId)?.some(({ status }) => status === 200);
          return [messageId, [{ endpoint: one.url, status: isTaken ? 'delivered' : 'failed' }]] as const;
        });
      await waitFor(
        async () => {
          const listed = (await listOf(keys[index] ?? '')).filter(({ date_time }) => date_time > startedAt);
          const outcomes = listed.map(({ id, deliveries }) => [
            id,
            deliveries.map(({ endpoint: url, status }) => ({ endpoint: url, status })),
          ]);
          expect(Object.fromEntries(outcomes)).toEqual(Object.fromEntries(asSeen()));
        },
        { interval: 1_000 },
      );
    }
    await finishRedrive();
  }, 600_000);
});
