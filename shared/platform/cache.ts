import { type Clock, systemClock } from './time/clock.ts';

export interface Cache<Value> {
  get(key: string): Value | undefined;
  /** @param lifetimeMilliseconds The lifetime of this value. @default the cache's lifetime */
  set(key: string, value: Value, lifetimeMilliseconds?: number): void;
  delete(key: string): void;
}

/** Keeps each value for its lifetime, and at most `capacity` values. The least recently used value is removed first. */
export const newCache = <Value>({
  capacity,
  lifetimeMilliseconds,
  clock = systemClock,
}: {
  readonly capacity: number;
  readonly lifetimeMilliseconds: number;
  readonly clock?: Clock;
}): Cache<Value> => {
  // A Map iterates in the order of insertion. `get` inserts the entry again, so the first entry is the least recently
  // used.
  const entries = new Map<
    string,
    { readonly value: Value; readonly setAt: number; readonly expiresAt: number }
  >();
  return {
    get: (key) => {
      const entry = entries.get(key);
      if (entry === undefined) return undefined;
      entries.delete(key);
      const now = clock();
      // If the clock was set back to before `setAt`, the value would otherwise be kept too long.
      if (now < entry.setAt || entry.expiresAt <= now) return undefined;
      entries.set(key, entry);
      return entry.value;
    },
    delete: (key) => void entries.delete(key),
    set: (key, value, lifetime = lifetimeMilliseconds) => {
      entries.delete(key);
      const setAt = clock();
      entries.set(key, { value, setAt, expiresAt: setAt + lifetime });
      if (entries.size <= capacity) return;
      const [oldest] = entries.keys();
      if (oldest !== undefined) entries.delete(oldest);
    },
  };
};
