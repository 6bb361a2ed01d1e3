import { beforeEach, describe, expect, it } from 'vitest';
import { newCache } from '../../../shared/platform/cache.ts';

let now: number;
const aCache = () => newCache<string>({ capacity: 2, lifetimeMilliseconds: 1_000, clock: () => now });

beforeEach(() => {
  now = 0;
});

describe('cache', () => {
  it('gives a value back until its time is over', () => {
    const cache = aCache();
    cache.set('a', 'one');

    now = 999;
    expect(cache.get('a')).toBe('one');
    now = 1_000;
    expect(cache.get('a')).toBeUndefined();
  });

  it('ends a value when the clock is set back, and does not keep it for as much longer', () => {
    const cache = aCache();
    now = 5_000;
    cache.set('a', 'one');

    now = 1_000;

    expect(cache.get('a')).toBeUndefined();
  });

  it('keeps a value for a time of its own, also for ever', () => {
    const cache = aCache();
    cache.set('short', 'one', 10);
    cache.set('for ever', 'two', Number.POSITIVE_INFINITY);

    now = 10;
    expect(cache.get('short')).toBeUndefined();
    now = Number.MAX_SAFE_INTEGER;
    expect(cache.get('for ever')).toBe('two');
  });

  it('drops the value that was not used for longest when there are too many', () => {
    const cache = aCache();
    cache.set('a', 'one');
    cache.set('b', 'two');
    cache.get('a');
    cache.set('c', 'three');

    expect(['a', 'b', 'c'].map(cache.get)).toEqual(['one', undefined, 'three']);
  });

  it('gives back what replaced another', () => {
    const cache = aCache();
    cache.set('a', 'one');
    cache.set('a', 'two');

    expect(cache.get('a')).toBe('two');
  });
});
