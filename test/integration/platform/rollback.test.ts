import { DescribeTableCommand } from '@aws-sdk/client-dynamodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { askAsBefore, reserveAsBefore } from '../../support/nft/release-writes.ts';
import { startWorld } from '../../support/nft/world.ts';
import { keepOttRelease } from '../../support/ott/release-writes.ts';
import { createTables, startDatabase, type TestDatabase } from '../../support/platform/dynamodb.ts';
import { type ReleaseReaders, readersOf } from '../../support/platform/release-readers.ts';
import { play, type Release, releaseOf, releaseText } from '../../support/platform/release-writes.ts';
import { keepUserRelease } from '../../support/users/user-release-writes.ts';

let database: TestDatabase;
let before: ReleaseReaders;
let now: ReleaseReaders;

beforeAll(async () => {
  database = await startDatabase();
  const kept = new URL('last-release-readers.mjs', import.meta.url).href;
  const release: { readonly readersOf: typeof readersOf } = await import(/* @vite-ignore */ kept);
  before = release.readersOf(database.endpoint);
  now = readersOf(database.endpoint);
});
afterAll(() => database.stop());

/** Makes the writes of a release in tables of this test. Returns the names of the tables. */
const written = async (
  release: Release,
  ids: readonly string[],
): Promise<Readonly<Record<string, string>>> => {
  // The release goes through its text form, in which it is stored in the repository.
  const { startedAt, writes } = releaseOf(releaseText(release));
  const tables = await createTables(database, ids, ids[0]);
  const move = { from: startedAt, to: Date.now(), tables };
  for (const write of writes) await play(database.documents, write, move);
  return tables;
};

const streamOf = async (tableName = ''): Promise<readonly Record<string, unknown>[]> => {
  const { Table } = await database.client.send(new DescribeTableCommand({ TableName: tableName }));
  const records = await database.engine.readStream({ streamArn: Table?.LatestStreamArn ?? '', limit: 1_000 });
  return records.map((record) => ({ ...record }));
};

/** Whether the template's filter passes a record of the log on to the publisher. */
const isDecided = ({ dynamodb }: Record<string, unknown>): boolean => {
  const { OldImage, NewImage } = dynamodb as Record<string, { status?: { S: string } } | undefined>;
  return OldImage?.status?.S === 'pending' && /^(confirmed|failed)$/.test(NewImage?.status?.S ?? '');
};

/** The previous release does not know new fields, so it may leave them out. But it must not read other values. */
const expectSame = async (read: (readers: ReleaseReaders) => Promise<unknown>): Promise<void> => {
  const [old, current] = [await read(before), await read(now)];
  expect(current).toMatchObject(old as Record<string, unknown>);
};

describe('the release before, running again after a rollback', () => {
  it('reads the contracts, tokens, their histories and transactions that this release has written', async () => {
    const world = await startWorld({ database, passMilliseconds: 1_000 });
    try {
      await askAsBefore(world);
      await reserveAsBefore(world);
      await world.untilFinal();
      const { id } = world.application;
      const log = (await streamOf(world.tables.Transactions)).filter(isDecided);

      expect(log.length).toBeGreaterThan(0);
      await expectSame((readers) => readers.nft(world.tables, id));
      await expectSame((readers) => readers.streams(world.tables, { users: [], log }));
    } finally {
      await world.stop();
    }
  });

  it('reads the events, sessions and void tickets that this release has written', async () => {
    const tables = await written(await keepOttRelease(), [
      'Events',
      'Sessions',
      'Grants',
      'TokenHistory',
      'Users',
      'Wallets',
    ]);

    await expectSame((readers) => readers.ott(tables));
  });

  it('reads the users, wallets, endpoints and notifications that this release has written', async () => {
    const ids = ['Users', 'Wallets', 'ApplicationUserSubs', 'Applications', 'Notifications', 'Endpoints'];
    const tables = await written(await keepUserRelease(), [...ids, 'Grants', 'Events']);
    const users = await streamOf(tables.Users);

    expect(users.length).toBeGreaterThan(0);
    await expectSame((readers) => readers.users(tables, 'club'));
    await expectSame((readers) => readers.streams(tables, { users, log: [] }));
  });
});
