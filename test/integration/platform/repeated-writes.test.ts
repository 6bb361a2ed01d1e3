import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { SupplyExhaustedError } from '../../../shared/nft/errors.ts';
import { dynamoDbDailyCounts } from '../../../shared/nft/store/daily-counts.ts';
import { dynamoDbNfts } from '../../../shared/nft/store/nfts.ts';
import { dynamoDbSupplies } from '../../../shared/nft/store/supplies.ts';
import { keepPlaces, takePlaces } from '../../../shared/nft/submit/supply.ts';
import type { StoredEvent } from '../../../shared/ott/ports/catalogue.ts';
import { dynamoDbCatalogue } from '../../../shared/ott/store/catalogue.ts';
import { dynamoDbApplications } from '../../../shared/platform/store/applications.ts';
import { type DocumentClient, documentClientOf } from '../../../shared/platform/store/client.ts';
import { patient } from '../../../shared/platform/time/patience.ts';
import { putUserData } from '../../../shared/users/put-user-data.ts';
import { removeUser } from '../../../shared/users/remove-user.ts';
import { dynamoDbUsers } from '../../../shared/users/store/users.ts';
import { dynamoDbChallenges } from '../../../shared/wallets/store/challenges.ts';
import { anEvent } from '../../support/ott/builders.ts';
import { voidMarks } from '../../support/ott/void-marks.ts';
import { anApplication } from '../../support/platform/applications.ts';
import { createTables, startDatabase, type TestDatabase } from '../../support/platform/dynamodb.ts';
import {
  type DatabaseFaultProxy,
  type DatabaseFaults,
  startDatabaseFaultProxy,
} from '../../support/platform/dynamodb-fault-proxy.ts';

let database: TestDatabase;
let proxy: DatabaseFaultProxy;
let tables: Record<
  'Requests' | 'Nfts' | 'Users' | 'Wallets' | 'Events' | 'Applications' | 'TokenHistory',
  string
>;
/** The functions' own client, over the proxy. */
let documents: DocumentClient;

beforeAll(async () => {
  database = await startDatabase();
  proxy = await startDatabaseFaultProxy({ target: database.endpoint });
  tables = await createTables(database, [
    'Requests',
    'Nfts',
    'Users',
    'Wallets',
    'Events',
    'Applications',
    'TokenHistory',
  ]);
  documents = documentClientOf({
    endpoint: proxy.url,
    region: 'us-east-1',
    credentials: { accessKeyId: 'test', secretAccessKey: 'test' },
  });
});
beforeEach(() => proxy.setFaults({}));
afterAll(async () => {
  await proxy.stop();
  await database.stop();
});

const both = ['twice', 'late'] as const satisfies DatabaseFaults['repeated'][];

/** Runs `work` while each of its writes runs twice or, if it is late, again after `work` has ended. */
const repeating = async (repeated: DatabaseFaults['repeated'], work: () => Promise<unknown>) => {
  proxy.setFaults(repeated === undefined ? {} : { repeated });
  await work().catch(() => {});
  proxy.setFaults({});
  await proxy.runLate();
};

/** A client whose transactions get no answer, and are executed when `runLate` is called. */
const lateTransactions = () => {
  const late: (() => Promise<unknown>)[] = [];
  const transactWrite: DocumentClient['transactWrite'] = async (input) => {
    late.push(() => documents.transactWrite(input));
    throw new Error('The database gave no answer');
  };
  return {
    client: { ...documents, transactWrite },
    runLate: async () => {
      for (const run of late.splice(0)) await run().catch(() => {});
    },
  };
};

describe('the daily count', () => {
  const counted = (applicationId: string) =>
    ({ applicationId, what: 'mints', by: 3, day: '2999-11-24' }) as const;

  it.each(both)('is decremented at most once if each write is executed %s', async (repeated) => {
    const counts = dynamoDbDailyCounts({ client: documents, tableName: tables.Requests });
    const counting = counted(repeated);
    await counts.count({ ...counting, limit: 100 });
    await counts.count({ ...counting, limit: 100 });

    await repeating(repeated, () => counts.giveBack(counting));

    expect(await counts.made(counting)).toBe(3);
  });

  it('is decremented even if the database is busy at first', async () => {
    const counts = dynamoDbDailyCounts({ client: documents, tableName: tables.Requests });
    const counting = counted('busy');
    await counts.count({ ...counting, limit: 100 });

    const before = proxy.calls.length;
    proxy.setFaults({ throttled: 1, throttledAtMost: 2 });
    await counts.giveBack(counting);
    proxy.setFaults({});

    expect(proxy.calls.length - before).toBe(3);
    expect(await counts.made(counting)).toBe(0);
  });
});

describe('the places of a limited supply', () => {
  const start = () => {
    const supplies = dynamoDbSupplies({ client: documents, tableName: tables.Nfts });
    const nfts = dynamoDbNfts({ client: documents, tableName: tables.Nfts });
    let now = 1_000_000;
    const dependencies = {
      supplies,
      nfts,
      holds: { release: async () => {} },
      leases: { release: async () => {} },
      counts: { giveBack: async () => {} },
      clock: () => now,
      logger: { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} },
      randomId: randomUUID,
    };
    const collection = { applicationId: randomUUID(), contract: `0x${'5'.repeat(40)}` } as const;
    const admitted = { taken: {} } as Parameters<typeof takePlaces>[1];
    const take = () => takePlaces(dependencies, admitted, { ...collection, count: 1, maxSupply: 3 });
    /** Takes places until none is left. Each taken place is kept, as if its token was recorded. */
    const takeTheRest = async (): Promise<number> => {
      for (let taken = 0; ; taken += 1) {
        try {
          await supplies.keep((await take()).taken.places);
        } catch (error) {
          expect(error).toBeInstanceOf(SupplyExhaustedError);
          return taken;
        }
      }
    };
    return { ...dependencies, dependencies, take, takeTheRest, skip: () => (now += patient(20_000)) };
  };

  it.each(both)('can all be used if each write of a mint is executed %s', async (repeated) => {
    const { dependencies, take, takeTheRest, skip } = start();

    await repeating(repeated, async () => keepPlaces(dependencies, await take()));
    skip();

    expect(await takeTheRest()).toBe(2);
  });

  it.each(both)('can all be used if each write of an abandoned mint is executed %s', async (repeated) => {
    const { supplies, take, takeTheRest, skip } = start();

    await repeating(repeated, async () => supplies.giveBack((await take()).taken.places));
    skip();

    expect(await takeTheRest()).toBe(3);
  });

  it.each(both)(
    'can all be used if each write that releases a failed mint is executed %s',
    async (repeated) => {
      const { supplies, take, takeTheRest, skip } = start();
      const { places } = (await take()).taken;
      await supplies.keep(places);

      await repeating(repeated, () => supplies.giveBackFailed(places));
      skip();

      expect(await takeTheRest()).toBe(3);
    },
  );
});

describe('a user', () => {
  const start = ({ client = documents, userSub = randomUUID() as string } = {}) => {
    const users = dynamoDbUsers({ client, tableName: tables.Users, walletsTableName: tables.Wallets });
    const register = () =>
      putUserData(
        { users, subs: { ensure: async () => ({}) as never }, clock: Date.now },
        {
          userSub,
          applicationId: undefined,
          change: { data: { name: 'Kim' }, agreements: undefined },
          isExpected: (before) => before === undefined,
        },
      );
    const remove = () => removeUser({ users, clock: Date.now }, { userSub });
    return { users, userSub, register, remove };
  };

  it('is registered once even if the write is executed twice', async () => {
    const { users, userSub, register } = start();
    proxy.setFaults({ repeated: 'twice' });

    await expect(register()).resolves.toMatchObject({ version: 1 });

    proxy.setFaults({});
    expect(await users.find(userSub)).toMatchObject({ data: { name: 'Kim' }, version: 1 });
  });

  it('stays deleted even if a write of the registration is executed late', async () => {
    const { users, userSub, register, remove } = start();
    proxy.setFaults({ repeated: 'late' });
    await register();
    proxy.setFaults({});

    expect(await remove()).toBe(true);
    await proxy.runLate();

    expect(await users.find(userSub)).toBeUndefined();
    await expect(register()).resolves.toMatchObject({ version: 1 });
  });

  it.each([1, 2])(
    'stays deleted even if a write of registration %d is executed after the removal of the third',
    async (late) => {
      const { users, userSub, register, remove } = start();
      for (const registration of [1, 2, 3]) {
        proxy.setFaults(registration === late ? { repeated: 'late' } : {});
        await register();
        proxy.setFaults({});
        await remove();
      }

      await proxy.runLate();

      expect(await users.find(userSub)).toBeUndefined();
    },
  );

  it.each([
    ['a registration and a version', {}],
    ['a version', { registration_id: 'unreadable' }],
    ['a registration', { version: 7 }],
    ['a version that is a number', { registration_id: 'unreadable', version: 'seven' }],
  ])(
    'stays registered again even if the removal of an item without %s is executed late',
    async (_, attributes) => {
      const { client, runLate } = lateTransactions();
      const { users, userSub, register, remove } = start();
      const { remove: removeLate } = start({ client, userSub });
      await documents.put({ TableName: tables.Users, Item: { user_sub: userSub, ...attributes } });
      await expect(removeLate()).rejects.toThrow('no answer');
      await remove();
      await register();

      await runLate();

      expect(await users.find(userSub)).toMatchObject({ data: { name: 'Kim' } });
    },
  );
});

describe('the challenge of a wallet', () => {
  it('allows no additional attempts if a write of its creation is executed late', async () => {
    const challenges = dynamoDbChallenges({ client: documents, tableName: tables.Wallets });
    const id = randomUUID();
    const endsAt = Date.now() + 600_000;
    proxy.setFaults({ repeated: 'late' });
    await challenges.create({
      id,
      userSub: 'user',
      registrationId: 'registration',
      address: `0x${'5'.repeat(40)}`,
      origin: 'https://example.com',
      message: 'message',
      issuedAt: Date.now(),
      endsAt,
      attempts: 0,
    });
    proxy.setFaults({});
    await challenges.takeAttempt({ id, now: Date.now(), attemptsAtMost: 3 });

    await proxy.runLate();

    expect((await challenges.find(id))?.attempts).toBe(1);
  });
});

describe('a ticket', () => {
  const contract = `0x${'5'.repeat(40)}` as const;
  const token = { contract, tokenId: '7', voidedAt: 1 };
  const start = async () => {
    const { client, runLate } = lateTransactions();
    const tickets = voidMarks(documents, tables);
    const late = voidMarks(client, tables);
    await tickets.add({ ...token, tokenId: '1' });
    const isVoid = async () =>
      (await tickets.ofContracts([contract])).get(contract)?.some(({ tokenId }) => tokenId === '7') === true;
    return { tickets, late, isVoid, runLate };
  };

  it('stays valid if it was void meanwhile, although an earlier call that makes it void is executed late', async () => {
    const { tickets, late, isVoid, runLate } = await start();
    await tickets.remove(token);

    await expect(late.add(token)).rejects.toThrow('no answer');
    await tickets.add(token);
    await tickets.remove(token);
    await runLate();

    expect(await isVoid()).toBe(false);
  });

  it('stays void if it was valid meanwhile, although an earlier call that makes it valid is executed late', async () => {
    const { tickets, late, isVoid, runLate } = await start();
    await tickets.add(token);

    await expect(late.remove(token)).rejects.toThrow('no answer');
    await tickets.remove(token);
    await tickets.add({ ...token, voidedAt: 2 });
    await runLate();

    expect(await isVoid()).toBe(true);
  });
});

describe('an event', () => {
  it.each([1, 2])('stays deleted although the write of creation %d is executed late', async (late) => {
    const { client, runLate } = lateTransactions();
    const options = { by: 'editor', clock: Date.now };
    const catalogue = (over: DocumentClient) =>
      dynamoDbCatalogue({ client: over, tableName: tables.Events }, options);
    const event = anEvent({ id: `late-${late}` });
    const create = (over: DocumentClient) => catalogue(over).write([{ before: undefined, after: event }]);
    const remove = async () => {
      const before = (await catalogue(documents).findStored(event.id)) as StoredEvent;
      await catalogue(documents).write([{ before, after: undefined }]);
    };

    for (const life of [1, 2]) {
      if (life === late) expect(await create(client)).toMatchObject([{ outcome: 'failed' }]);
      expect(await create(documents)).toMatchObject([{ outcome: 'written' }]);
      await remove();
    }
    await runLate();

    expect(await catalogue(documents).findStored(event.id)).toBeUndefined();
  });
});

describe('an application', () => {
  const start = (id: string) => {
    const { client, runLate } = lateTransactions();
    const { version: _, ...fields } = anApplication({ id, apiKeyIds: [`key-${id}`], clientIds: [] });
    const registry = dynamoDbApplications({ client: documents, tableName: tables.Applications });
    const late = dynamoDbApplications({ client, tableName: tables.Applications });
    return { registry, late, runLate, fields, create: () => registry.create(fields, { again: true }) };
  };

  it.each([1, 2])('stays removed although the write of creation %d is executed late', async (life) => {
    const { registry, late, runLate, fields, create } = start(`late-${life}`);

    for (const each of [1, 2]) {
      if (each === life) await expect(late.create(fields, { again: true })).rejects.toThrow('no answer');
      await create();
      await registry.remove(fields.id);
    }
    await runLate();

    expect(await registry.find(fields.id)).toBeUndefined();
    expect(await registry.wasRemoved(fields.id)).toBe(true);
  });

  it('that was created again keeps its fields although a change or removal of its first life is executed late', async () => {
    const { registry, late, runLate, fields, create } = start('twice');
    const first = await create();
    await expect(late.save({ ...first, name: 'First' })).rejects.toThrow('no answer');
    await expect(late.remove(fields.id)).rejects.toThrow('no answer');
    await registry.remove(fields.id);
    const second = await create();

    await runLate();

    expect(await registry.find(fields.id)).toEqual(second);
  });
});

describe('a DynamoDB transaction', () => {
  it.each(both)(
    'is executed once if each try is executed %s, because all tries have the same token',
    async (repeated) => {
      const applications = dynamoDbApplications({ client: documents, tableName: tables.Applications });
      const { version: _, ...fields } = anApplication({ id: `made-${repeated}` });
      proxy.setFaults({ repeated });

      await expect(applications.create(fields)).resolves.toMatchObject({ id: fields.id });

      proxy.setFaults({});
      await applications.remove(fields.id);
      await proxy.runLate();
      expect(await applications.find(fields.id)).toBeUndefined();
    },
  );
});
