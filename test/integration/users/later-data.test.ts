import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { logger } from '../../../shared/platform/logger.ts';
import { holderOf } from '../../../shared/wallets/wallet.ts';
import { startDatabase, type TestDatabase } from '../../support/platform/dynamodb.ts';
import {
  as,
  oldWallets,
  readAs,
  register,
  startUserWorld,
  subsAt,
  type UserWorld,
} from '../../support/users/user-release-writes.ts';

describe('data of a later release about users and applications', () => {
  let database: TestDatabase;
  let world: UserWorld;
  beforeAll(async () => {
    database = await startDatabase();
    world = await startUserWorld(database);
    for (const id of ['club', 'shop']) await register(world, id);
  });
  afterAll(() => database.stop());
  afterEach(() => {
    vi.restoreAllMocks();
  });

  const put = (userSub: string, user_data: object, client = 'web-club') =>
    world.calls.put({ ...as(userSub, client), body: { user_data } });

  it('does not stop the notifications of other applications if one has an unknown audience', async () => {
    const told = vi.spyOn(logger, 'warn').mockReturnValue();
    const { Applications } = world.tables;
    const setAudience = (audience: string) =>
      database.documents.update({
        TableName: Applications,
        Key: { pk: 'APPLICATION#club' },
        UpdateExpression: 'SET audience = :audience',
        ExpressionAttributeValues: { ':audience': audience },
      });
    const notified = async () => {
      const from = world.told.length;
      const changes = await world.changes((sub) => sub === 'anna');
      expect(await world.publish(changes.slice(-1))).toEqual([]);
      return world.told.slice(from).map(({ applicationId }) => applicationId);
    };
    await put('anna', { email: 'a@example.com' }, 'web-club');
    await put('anna', { email: 'b@example.com' }, 'web-shop');
    expect((await notified()).toSorted()).toEqual(['club', 'shop']);
    const [club, shop] = [await subsAt(world, 'club', ['anna']), await subsAt(world, 'shop', ['anna'])];
    const [known] = club;
    if (known === undefined) throw new Error('Not exchanged');

    await setAudience('members');
    await put('anna', { email: 'c@example.com' });

    expect(await notified()).toEqual(['shop']);
    expect(await readAs(world, known)).toMatchObject({ status: 404 });
    expect(await subsAt(world, 'club', ['anna'])).toEqual([{ ...known, applicationUserSub: '' }]);
    expect(await subsAt(world, 'shop', ['anna'])).toEqual(shop);
    const batch = await world.calls.readBatch({
      apiKeyId: 'key-club',
      body: { application_user_subs: [known.applicationUserSub] },
    });
    expect(batch.body).toMatchObject([{ error_fields: 'USER_NOT_FOUND' }]);
    expect(told.mock.calls.map(([, fields]) => fields)).toEqual([
      { code: 'LATER_DATA', kind: 'application', id: 'club', unknown: ['audience'] },
    ]);

    await world.calls.remove('anna');
    expect(await notified()).toEqual(['shop']);
    await setAudience('all');
    expect((await notified()).toSorted()).toEqual(['club', 'shop']);
  });

  const itemsOf = async (table: string) => (await database.documents.scan({ TableName: table })).Items ?? [];
  const later = { laterAttribute: 'personal', laterNumber: 7 };
  const store = (TableName: string, item: Record<string, unknown>) =>
    database.documents.put({ TableName, Item: { ...item, ...later } });

  it('about a user is kept at each change, logged once, and deleted with the user’s registration', async () => {
    const told = vi.spyOn(logger, 'warn').mockReturnValue();
    const { Users } = world.tables;
    const stored = async () => (await itemsOf(Users)).find(({ user_sub }) => user_sub === 'berta') ?? {};
    await put('berta', { email: 'b@example.com' });
    await store(Users, await stored());

    expect((await put('berta', { name: 'Berta' })).status).toBe(200);
    expect((await put('berta', { email: null })).status).toBe(200);

    expect(await stored()).toMatchObject({
      ...later,
      version: 3,
      user_data: JSON.stringify({ name: 'Berta' }),
      changes_in_hour: 3,
    });
    expect((await world.calls.get(as('berta', 'web-club'))).body).toMatchObject({
      user_data: { name: 'Berta' },
    });
    const changes = await world.changes((sub) => sub === 'berta');
    expect(await world.publish(changes)).toEqual([]);
    expect(told.mock.calls.map(([, fields]) => fields)).toEqual([
      { code: 'LATER_DATA', kind: 'user', unknown: Object.keys(later) },
    ]);

    await world.calls.remove('berta');
    expect(Object.keys(await stored()).toSorted()).toEqual([
      'changed_at',
      'changes_in_hour',
      'expires_at',
      'hour_began_at',
      'is_removed',
      'registration_id',
      'user_sub',
      'version',
    ]);
    await store(Users, await stored());
    await put('berta', { email: 'again@example.com' });
    expect(await stored()).not.toHaveProperty('laterAttribute');
    expect(await stored()).not.toHaveProperty('expires_at');
  });

  it('about a wallet is kept while the wallet is linked, and deleted with the link', async () => {
    const told = vi.spyOn(logger, 'warn').mockReturnValue();
    const { wallets } = world;
    const { Wallets } = wallets.tables;
    const [first, second] = [oldWallets.linked, oldWallets.unlinked];
    const addressOf = ({ address }: { readonly address: string }) => address.toLowerCase();
    const byKey = async (prefix: string) =>
      (await itemsOf(Wallets)).filter(({ pk }) => String(pk).startsWith(prefix));
    const linkedOf = async (): Promise<readonly Record<string, unknown>[]> =>
      (await byKey('USER#'))[0]?.wallets ?? [];
    await put('clara', { email: 'c@example.com' });
    await wallets.register('clara');
    await wallets.link('clara', first);
    for (const item of [...(await byKey('USER#')), ...(await byKey('ADDRESS#'))]) {
      const linked: readonly object[] | undefined = item.wallets;
      await store(Wallets, {
        ...item,
        ...(linked && { wallets: linked.map((each) => ({ ...each, laterLabel: 'mine' })) }),
      });
    }

    await wallets.link('clara', first);
    await wallets.link('clara', second);

    expect((await byKey('USER#'))[0]).toMatchObject({ ...later, version: 3 });
    expect(await linkedOf()).toMatchObject([
      { address: addressOf(first), laterLabel: 'mine' },
      { address: addressOf(second) },
    ]);
    const owned = await byKey('ADDRESS#');
    expect(owned.map(({ laterAttribute, version }) => [laterAttribute, version]).toSorted()).toEqual([
      [undefined, 1],
      ['personal', 2],
    ]);

    await wallets.unlink('clara', second.address);
    expect(await linkedOf()).toMatchObject([{ address: addressOf(first), laterLabel: 'mine' }]);
    expect(await wallets.linked('clara')).toEqual([addressOf(first)]);
    expect(told.mock.calls.map(([, fields]) => fields)).toEqual([
      {
        code: 'LATER_DATA',
        kind: 'wallets of a user',
        unknown: [...Object.keys(later), 'wallets.laterLabel'],
      },
      { code: 'LATER_DATA', kind: 'owner of a wallet', unknown: Object.keys(later) },
    ]);

    await wallets.unlink('clara', first.address);
    expect(JSON.stringify([...(await byKey('ADDRESS#')), await linkedOf()])).not.toMatch(/personal|mine/);
    expect((await byKey('ADDRESS#')).every(({ expires_at }) => expires_at > 0)).toBe(true);
    await wallets.link('clara', first);
    expect(JSON.stringify(await byKey('USER#'))).toContain('personal');
    const current = (await byKey('ADDRESS#')).filter(({ freed_at }) => freed_at === undefined);
    expect(current).toHaveLength(1);
    expect(current[0]).not.toHaveProperty('expires_at');

    await wallets.remove('clara');
    await wallets.register('clara');
    await wallets.link('clara', second);
    expect(JSON.stringify(await itemsOf(Wallets))).not.toMatch(/personal|mine/);
  });

  it('about wallets does not pass to a new user who registers while the former user is being removed', async () => {
    vi.spyOn(logger, 'warn').mockReturnValue();
    const { wallets } = world;
    const { Wallets } = wallets.tables;
    await wallets.register('dora');
    await wallets.link('dora', oldWallets.ofRemoved);
    for (const item of await itemsOf(Wallets)) await store(Wallets, item);

    await wallets.remove('dora', false).catch(() => {});
    await wallets.register('dora');
    await wallets.link('dora', oldWallets.ofRemoved);

    const holder = holderOf('dora');
    const ofDora = (await itemsOf(Wallets)).filter(
      (item) => item.holder === holder || item.pk === `USER#${holder}`,
    );
    expect(ofDora).toHaveLength(2);
    expect(JSON.stringify(ofDora)).not.toContain('personal');
  });
});
