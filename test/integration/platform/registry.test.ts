import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { callingApplication } from '../../../shared/platform/applications/calling-application.ts';
import { ApplicationConflictError } from '../../../shared/platform/applications/errors.ts';
import type {
  ApplicationChanges,
  ApplicationRegistry,
} from '../../../shared/platform/applications/ports/applications.ts';
import { ForbiddenError } from '../../../shared/platform/errors.ts';
import { dynamoDbApplications } from '../../../shared/platform/store/applications.ts';
import { anApplication } from '../../support/platform/applications.ts';
import { createTables, startDatabase, type TestDatabase } from '../../support/platform/dynamodb.ts';

describe('the registry of applications', () => {
  let database: TestDatabase;
  let tables: { readonly Applications: string };
  let registry: ApplicationRegistry & ApplicationChanges;

  beforeAll(async () => {
    database = await startDatabase();
    tables = await createTables(database, ['Applications']);
    registry = dynamoDbApplications({ client: database.documents, tableName: tables.Applications });
  });
  afterAll(() => database.stop());

  const create = (id: string) =>
    registry.create(anApplication({ id, apiKeyIds: [`key-${id}`], clientIds: [`client-${id}`] }));

  it('finds an application by id, key and client', async () => {
    const created = await create('found');

    expect(created.version).toBe(1);
    expect(await registry.find('found')).toEqual(created);
    expect(await registry.findByApiKeyId('key-found')).toEqual(created);
    expect(await registry.findByClientId('client-found')).toEqual(created);
  });

  it('stores the expiry of a key, so that a new process rejects the key in time', async () => {
    const [at, end] = [Date.parse('2026-11-20T09:00:00Z'), '2026-11-21T09:00:00.000Z'];
    const created = await create('ending');
    await registry.save({ ...created, keyEnds: { 'key-ending': end } });

    const restarted = dynamoDbApplications({ client: database.documents, tableName: tables.Applications });
    const call = (clock: number) => callingApplication(restarted, 'key-ending', () => clock);

    expect(await call(at)).toMatchObject({ id: 'ending' });
    await expect(call(Date.parse(end))).rejects.toThrow(ForbiddenError);
  });

  it('counts every change, but not a rejected one', async () => {
    const before = await registry.changes();

    const created = await create('counted');
    await registry.save({ ...created, name: 'Counted' });
    await create('counted').catch(() => {});
    await registry.remove('counted');

    expect(await registry.changes()).toBe(before + 3);
  });

  it('returns nothing for an unknown id, key or client', async () => {
    expect(await registry.find('unknown')).toBeUndefined();
    expect(await registry.findByApiKeyId('unknown')).toBeUndefined();
    expect(await registry.findByClientId('unknown')).toBeUndefined();
  });

  it.each([
    ['id', { id: 'taken' }],
    ['key', { apiKeyIds: ['key-taken'] }],
    ['client', { clientIds: ['client-taken'] }],
  ])('rejects a second application with the same %s, and stores nothing of it', async (what, same) => {
    if ((await registry.find('taken')) === undefined) await create('taken');
    const second = `second-${what}`;

    const creating = registry.create(
      anApplication({ id: second, apiKeyIds: [`key-${second}`], clientIds: [`client-${second}`], ...same }),
    );

    await expect(creating).rejects.toThrow(ApplicationConflictError);
    expect(await registry.find(second)).toBeUndefined();
    expect((await registry.findByApiKeyId('key-taken'))?.id).toBe('taken');
  });

  it('gives the id of a removed application to no other one, unless it is asked to', async () => {
    await create('gone');
    await registry.remove('gone');
    const again = anApplication({ id: 'gone', apiKeyIds: ['key-again'], clientIds: [] });

    expect(await registry.wasRemoved('gone')).toBe(true);
    await expect(registry.create(again)).rejects.toThrow(ApplicationConflictError);
    expect(await registry.findByApiKeyId('key-again')).toBeUndefined();
    expect(await registry.create(again, { again: true })).toMatchObject({ id: 'gone', version: 2 });
    expect(await registry.wasRemoved('gone')).toBe(false);
    await registry.remove('gone');
    await expect(registry.create(again)).rejects.toThrow(ApplicationConflictError);
  });

  it('finds an application by a new key after the save that adds it, and not by a removed key', async () => {
    const created = await create('rotated');

    const saved = await registry.save({ ...created, apiKeyIds: ['key-rotated-2'], name: 'Rotated' });

    expect(saved).toMatchObject({ version: 2, name: 'Rotated' });
    expect(await registry.findByApiKeyId('key-rotated-2')).toEqual(saved);
    expect(await registry.findByApiKeyId('key-rotated')).toBeUndefined();
  });

  it('rejects a save of an application that changed since it was read', async () => {
    const created = await create('raced');
    await registry.save({ ...created, name: 'First' });

    await expect(registry.save({ ...created, name: 'Second' })).rejects.toThrow(ApplicationConflictError);
    expect((await registry.find('raced'))?.name).toBe('First');
  });

  it('lists all applications by id, without removed ones', async () => {
    await create('z-last');
    await create('a-first');
    await registry.remove('z-last');
    await registry.remove('z-last');

    const ids = (await registry.list()).map(({ id }) => id);

    expect(ids).toEqual([...ids].sort());
    expect(ids).toContain('a-first');
    expect(ids).not.toContain('z-last');
    expect(await registry.findByApiKeyId('key-z-last')).toBeUndefined();
  });
});
