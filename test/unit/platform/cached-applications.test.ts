import { describe, expect, it } from 'vitest';
import {
  cachedApplications,
  listWhileUnchanged,
} from '../../../shared/platform/applications/cached-applications.ts';
import { anApplication } from '../../support/platform/applications.ts';

describe('the cache of applications', () => {
  const aCache = () => {
    const stored = new Map([['one', anApplication({ id: 'one' })]]);
    let reads = 0;
    let now = 0;
    const find = async (id: string) => {
      reads += 1;
      return stored.get(id);
    };
    const unused = async () => undefined;
    const cache = cachedApplications(
      { find, findByApiKeyId: unused, findByClientId: unused, list: async () => [] },
      () => now,
    );
    return { cache, stored, reads: () => reads, wait: (milliseconds: number) => (now += milliseconds) };
  };

  it('reads an application once in 30 seconds, and sees a change after that', async () => {
    const { cache, stored, reads, wait } = aCache();
    await cache.find('one');
    stored.set('one', anApplication({ id: 'one', name: 'Changed' }));

    wait(29_999);
    const before = await cache.find('one');
    wait(1);
    const after = await cache.find('one');

    expect(before?.name).toBe('One');
    expect(after?.name).toBe('Changed');
    expect(reads()).toBe(2);
  });

  it('reads a missing application again at once', async () => {
    const { cache, stored } = aCache();
    const before = await cache.find('two');
    stored.set('two', anApplication({ id: 'two' }));

    expect(before).toBeUndefined();
    expect((await cache.find('two'))?.id).toBe('two');
  });
});

describe('the cached list of applications', () => {
  const aList = () => {
    const stored = { changes: 1, list: [anApplication({ id: 'one' })] };
    let reads = 0;
    const cached = listWhileUnchanged({
      changes: async () => stored.changes,
      list: async () => {
        reads += 1;
        return stored.list;
      },
    });
    return { cached, stored, reads: () => reads };
  };

  it('reads all applications once for any number of batches', async () => {
    const { cached, reads } = aList();

    for (let batch = 0; batch < 100; batch++) await cached.list();

    expect(reads()).toBe(1);
  });

  it('includes an application that was added after the last read', async () => {
    const { cached, stored } = aList();
    await cached.list();

    stored.list = [...stored.list, anApplication({ id: 'two' })];
    stored.changes += 1;

    expect((await cached.list()).map(({ id }) => id)).toEqual(['one', 'two']);
  });

  it('reads again if the list changed during the read', async () => {
    const stored = { changes: 1, list: [anApplication({ id: 'one' })] };
    const cached = listWhileUnchanged({
      changes: async () => stored.changes,
      list: async () => {
        const { list } = stored;
        if (stored.changes === 1) {
          stored.changes = 2;
          stored.list = [];
        }
        return list;
      },
    });
    await cached.list();

    expect(await cached.list()).toEqual([]);
  });
});
