import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { logger } from '../../../shared/platform/logger.ts';
import { startDatabase, type TestDatabase } from '../../support/platform/dynamodb.ts';
import {
  as,
  readAs,
  register,
  startUserWorld,
  subsAt,
  type UserWorld,
} from '../../support/users/user-release-writes.ts';

describe('what a later release has stored about users and who may read them', () => {
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

  it('stops nobody by the audience of one application, in which no user is', async () => {
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
});
