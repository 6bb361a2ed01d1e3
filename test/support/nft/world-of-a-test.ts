import { afterAll, afterEach, beforeAll } from 'vitest';
import { startDatabase, type TestDatabase } from '../platform/dynamodb.ts';
import { startWorld, type World, type WorldOptions } from './world.ts';

/**
 * Returns a function that starts a world, which is stopped after the test. All worlds of a test file share one
 * database. For files whose tests break their world.
 */
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
