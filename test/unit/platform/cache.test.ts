import { beforeEach, describe, expect, it } from 'vitest';
import { newCache } from '../../../shared/platform/cache.ts';

let now: number;
const aCache = () => newCache<string>({ capacity: 2, lifetimeMilliseconds: 1_000, clock: () => now });

beforeEach(() => {
  now = 0;
});

describe('the cache', () => {
  it('returns a value until its time has passed', () => {
    const cache = aCache();
    cache.set('a', 'one');

    now = 999;
    expect(cache.get('a')).toBe('one');
    now = 1_000;
    expect(cache.get('a')).toBeUndefined();
  });

  it('drops a value when the clock is set back', () => {
    const cache = aCache();
    now = 5_000;
    cache.set('a', 'one');

    now = 1_000;

    expect(cache.get('a')).toBeUndefined();
  });

  it('keeps each value for the time that was set for it, which may be infinite', () => {
    const cache = aCache();
    cache.set('short', 'one', 10);
    cache.set('for ever', 'two', Number.POSITIVE_INFINITY);

    now = 10;
    expect(cache.get('short')).toBeUndefined();
    now = Number.MAX_SAFE_INTEGER;
    expect(cache.get('for ever')).toBe('two');
  });

  it('drops the least recently used value when it is full', () => {
    const cache = aCache();
    cache.set('a', 'one');
    cache.set('b', 'two');
    cache.get('a');
    cache.set('c', 'three');

    expect(['a', 'b', 'c'].map(cache.get)).toEqual(['one', undefined, 'three']);
  });

  it('returns the value that replaced another', () => {
    const cache = aCache();
    cache.set('a', 'one');
    cache.set('a', 'two');

    expect(cache.get('a')).toBe('two');
  });
});
