import { DescribeTableCommand } from '@aws-sdk/client-dynamodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { setDestination } from '../../../shared/nft/reservations/set-destination.ts';
import { standInOf } from '../../../shared/nft/reservations/stand-in.ts';
import type { Event } from '../../../shared/ott/events/event.ts';
import { numberedMetadata } from '../../support/nft/metadata.ts';
import { askAsBefore } from '../../support/nft/release-writes.ts';
import { receiver, startWorld } from '../../support/nft/world.ts';
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

/** Release 0.1.0 returns the id of a contract's, token's or transaction's application as `application`. */
const named = (read: unknown): unknown =>
  JSON.parse(JSON.stringify(read).replaceAll('"application":', '"applicationId":'));

interface Catalogue {
  readonly catalogue: readonly { readonly event: Event }[];
  readonly found: readonly Event[];
}

/** An event with a schedule, or of which something was set by hand. */
const isNewToIt = ({ id }: Event): boolean =>
  ['scheduled', 'scheduled-by-hand', 'whole', 'match'].includes(id);

/** What was read, without the events with fields that the release before does not know. */
const known = (read: unknown): unknown => {
  const { catalogue, found, ...others } = read as Catalogue;
  return {
    ...others,
    catalogue: catalogue.filter(({ event }) => !isNewToIt(event)),
    found: found.filter((event) => !isNewToIt(event)),
  };
};

describe('the release before, running again after a rollback', () => {
  it('reads the contracts, tokens and transactions that this release has written', async () => {
    const world = await startWorld({ database, passMilliseconds: 1_000 });
    try {
      await askAsBefore(world);
      await world.untilFinal();
      const { id } = world.application;
      const log = (await streamOf(world.tables.Transactions)).filter(isDecided);

      expect(log.length).toBeGreaterThan(0);
      await expectSame(async (readers) => named(await readers.nft(world.tables, id)));
      await expectSame((readers) => readers.streams(world.tables, { users: [], log }));
    } finally {
      await world.stop();
    }
  });

  it('reads values that are numbers as decimal strings, and does not know the external URL', async () => {
    const world = await startWorld({ database, anvil: { blockTimeSeconds: 3_600 } });
    try {
      const { address: contract } = await world.deploy();
      await world.mint({ contract, metadata: numberedMetadata() });
      const metadataFor = async (readers: ReleaseReaders) => {
        const read = await readers.nft(world.tables, world.application.id);
        const { tokens } = read as { tokens: { items: { metadata: unknown }[] }[] };
        return tokens[0]?.items[0]?.metadata;
      };

      expect(await metadataFor(now)).toEqual(numberedMetadata());
      const { external_url, ...others } = numberedMetadata();
      expect(await metadataFor(before)).toEqual({
        ...others,
        attributes: [
          { trait_type: 'Gate', value: '4', display_type: null },
          { trait_type: 'Price', value: '24.5', display_type: 'number' },
          { trait_type: 'Seat', value: '7', display_type: null },
        ],
      });
    } finally {
      await world.stop();
    }
  });

  it('ignores reserved tokens, and continues the transactions of claims', async () => {
    const world = await startWorld({ database, passMilliseconds: 1_000 });
    try {
      const { applicationUserSub } = await world.register();
      const { address: contract } = await world.deploy();
      await world.reserve({ contract, users: [applicationUserSub, applicationUserSub] });
      await setDestination(world.submitDependencies(), {
        application: world.application,
        idempotency: { scope: 'claim', key: undefined, body: {} },
        contract,
        tokenId: '1',
        destination: receiver,
      });

      const read = await before.nft(world.tables, world.application.id);

      expect(read).toMatchObject({
        entries: [[{ purpose: { kind: 'deploy' } }, { purpose: { kind: 'later', stored: 'claim' } }]],
        tokens: [
          {
            items: [
              { tokenId: '2', status: 'pending', destination: standInOf(applicationUserSub) },
              { tokenId: '1', status: 'pending', destination: receiver },
            ],
          },
        ],
      });
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

    await expectSame(async (readers) => known(await readers.ott(tables)));

    // An event with a hand or a schedule has the values that were given. Nobody can play it: later-data.test.ts.
    const { found } = (await before.ott(tables)) as Catalogue;
    const later = [{ path: ['schedule'] }];
    expect(found.filter(isNewToIt).sort((one, other) => (one.id < other.id ? -1 : 1))).toMatchObject([
      { id: 'match', status: 'UPCOMING', later: [{ path: ['hand'] }, { path: ['present_status'] }] },
      { id: 'scheduled', status: 'UPCOMING', later: [...later, { path: ['present_status'] }] },
      {
        id: 'scheduled-by-hand',
        status: 'UPCOMING',
        later: [...later, { path: ['hand'] }, { path: ['present_status'] }],
      },
      { id: 'whole', status: 'UPCOMING', later: [{ path: ['hand'] }, { path: ['present_status'] }] },
    ]);
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
