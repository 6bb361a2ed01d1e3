import { afterAll, afterEach, beforeAll } from 'vitest';
import { startDatabase, type TestDatabase } from '../dynamodb.ts';
import { startWorld, type World, type WorldOptions } from './world.ts';

/** Starts a world in the file's one database; it ends with the test that starts it. For a file that breaks its worlds. */
export const worldOfATest = (): ((options: Omit<WorldOptions, 'database'>) => Promise<World>) => {
  let database: TestDatabase;
  let world: World | undefined;

  beforeAll(async () => {
    database = await startDatabase();
  });

  afterAll(async () => {
    await database.stop();
  });

  afterEach(async () => {
    await world?.stop();
    world = undefined;
  });

  return async (options) => {
    world = await startWorld({ database, ...options });
    return world;
  };
};
