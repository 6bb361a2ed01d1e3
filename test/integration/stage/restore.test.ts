import { ProvisionedThroughputExceededException } from '@aws-sdk/client-dynamodb';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { KindCount } from '../../../operator/stage/restore/copy-table.ts';
import { copyTables, type TableCount } from '../../../operator/stage/restore/copy-tables.ts';
import type { RestorableName } from '../../../operator/stage/restore/tables.ts';
import { lowerCase } from '../../../shared/chain/hex.ts';
import { nothingUndecided } from '../../../shared/nft/restored/undecided.ts';
import { dynamoDbHistoryLines } from '../../../shared/nft/store/history-lines.ts';
import { dynamoDbEndpoints } from '../../../shared/notifications/store/endpoints.ts';
import { dynamoDbNotificationRecords } from '../../../shared/notifications/store/notification-records.ts';
import { dynamoDbUndelivered } from '../../../shared/notifications/store/undelivered.ts';
import type { StoredEvent } from '../../../shared/ott/ports/catalogue.ts';
import { dynamoDbCatalogue } from '../../../shared/ott/store/catalogue.ts';
import { eventKey } from '../../../shared/ott/store/event-items.ts';
import type { Signing } from '../../../shared/ott/streams/signed-path.ts';
import { dynamoDbApplications } from '../../../shared/platform/store/applications.ts';
import type { DocumentClient } from '../../../shared/platform/store/client.ts';
import { dynamoDbApplicationUserSubs } from '../../../shared/users/store/application-user-subs.ts';
import { addressKey } from '../../../shared/wallets/store/wallets.ts';
import { holderOf } from '../../../shared/wallets/wallet.ts';
import { anEvent } from '../../support/ott/builders.ts';
import { newWallet } from '../../support/ott/tickets/tickets-over-http.ts';
import { type WalletWorld, walletWorld } from '../../support/ott/tickets/wallet-world.ts';
import { voidMarks } from '../../support/ott/void-marks.ts';
import { anApplication } from '../../support/platform/applications.ts';
import { createTables, startDatabase, type TestDatabase } from '../../support/platform/dynamodb.ts';
import { itemsIn, keepTables } from '../../support/platform/kept-tables.ts';

const ids = {
  applications: 'Applications',
  events: 'Events',
  users: 'Users',
  wallets: 'Wallets',
  'application-user-subs': 'ApplicationUserSubs',
  notifications: 'Notifications',
  endpoints: 'Endpoints',
  history: 'TokenHistory',
} as const satisfies Partial<Record<RestorableName, string>>;
type Name = keyof typeof ids;
type Tables = Record<(typeof ids)[Name], string>;

let database: TestDatabase;
let tables: Tables;
let world: WalletWorld;
let worlds = 0;

beforeAll(async () => {
  database = await startDatabase();
});
afterAll(() => database.stop());
beforeEach(async () => {
  worlds += 1;
  const prefix = `restore${worlds}`;
  world = await walletWorld(database, {
    prefix,
    contracts: { isSignedBy: () => Promise.reject(new Error('no wallet is a contract')) } as never,
  });
  const others = ['Applications', 'ApplicationUserSubs', 'Notifications', 'Endpoints'] as const;
  tables = { ...world.tables, ...(await createTables(database, others, prefix)) };
});

const store = (name: Name) => ({ client: database.documents, tableName: tables[ids[name]] });
const keep = () => keepTables(database, tables);
const remove = (name: Name, Key: Record<string, unknown>) =>
  database.documents.delete({ TableName: tables[ids[name]], Key });

interface Restore {
  readonly isDryRun?: boolean;
  readonly client?: Partial<DocumentClient>;
  readonly signing?: Signing;
  readonly onLeft?: (why: string) => void;
}

const restoreAll = (
  kept: Tables,
  names: readonly Name[],
  { isDryRun = false, client, signing = 'none', onLeft = () => {} }: Restore = {},
): Promise<readonly TableCount[]> =>
  copyTables({
    client: { ...database.documents, ...client },
    sources: new Map(names.map((name) => [name, kept[ids[name]]])),
    context: {
      liveName: (output) => tables[output.replace(/Table$/, '') as keyof Tables],
      signing,
      undecided: nothingUndecided(),
      mintedAfter: () => Promise.reject(new Error('nothing is minted')),
      toldAbout: () => Promise.reject(new Error('nothing is pending')),
    },
    isDryRun,
    clock: Date.now,
    onLeft,
  });
const restore = async (kept: Tables, name: Name, options?: Restore): Promise<readonly KindCount[]> =>
  (await restoreAll(kept, [name], options)).map(({ table: _, ...count }) => count);
const writtenIn = (counts: readonly KindCount[]) =>
  Object.fromEntries(counts.filter(({ written }) => written > 0).map(({ kind, written }) => [kind, written]));

describe('restored applications', () => {
  it('have only the keys and clients that they still own, and make caches read again', async () => {
    const applications = dynamoDbApplications(store('applications'));
    const one = await applications.create(anApplication({ clientIds: ['web', 'old'] }));
    await applications.create(anApplication({ id: 'two', apiKeyIds: ['key-two'], clientIds: [] }));
    await applications.create(anApplication({ id: 'three', apiKeyIds: [], clientIds: [] }));
    await applications.remove('three');
    const kept = await keep();
    await applications.save({ ...one, clientIds: ['web'] });
    await applications.remove('two');
    await remove('applications', { pk: 'API_KEY#key-one' });
    await remove('applications', { pk: 'REMOVED#three' });
    const changes = await applications.changes();

    await restore(kept, 'applications');

    expect((await applications.findByApiKeyId('key-one'))?.clientIds).toEqual(['web']);
    expect((await applications.findByApiKeyId('key-two'))?.id).toBe('two');
    expect(await applications.findByClientId('old')).toBeUndefined();
    expect(await applications.wasRemoved('three')).toBe(true);
    expect(await applications.changes()).toBeGreaterThan(changes);
  });

  it('make caches read again also if DynamoDB throttles the write that does so', async () => {
    const applications = dynamoDbApplications(store('applications'));
    await applications.create(anApplication());
    const kept = await keep();
    const changes = await applications.changes();
    let throttled = 0;

    await restore(kept, 'applications', {
      client: {
        pause: async () => {},
        update: (input) => {
          if (input.UpdateExpression !== 'ADD changes :one' || throttled > 0)
            return database.documents.update(input);
          throttled += 1;
          throw new ProvisionedThroughputExceededException({ message: 'Too much', $metadata: {} });
        },
      },
    });

    expect(throttled).toBe(1);
    expect(await applications.changes()).toBeGreaterThan(changes);
  });

  it('leave a client to the application that has it by now, and can be changed and removed', async () => {
    const applications = dynamoDbApplications(store('applications'));
    await applications.create(anApplication({ clientIds: ['web', 'tv'] }));
    const two = await applications.create(
      anApplication({ id: 'two', apiKeyIds: ['key-two'], clientIds: [] }),
    );
    const kept = await keep();
    await applications.remove('one');
    await applications.save({ ...two, clientIds: ['web'] });

    await restore(kept, 'applications');

    const one = await applications.findByClientId('tv');
    expect(one).toMatchObject({ id: 'one', apiKeyIds: ['key-one'], clientIds: ['tv'] });
    expect(await applications.save({ ...anApplication(), ...one, name: 'One again' })).toMatchObject({
      name: 'One again',
    });
    await applications.remove('one');
    expect(await applications.find('one')).toBeUndefined();
    expect((await applications.findByClientId('web'))?.id).toBe('two');
  });
});

describe('restored events', () => {
  const written = async (...events: readonly ReturnType<typeof anEvent>[]) =>
    dynamoDbCatalogue(store('events')).write(events.map((after) => ({ before: undefined, after })));

  it('are no state that anybody has read before, although they have an earlier version', async () => {
    const catalogue = dynamoDbCatalogue(store('events'));
    await written(anEvent({ id: 'lost', title: 'The first' }));
    const change = async (before: StoredEvent | undefined, title: string) =>
      (await catalogue.write([{ before, after: anEvent({ id: 'lost', title }) }]))[0]?.outcome;
    const kept = await keep();
    await change(await catalogue.findStored('lost'), 'The second');
    const readBefore = await catalogue.findStored('lost');
    await remove('events', eventKey('lost'));

    await restore(kept, 'events');
    await change(await catalogue.findStored('lost'), 'Since the restore');

    expect(await change(readBefore, 'Of somebody who has not read that')).toBe('conflict');
    expect((await catalogue.findStored('lost'))?.event.title).toBe('Since the restore');
  });

  it('have their categories, while existing events stay as they are', async () => {
    const catalogue = dynamoDbCatalogue(store('events'));
    await written(anEvent({ id: 'lost' }), anEvent({ id: 'changed', categories: ['football', 'cup'] }));
    const kept = await keep();
    const whole = await itemsIn(database, tables.Events);
    const before = await catalogue.findStored('changed');
    const after = anEvent({ id: 'changed', title: 'Moved', categories: ['football'] });
    await catalogue.write([{ before, after }]);
    await remove('events', eventKey('lost'));
    await remove('events', { pk: 'CATEGORY#lost#football' });

    const counts = await restore(kept, 'events');

    expect(writtenIn(counts)).toEqual({ event: 1, 'category of an event': 1 });
    const items = await itemsIn(database, tables.Events);
    const lost = (all: typeof items) =>
      all.filter(({ pk }) => String(pk).includes('#lost')).map(({ life: _, ...item }) => item);
    expect(lost(items)).toEqual(lost(whole));
    expect((await catalogue.findStored('changed'))?.event.title).toBe('Moved');
    expect(items.map(({ pk }) => pk)).not.toContain('CATEGORY#changed#cup');
  });

  it('keep void tickets void, and restore lost marks of void tickets', async () => {
    const tickets = voidMarks(database.documents, tables);
    const contract = '0x00000000000000000000000000000000000000aa';
    const ticket = (tokenId: string) => ({ contract, tokenId, voidedAt: 1 }) as const;
    await tickets.add(ticket('1'));
    await tickets.add(ticket('2'));
    const kept = await keep();
    await remove('events', { pk: `VOID#${contract}` });
    await tickets.add({ ...ticket('2'), voidedAt: 7 });
    await tickets.add(ticket('3'));

    await restore(kept, 'events');

    const found = (await tickets.ofContracts([contract])).get(contract) ?? [];
    expect(Object.fromEntries(found.map(({ tokenId, voidedAt }) => [tokenId, voidedAt]))).toEqual({
      1: 1,
      2: 7,
      3: 1,
    });
  });

  it('leave an event whose path another event has now, and name both', async () => {
    const catalogue = dynamoDbCatalogue(store('events'));
    const streamOf = (folder: string) => ({
      stream: { type: 'hls' as const, url: `https://streams.example.com/${folder}/index.m3u8` },
    });
    await written(anEvent({ id: 'old', ...streamOf('main') }), anEvent({ id: 'apart', ...streamOf('side') }));
    const kept = await keep();
    for (const before of (await catalogue.findAllStored(['old', 'apart'])).values())
      await catalogue.write([{ before }]);
    await written(anEvent({ id: 'now', ...streamOf('main') }));
    const left: string[] = [];
    const signed: Restore = { signing: 'cookies', onLeft: (why) => left.push(why) };

    const counted = await restore(kept, 'events', { ...signed, isDryRun: true });
    const counts = await restore(kept, 'events', signed);

    expect(counts).toEqual(counted);
    expect(writtenIn(counts)).toEqual({ event: 1, 'category of an event': 1 });
    expect([...(await catalogue.findAllStored(['old', 'apart', 'now'])).keys()].toSorted()).toEqual([
      'apart',
      'now',
    ]);
    expect(left).toEqual([left[0], left[0]]);
    expect(left[0]).toMatch(/^Event old was not brought back: .*\bnow\b/);

    const [before] = (await catalogue.findAllStored(['now'])).values();
    await catalogue.write([{ before, after: anEvent({ id: 'now', ...streamOf('other') }) }]);
    expect(writtenIn(await restore(kept, 'events', signed))).toEqual({
      event: 1,
      'category of an event': 1,
    });
  });

  it('come back on any path where nothing is signed', async () => {
    const catalogue = dynamoDbCatalogue(store('events'));
    await written(anEvent({ id: 'old' }));
    const kept = await keep();
    await catalogue.write([{ before: await catalogue.findStored('old') }]);
    await written(anEvent({ id: 'now' }));

    await restore(kept, 'events');

    expect((await catalogue.findAllStored(['old', 'now'])).size).toBe(2);
  });

  it('wait while it is not known which paths others have just moved', async () => {
    const catalogue = dynamoDbCatalogue(store('events'));
    await written(anEvent({ id: 'old' }));
    const kept = await keep();
    await catalogue.write([{ before: await catalogue.findStored('old') }]);
    const knownFrom = Date.now() + 1_000;
    const recent = { pk: 'PATHS#streams.example.com', version: 1, recent: '[]', incomplete_until: knownFrom };
    await database.documents.put({ TableName: tables.Events, Item: recent });

    const counts = await restore(kept, 'events', { signing: 'cookies' });

    expect(writtenIn(counts)).toMatchObject({ event: 1 });
    expect(Date.now()).toBeGreaterThanOrEqual(knownFrom);
  });

  it('restore more lost marks of void tickets than an expression can name, beside a mark that is set meanwhile', async () => {
    const tickets = voidMarks(database.documents, tables);
    const contract = '0x00000000000000000000000000000000000000aa';
    const longest = 2n ** 256n - 1n;
    const lost = Array.from({ length: 200 }, (_, index) => String(longest - BigInt(index)));
    const Item = { pk: `VOID#${contract}`, tokens: Object.fromEntries(lost.map((id) => [id, 1])) };
    const kept = await keep();
    await database.documents.put({ TableName: kept.Events, Item });
    await tickets.add({ contract, tokenId: '1', voidedAt: 7 });

    const counts = await restore(kept, 'events', {
      client: {
        update: async (input) => {
          await tickets.add({ contract, tokenId: '2', voidedAt: 8 });
          return database.documents.update(input);
        },
      },
    });

    expect(writtenIn(counts)).toEqual({ 'void tickets': 1 });
    const [found] = await itemsIn(database, tables.Events);
    expect(found?.tokens).toEqual({ ...Item.tokens, 1: 7, 2: 8 });
  });
});

describe('restored histories of tokens', () => {
  it('have the lines that were lost, each once, beside those that were written since', async () => {
    const tickets = voidMarks(database.documents, tables);
    const contract = '0x00000000000000000000000000000000000000aa';
    const lines = dynamoDbHistoryLines(store('history'));
    const whats = async () =>
      (await lines.ofToken({ contract, tokenId: '1', limit: 10 })).lines.map(({ what, at }) => [what, at]);
    await tickets.add({ contract, tokenId: '1', voidedAt: 1 });
    await tickets.remove({ contract, tokenId: '1' }, 2);
    const kept = await keep();
    const [lost] = await itemsIn(database, tables.TokenHistory);
    await remove('history', { pk: lost?.pk, sk: lost?.sk });
    await tickets.add({ contract, tokenId: '1', voidedAt: 3 });

    const counts = await restore(kept, 'history');
    const again = await restore(kept, 'history');

    expect(writtenIn(counts)).toEqual({ 'line of a history': 1 });
    expect(writtenIn(again)).toEqual({});
    expect(await whats()).toEqual([
      ['voided', 1],
      ['unvoided', 2],
      ['voided', 3],
    ]);
  });
});

describe('restored users', () => {
  it('are unchanged, and users who have changed or were deleted since are not restored', async () => {
    for (const user of ['lost', 'changed', 'deleted', 'forgotten']) await world.register(user);
    const kept = await keep();
    await world.register('changed', { data: { email: 'new@example.com' } });
    await world.remove('deleted');
    await world.remove('forgotten');
    await remove('users', { user_sub: 'forgotten' });
    await remove('users', { user_sub: 'lost' });

    const counts = await restore(kept, 'users');

    expect(writtenIn(counts)).toEqual({ user: 1 });
    expect((await world.users.find('lost'))?.version).toBe(1);
    expect((await world.users.find('changed'))?.version).toBe(2);
    expect(await world.users.find('deleted')).toBeUndefined();
    expect(await world.users.find('forgotten')).toBeUndefined();
  });

  it('get their latest version back if an earlier copy replaced it', async () => {
    await world.register('ana');
    const [early] = await itemsIn(database, tables.Users);
    await world.register('ana', { data: { email: 'new@example.com' } });
    const kept = await keep();
    await database.documents.put({ TableName: tables.Users, Item: { ...early } });

    await restore(kept, 'users');

    expect((await world.users.find('ana'))?.version).toBe(2);
  });

  it('have their identifiers again, unless they have got new ones since', async () => {
    const subs = dynamoDbApplicationUserSubs(store('application-user-subs'));
    const [ana, bruno] = [await world.register('ana'), await world.register('bruno')];
    const link = async ({ userSub, registrationId }: typeof ana, applicationId: string) => {
      const sub = await subs.ensure({ userSub, registrationId, applicationId, link: true });
      if (sub === undefined) throw new Error('The registration has ended');
      return sub;
    };
    const [first, other] = [await link(ana, 'one'), await link(ana, 'two')];
    const gone = await link(bruno, 'one');
    const kept = await keep();
    for (const { pk, sk } of await itemsIn(database, tables.ApplicationUserSubs)) {
      await remove('application-user-subs', { pk, sk });
    }
    await world.remove('bruno');
    const now = await link(ana, 'two');

    await restore(kept, 'application-user-subs');

    expect(await subs.find({ ...ana, applicationId: 'one' })).toEqual(first);
    expect(await subs.find({ ...ana, applicationId: 'two' })).toEqual(now);
    expect(await subs.registrationOf(first)).toMatchObject({ userSub: 'ana' });
    expect(await subs.registrationOf(other)).toBeUndefined();
    expect(await subs.registrationOf(gone)).toBeUndefined();
  });
});

describe('restored wallets', () => {
  it('are linked again if the link was lost, but not if they were moved or unlinked since', async () => {
    const [lost, moved, unlinked] = [newWallet(), newWallet(), newWallet()];
    for (const user of ['ana', 'bruno', 'carla']) await world.register(user);
    await world.link('ana', lost);
    await world.link('ana', moved);
    await world.link('carla', unlinked);
    const kept = await keep();
    world.time.now += 1_000;
    await world.link('bruno', moved);
    await world.unlink('carla', unlinked.address);
    await remove('wallets', { pk: `USER#${holderOf('ana')}` });
    for (const { address } of [lost, unlinked]) await remove('wallets', addressKey(lowerCase(address)));

    await restore(kept, 'wallets');
    await restore(kept, 'wallets');

    expect(await world.linked('ana')).toEqual([lost.address.toLowerCase()]);
    expect(await world.linked('bruno')).toEqual([moved.address.toLowerCase()]);
    expect(await world.linked('carla')).toEqual([]);
    expect(await world.open('ana')).toEqual([lost.address.toLowerCase()]);
  });

  it('stay unlinked for as long as a restore goes back, and open at once for another user', async () => {
    const [unlinked, moved] = [newWallet(), newWallet()];
    for (const user of ['ana', 'bruno', 'carla']) await world.register(user);
    for (const wallet of [unlinked, moved]) await world.link('ana', wallet);
    const kept = await keep();
    world.time.now += 1_000;
    await world.unlink('ana', unlinked.address);
    await world.link('bruno', moved);
    await world.remove('bruno');
    world.time.now += 29 * 24 * 60 * 60 * 1_000;
    for (const { pk, expires_at } of await itemsIn(database, tables.Wallets)) {
      if (Number(expires_at) * 1_000 <= world.time.now) await remove('wallets', { pk });
    }
    await remove('wallets', { pk: `USER#${holderOf('ana')}` });

    await restore(kept, 'wallets');

    expect(await world.linked('ana')).toEqual([]);
    const stored = JSON.stringify(await itemsIn(database, tables.Wallets)).toLowerCase();
    for (const { address } of [unlinked, moved]) expect(stored).not.toContain(address.slice(2).toLowerCase());
    expect(await world.link('carla', unlinked)).toMatchObject({ opensFrom: world.time.now });
    expect(await world.open('carla')).toEqual([unlinked.address.toLowerCase()]);
  });

  it('of a user who was deleted since stay unlinked', async () => {
    await world.register('ana');
    await world.link('ana', newWallet());
    const kept = await keep();
    await world.remove('ana');

    await restore(kept, 'users');
    const counts = await restore(kept, 'wallets');

    expect(writtenIn(counts)).toEqual({});
    expect(await world.linked('ana')).toEqual([]);
  });
});

describe('restored notifications', () => {
  const message = {
    operationType: 'data_update',
    applicationUserSub: 'a'.repeat(32),
    dateTime: '2026-11-20T09:15:02.123456',
  } as const;
  const delivery = {
    destination: 'https://example.com',
    attempts: 1,
    at: Date.now(),
    reason: '',
  };

  it('have their deliveries, and a successful delivery stays successful', async () => {
    const records = dynamoDbNotificationRecords(store('notifications'));
    const sent = { id: 'm1', applicationId: 'one', publishedAt: Date.now(), message };
    await records.recordSent([sent]);
    await records.recordDeliveries([
      { ...delivery, messageId: 'm1', isDelivered: true },
      { ...delivery, messageId: 'm2', isDelivered: false },
    ]);
    const kept = await keep();
    for (const { pk, sk } of await itemsIn(database, tables.Notifications)) {
      await remove('notifications', { pk, sk });
    }
    await records.recordDeliveries([
      { ...delivery, messageId: 'm1', isDelivered: false },
      { ...delivery, messageId: 'm2', isDelivered: true },
    ]);

    await restore(kept, 'notifications');

    expect((await records.find('m1'))?.deliveries).toMatchObject([{ isDelivered: true }]);
    const second = (await itemsIn(database, tables.Notifications)).find(({ pk }) => pk === 'MESSAGE#m2');
    expect(second).toMatchObject({ is_delivered: true });
  });

  it('do not include an unfinished replay, which would send messages again', async () => {
    const replay = (id: string) => ({ pk: `REPLAY#one#${id}`, sk: 'REPLAY', application_id: 'one' });
    const TableName = tables.Notifications;
    await database.documents.put({ TableName, Item: { ...replay('open'), next: 'x' } });
    await database.documents.put({ TableName, Item: { ...replay('ended'), ended_at: 1 } });
    const kept = await keep();
    for (const id of ['open', 'ended']) {
      const { pk, sk } = replay(id);
      await remove('notifications', { pk, sk });
    }

    await restore(kept, 'notifications');

    expect((await itemsIn(database, TableName)).map(({ pk }) => pk)).toEqual(['REPLAY#one#ended']);
  });

  it('include what an endpoint had not accepted, except where the table has something newer', async () => {
    const rows = dynamoDbUndelivered(store('notifications'));
    const endpoint = { applicationId: 'one', id: 'main' };
    const about = (sub: string, nextAt: number) =>
      rows.fold(endpoint, {
        message: { ...message, applicationUserSub: sub },
        publishedAt: Date.now(),
        nextAt,
      });
    await rows.suspect(endpoint, [{ messageId: 'm', publishedAt: Date.now(), isExact: true }]);
    for (const sub of ['lost', 'changed']) await about(sub, Date.now());
    const kept = await keep();
    for (const { pk, sk } of await itemsIn(database, tables.Notifications)) {
      await remove('notifications', { pk, sk });
    }
    await about('changed', 0);

    await restore(kept, 'notifications');

    expect(await rows.count(endpoint, 10)).toBe(3);
    const found = await rows.soonest(endpoint, { isGivenUp: false, limit: 10 });
    expect(found.map(({ nextAt }) => nextAt)).toEqual([0, expect.any(Number)]);
    expect(await rows.suspected(endpoint, { limit: 10 })).toMatchObject([{ messageId: 'm' }]);
  });

  it('are not sent to an endpoint that was removed since', async () => {
    const endpoints = dynamoDbEndpoints(store('endpoints'));
    const endpoint = (id: string) => ({
      applicationId: 'one',
      id,
      destination: `https://example.com/${id}`,
      isEnveloped: true,
      operationTypes: ['data_update' as const],
      createdAt: 1,
    });
    await endpoints.save(endpoint('lost'));
    await endpoints.save(endpoint('removed'));
    const kept = await keep();
    await endpoints.remove({ applicationId: 'one', id: 'removed', at: Date.now() });
    await remove('endpoints', { application_id: 'one', endpoint_id: 'lost' });

    await restore(kept, 'endpoints');

    const found = await endpoints.ofApplication('one');
    expect(found.map(({ id, removedAt }) => [id, removedAt === undefined])).toEqual([
      ['lost', true],
      ['removed', false],
    ]);
  });
});

describe('a restore', () => {
  it('writes nothing in a dry run, and prints the counts of the real run', async () => {
    for (const user of ['ana', 'bruno', 'carla']) await world.register(user);
    const kept = await keep();
    await remove('users', { user_sub: 'ana' });
    await remove('users', { user_sub: 'carla' });
    const before = await itemsIn(database, tables.Users);

    const counted = await restore(kept, 'users', { isDryRun: true });

    expect(await itemsIn(database, tables.Users)).toEqual(before);
    expect(counted).toEqual([{ kind: 'user', written: 2, kept: 1, left: 0 }]);
    expect(await restore(kept, 'users')).toEqual(counted);
    expect(await restore(kept, 'users')).toEqual([{ kind: 'user', written: 0, kept: 3, left: 0 }]);
  });

  it('counts in a dry run what depends on items that would be written, as the real run does', async () => {
    const applications = dynamoDbApplications(store('applications'));
    const subs = dynamoDbApplicationUserSubs(store('application-user-subs'));
    const wallet = newWallet();
    await applications.create(anApplication({ clientIds: ['web'] }));
    await dynamoDbCatalogue(store('events')).write([{ before: undefined, after: anEvent({ id: 'final' }) }]);
    const ana = await world.register('ana');
    await subs.ensure({ ...ana, applicationId: 'one', link: true });
    await world.link('ana', wallet);
    const kept = await keep();
    for (const pk of ['APPLICATION#one', 'API_KEY#key-one', 'CLIENT#web'])
      await remove('applications', { pk });
    await remove('events', eventKey('final'));
    await remove('events', { pk: 'CATEGORY#final#football' });
    await remove('users', { user_sub: 'ana' });
    for (const { pk, sk } of await itemsIn(database, tables.ApplicationUserSubs)) {
      await remove('application-user-subs', { pk, sk });
    }
    await remove('wallets', { pk: `USER#${holderOf('ana')}` });
    await remove('wallets', addressKey(lowerCase(wallet.address)));
    const lost = await Promise.all(Object.values(tables).map((table) => itemsIn(database, table)));
    const written = async (names: readonly Name[], isDryRun: boolean) => {
      const counts = await restoreAll(kept, names, { isDryRun });
      return Object.fromEntries(
        names.map((name) => [
          name,
          counts.filter(({ table }) => table === name).reduce((sum, count) => sum + count.written, 0),
        ]),
      );
    };
    const all = ['applications', 'users', 'application-user-subs', 'wallets', 'events'] as const;

    const alone = await written(['application-user-subs', 'wallets'], true);
    const counted = await written(all, true);

    expect(alone).toEqual({ 'application-user-subs': 0, wallets: 0 });
    expect(counted).toEqual({
      applications: 3,
      users: 1,
      // The first of the two items of an identifier brings the other.
      'application-user-subs': 1,
      wallets: 1,
      events: 2,
    });
    expect(await Promise.all(Object.values(tables).map((table) => itemsIn(database, table)))).toEqual(lost);
    expect(await written(['application-user-subs', 'wallets'], false)).toEqual(alone);
    expect(await written(all, false)).toEqual(counted);
  });

  it('brings back nothing that has expired or that this release does not know', async () => {
    const kept = await keep();
    const item = (pk: string, fields: object) => ({ Item: { pk, ...fields } });
    await database.documents.put({
      TableName: kept.Wallets,
      ...item('ENDED#old', { expires_at: Math.floor(Date.now() / 1_000) - 60 }),
    });
    await database.documents.put({ TableName: kept.Wallets, ...item('LATER#1', {}) });

    const counts = await restore(kept, 'wallets');

    expect(await itemsIn(database, tables.Wallets)).toEqual([]);
    expect(counts).toContainEqual({ kind: 'not known to this release', written: 0, kept: 0, left: 1 });
  });
});
