import { ScanCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { dynamoDbApplicationUserSubs } from '../../../shared/users/store/application-user-subs.ts';
import { createTables, startDatabase, type TestDatabase } from '../../support/platform/dynamodb.ts';

let database: TestDatabase;
let tableName: string;

beforeAll(async () => {
  database = await startDatabase();
  tableName = (await createTables(database, ['ApplicationUserSubs'])).ApplicationUserSubs;
});
afterAll(() => database.stop());

const subs = (newSub?: () => string) =>
  dynamoDbApplicationUserSubs({
    client: database.documents,
    tableName,
    ...(newSub !== undefined && { newSub }),
  });

let registrations = 0;
const aRegistration = () => ({
  registrationId: `registration-${++registrations}`,
  userSub: `user-${registrations}`,
});

describe('the application user subs', () => {
  it('are created once, even for concurrent requests', async () => {
    const registration = aRegistration();

    const made = await Promise.all(
      Array.from({ length: 12 }, () => subs().ensure({ ...registration, applicationId: 'club' })),
    );

    expect(new Set(made.map((one) => one?.applicationUserSub)).size).toBe(1);
  });

  it('identify a registration only for the application to which they belong', async () => {
    const registration = aRegistration();
    const { applicationUserSub = '' } =
      (await subs().ensure({ ...registration, applicationId: 'club' })) ?? {};

    expect(await subs().registrationOf({ applicationId: 'club', applicationUserSub })).toEqual(registration);
    expect(await subs().registrationOf({ applicationId: 'shop', applicationUserSub })).toBeUndefined();
    expect(await subs().applicationOf(applicationUserSub)).toBe('club');
  });

  it('identify no registration if another sub of the same user was stored first', async () => {
    const registration = aRegistration();
    const drawn: string[] = [];
    const racing = subs(() => {
      const sub = `${registration.registrationId}-draw-${drawn.length}`;
      drawn.push(sub);
      return sub;
    });

    const [winner] = await Promise.all(
      Array.from({ length: 6 }, () => racing.ensure({ ...registration, applicationId: 'club' })),
    );

    const found = await Promise.all(
      drawn.map((applicationUserSub) => subs().registrationOf({ applicationId: 'club', applicationUserSub })),
    );
    expect(found.filter((registrationFound) => registrationFound !== undefined)).toHaveLength(1);
    expect(found[drawn.indexOf(winner?.applicationUserSub ?? '')]).toEqual(registration);
  });

  it('are drawn again if the drawn value is already in use', async () => {
    const draws = ['taken', 'taken', 'free'];
    const unlucky = subs(() => draws.shift() ?? 'none');
    await unlucky.ensure({ ...aRegistration(), applicationId: 'club' });

    const second = await unlucky.ensure({ ...aRegistration(), applicationId: 'club' });

    expect(second?.applicationUserSub).toBe('free');
  });

  it('differ between applications and reveal nothing about the user', async () => {
    const registration = aRegistration();

    const [club, shop] = await Promise.all(
      ['club', 'shop'].map((applicationId) => subs().ensure({ ...registration, applicationId })),
    );

    expect(club?.applicationUserSub).toMatch(/^[0-9a-f]{32}$/);
    expect(shop?.applicationUserSub).toMatch(/^[0-9a-f]{32}$/);
    expect(club?.applicationUserSub).not.toBe(shop?.applicationUserSub);
    const all = await subs().ofRegistration(registration.registrationId);
    expect([...all.keys()].sort()).toEqual(['club', 'shop']);
  });

  it('of many applications are created in few transactions, and only where there is none', async () => {
    const registration = aRegistration();
    const { registrationId } = registration;
    const applicationIds = Array.from({ length: 120 }, (_, index) => `application-${index}`);
    const known = await subs().ensure({ ...registration, applicationId: 'application-60', link: true });
    const transactWrite = vi.spyOn(database.documents, 'transactWrite');

    const made = await subs().ensureMany({ ...registration, applicationIds });

    expect(transactWrite).toHaveBeenCalledTimes(3);
    transactWrite.mockRestore();
    expect([...made.keys()]).toEqual(applicationIds);
    expect(made.get('application-60')).toEqual(known);
    expect(await subs().ofRegistration(registrationId)).toEqual(new Map([...made].sort()));
    await subs().endAll({ registrationId, endsAt: 1_800_000_000_000 });
    const after = await subs().ensureMany({ ...registration, applicationIds: ['application-1', 'shop'] });
    expect(after).toEqual(new Map([['application-1', made.get('application-1')]]));
  });

  it('remain linked once they are linked', async () => {
    const key = { ...aRegistration(), applicationId: 'club' };
    const made = await subs().ensure(key);
    expect(made?.isLinked).toBe(false);

    const linked = await subs().ensure({ ...key, link: true });
    const again = await subs().ensure(key);

    expect(linked).toEqual({ ...made, isLinked: true });
    expect(again).toEqual(linked);
  });

  it('of a registration all expire at the given time, and are returned until then', async () => {
    const registration = aRegistration();
    const made = await Promise.all(
      Array.from({ length: 30 }, (_, index) =>
        subs().ensure({ ...registration, applicationId: `application-${index}` }),
      ),
    );

    await subs().endAll({ registrationId: registration.registrationId, endsAt: 1_800_000_000_000 });

    expect((await subs().ofRegistration(registration.registrationId)).size).toBe(30);
    expect(await subs().applicationOf(made[0]?.applicationUserSub ?? '')).toBe('application-0');
    const { Items = [] } = await database.sdk.send(new ScanCommand({ TableName: tableName }));
    const mine = Items.filter(
      ({ pk, registration_id }) =>
        registration_id === registration.registrationId ||
        pk === `REGISTRATION#${registration.registrationId}`,
    );
    expect(mine.map(({ expires_at }) => expires_at)).toEqual(Array(60).fill(1_800_000_000));
  });

  it('of a registration that ends are never created too late to expire', async () => {
    const registration = aRegistration();
    const { registrationId } = registration;
    const ended = subs(() => 'drawn before the end');
    const known = await subs().ensure({ ...registration, applicationId: 'club' });

    await subs().endAll({ registrationId, endsAt: 1_800_000_000_000 });

    expect(await ended.ensure({ ...registration, applicationId: 'shop' })).toBeUndefined();
    expect([...(await subs().ofRegistration(registrationId)).values()]).toEqual([known]);
    expect(await subs().applicationOf('drawn before the end')).toBeUndefined();
  });
});
