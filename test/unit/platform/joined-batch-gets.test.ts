import { describe, expect, it } from 'vitest';
import type { DocumentClient } from '../../../shared/platform/store/client.ts';
import { joiningBatchGets } from '../../../shared/platform/store/joined-batch-gets.ts';

const keysOf = (count: number, name = 'item') =>
  Array.from({ length: count }, (_, index) => ({ pk: `${name} ${index}` }));

/** Answers with the first key of each table, and leaves the others unread. */
const setUp = () => {
  const sent: string[][] = [];
  const batchGet: DocumentClient['batchGet'] = async ({ RequestItems = {} }) => {
    const tables = Object.entries(RequestItems).map(([name, { Keys = [] }]) => ({ name, keys: Keys }));
    sent.push(tables.map(({ name, keys }) => `${name}: ${keys.length}`));
    if (tables.some(({ name }) => name === 'broken')) throw new Error('broken');
    return {
      Responses: Object.fromEntries(tables.map(({ name, keys }) => [name, keys.slice(0, 1)])),
      UnprocessedKeys: Object.fromEntries(
        tables.flatMap(({ name, keys }) => (keys.length > 1 ? [[name, { Keys: keys.slice(1) }]] : [])),
      ),
    };
  };
  const client = joiningBatchGets({ batchGet } as DocumentClient);
  const read = (table: string, keys: readonly Record<string, string>[]) =>
    client.batchGet({ RequestItems: { [table]: { Keys: [...keys] } } });
  return { sent, read };
};

describe('reads of batches that are begun in the same moment', () => {
  it('are one call if they are of different tables, and each gets its own items', async () => {
    const { sent, read } = setUp();

    const [users, tokens] = await Promise.all([
      read('users', keysOf(1, 'user')),
      read('tokens', keysOf(2, 'token')),
    ]);

    expect(sent).toEqual([['users: 1', 'tokens: 2']]);
    expect(users).toEqual({ Responses: { users: [{ pk: 'user 0' }] }, UnprocessedKeys: {} });
    expect(tokens).toEqual({
      Responses: { tokens: [{ pk: 'token 0' }] },
      UnprocessedKeys: { tokens: { Keys: [{ pk: 'token 1' }] } },
    });
    await read('users', keysOf(1));
    expect(sent).toHaveLength(2);
  });

  it('are separate calls if they read the same table, or are too many for one call', async () => {
    const { sent, read } = setUp();

    await Promise.all([read('users', keysOf(60)), read('users', keysOf(50)), read('tokens', keysOf(51))]);

    expect(sent).toEqual([['users: 60'], ['users: 50'], ['tokens: 51']]);
  });

  it('all fail if the one call fails', async () => {
    const { read } = setUp();

    const outcomes = await Promise.allSettled([read('users', keysOf(1)), read('broken', keysOf(1))]);

    expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  });
});
