import { describe, expect, it } from 'vitest';
import { cachedApplications } from '../../../shared/applications/cached.ts';
import { anApplication } from '../../support/applications.ts';

describe('cachedApplications', () => {
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

  it('reads an application once in 30 s and sees a change after', async () => {
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

  it('asks again at once for one that was not there', async () => {
    const { cache, stored } = aCache();
    const before = await cache.find('two');
    stored.set('two', anApplication({ id: 'two' }));

    expect(before).toBeUndefined();
    expect((await cache.find('two'))?.id).toBe('two');
  });
});
