import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { lowerCase } from '../../../shared/chain/hex.ts';
import { statusOf } from '../../../shared/notifications/record/record.ts';
import type { ServiceError } from '../../../shared/platform/errors.ts';
import { dynamoDbChallenges } from '../../../shared/wallets/store/challenges.ts';
import { waitMilliseconds } from '../../../shared/wallets/wallet.ts';
import { newWallet } from '../../support/ott/tickets/tickets-over-http.ts';
import { startDatabase, type TestDatabase } from '../../support/platform/dynamodb.ts';
import { moved, play, releaseOf } from '../../support/platform/release-writes.ts';
import {
  as,
  oldEndpoint,
  oldWallets,
  readAs,
  register,
  startUserWorld,
  subsAt,
  type UserRelease,
  type UserWorld,
} from '../../support/users/user-release-writes.ts';
import { userOf } from '../../support/users/users.ts';

const release = releaseOf<UserRelease>(readFileSync(new URL('last-release.json', import.meta.url), 'utf8'));

let database: TestDatabase;
let world: UserWorld;

beforeAll(async () => {
  database = await startDatabase();
  world = await startUserWorld(database);
});
afterAll(() => database.stop());

const isNew = (userSub: string) => userSub.startsWith('new-');
const addressOf = (name: keyof typeof oldWallets) => lowerCase(oldWallets[name].address);
const oldUsers = release.read.filter(({ answer }) => (answer as { status: number }).status === 200);

describe('a stage with users of the release before', () => {
  it('loses nothing of the users while functions of that release still write beside new ones', async () => {
    const { calls, wallets, records, replays, told } = world;
    const move = { from: release.startedAt, to: Date.now(), tables: world.tables };
    // Later than all the messages to replay, but within the hour in which the old challenges count.
    wallets.time.now = move.to + 10;
    const now = wallets.time.now;

    const errors: unknown[] = [];
    const answered = async (call: Promise<{ readonly status: number; readonly body: unknown }>) => {
      const { status, body } = await call;
      if (status >= 500) errors.push(body);
    };
    const readOld = async () => {
      for (const { userSub, applicationId, applicationUserSub } of release.read) {
        await answered(calls.get(as(userSub, 'web-new')));
        await answered(
          calls.read({
            apiKeyId: `key-${applicationId}`,
            body: { application_user_sub: applicationUserSub },
          }),
        );
      }
      await records.list({ applicationId: 'club', from: move.to - 1_000, to: now, limit: 5 });
      await replays.find({ applicationId: 'club', id: 'half' });
      await world.endpoints.list();
    };
    let isPlayed = false;
    let publishedNew = 0;
    const publishNew = async () => {
      const changes = (await world.changes(isNew)).slice(publishedNew);
      expect(await world.publish(changes)).toEqual([]);
      publishedNew += changes.length;
    };
    const callNew = async (): Promise<readonly string[]> => {
      const made: string[] = [];
      do {
        const userSub = `new-${made.length}`;
        made.push(userSub);
        for (const user_data of [{ name: userSub }, { is_club: 'yes' }]) {
          await answered(calls.put({ ...as(userSub, 'web-new'), body: { user_data } }));
        }
        await answered(calls.report(as(userSub, 'web-new')));
        await wallets.link(userSub, newWallet());
        await publishNew();
        await world.recordPublished();
        const from = wallets.time.now;
        wallets.time.now += 1;
        await world.startReplay({ applicationId: 'new', from, to: from + 1 }, userSub);
        expect(await world.runReplay({ applicationId: 'new', id: userSub })).toBe('ended');
        await world.recordPublished();
        wallets.time.now += 1;
      } while (!isPlayed);
      return made;
    };
    const readOldOn = async () => {
      while (!isPlayed) await readOld();
    };
    const playOld = async () => {
      try {
        for (const write of release.writes) await play(database.documents, write, move);
      } finally {
        isPlayed = true;
      }
    };

    await register(world, 'new');
    const [made] = await Promise.all([callNew(), readOldOn(), playOld()]);
    await readOld();

    // Applications, users, and the identifiers of users at applications.
    expect((await calls.applications.list()).map(({ id }) => id)).toEqual(['club', 'new', 'shop']);
    expect(await calls.applications.changes()).toBe(3);
    for (const { answer, ...user } of release.read) {
      expect(await readAs(world, user)).toEqual(moved(answer, move));
    }
    for (const applicationId of ['club', 'shop']) {
      const ofApplication = oldUsers.filter((user) => user.applicationId === applicationId);
      const known = await subsAt(
        world,
        applicationId,
        ofApplication.map(({ userSub }) => userSub),
      );
      expect(known).toEqual(ofApplication.map(({ answer: _, ...user }) => user));
    }

    // Publishes the change that could not be published, and the removal that had only begun.
    told.length = 0;
    const changes = (await world.changes((userSub) => !isNew(userSub))).slice(release.published);
    expect(await world.publish(changes)).toEqual([]);
    const subOf = (name: string) => release.read.find(({ userSub }) => userSub === name)?.applicationUserSub;
    expect(told.map(({ applicationId, message }) => [applicationId, userOf(message)])).toEqual([
      ['club', subOf('emil')],
      ['club', subOf('dora')],
    ]);
    expect(await wallets.linked('dora')).toHaveLength(1);
    expect(await wallets.remove('dora')).toBe(false);
    expect(await wallets.linked('dora')).toEqual([]);
    const { freedAt } = (await wallets.wallets.ownershipOf(addressOf('ofRemoved'))) ?? {};
    expect(freedAt).toBe(wallets.time.now);
    for (const name of ['berta', 'dora']) {
      await answered(calls.put({ ...as(name, 'web-club'), body: { user_data: { name } } }));
      const [again] = await subsAt(world, 'club', [name]);
      expect(again?.applicationUserSub).toMatch(/^[0-9a-f]{32}$/);
      expect(again?.applicationUserSub).not.toBe(subOf(name));
    }

    // Wallets, and the number of challenges.
    await wallets.link('anna', oldWallets.unlinked);
    expect(await wallets.wallets.ownershipOf(addressOf('unlinked'))).toMatchObject({
      opensFrom: move.to + waitMilliseconds(300),
    });
    const challenges = dynamoDbChallenges({ client: database.documents, tableName: world.tables.Wallets });
    const { message = '' } = (await challenges.find(release.challenge)) ?? {};
    await wallets.prove('clara', {
      address: addressOf('challenged'),
      challengeId: release.challenge,
      signature: await oldWallets.challenged.signMessage({ message }),
    });
    expect(await wallets.linked('clara')).toEqual([addressOf('linked'), addressOf('challenged')]);
    const asked = await Promise.all(
      Array.from({ length: 8 }, () =>
        wallets.challenge('clara', addressOf('linked')).catch(({ code }: ServiceError) => code),
      ),
    );
    expect(asked.filter((each) => each === 'TOO_MANY_CHALLENGES')).toHaveLength(1);

    // The record of notifications, the endpoints and the replays.
    const window = { applicationId: 'club', from: move.to - 1_000, to: move.to + 1, limit: 100 };
    const { items } = await records.list(window);
    expect(items.map(({ id, deliveries }) => [id, statusOf(deliveries)])).toEqual(release.notifications);
    const [failed = '', redriven = ''] = items.map(({ id }) => id);
    expect(await records.find(failed)).toEqual(items[0]);
    const found = await world.endpoints.ofApplication('club');
    expect(found.find(({ id }) => id === 'gone')?.removedAt).toBe(move.to);
    expect(found.find(({ id }) => id === 'main')).toMatchObject({
      ...oldEndpoint,
      failingSince: move.to + 5,
      lastFailure: { at: move.to + 5 },
    });
    const { destination } = oldEndpoint;
    const failures = { destination, publishedFrom: 0, since: move.to, atMost: 100 };
    expect(await records.countFailures(failures)).toEqual({ since: 2, notRedriven: 1 });
    const half = { applicationId: 'club', id: 'half' };
    expect((await replays.opened('club')).map(({ id }) => id).sort()).toEqual(['half', 'waiting']);
    expect(await world.runReplay(half)).toBe('waiting');
    wallets.time.now += 121_000;
    told.length = 0;
    expect(await world.runReplay(half)).toBe('ended');
    const subjects = new Set(items.map((each) => userOf(each.message)));
    expect(new Set([...release.replayed, ...told.map((each) => userOf(each.message))])).toEqual(subjects);
    expect(release.replayed.length).toBeLessThan(subjects.size);
    expect(await replays.find(half)).toMatchObject({ looked: items.length, endedAt: wallets.time.now });
    told.length = 0;
    expect(await world.runReplay({ ...half, id: 'waiting' })).toBe('ended');
    expect(told).toMatchObject(
      [failed, redriven].map((replayOf) => ({ applicationId: 'club', endpointId: 'main', replayOf })),
    );
    expect(await records.countFailures(failures)).toEqual({ since: 2, notRedriven: 0 });
    expect(await replays.opened('club')).toEqual([]);

    // What the new functions wrote in the meantime.
    for (const user of await subsAt(world, 'new', made)) {
      expect(await readAs(world, user)).toMatchObject({
        status: 200,
        body: { user_data: { name: user.userSub, is_club: 'yes' } },
      });
      expect(await wallets.linked(user.userSub)).toHaveLength(1);
    }
    const ofNew = { applicationId: 'new', from: now, to: wallets.time.now, limit: 100 * made.length };
    // One message for the two changes, which are in one batch, and one that repeats it.
    expect((await records.list(ofNew)).items).toHaveLength(2 * made.length);
    expect(errors).toEqual([]);
  });
});
