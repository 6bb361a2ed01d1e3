/** `claims`: of reserved tokens, by the users themselves. */
export type Countable = 'contracts' | 'mints' | 'claims';

export interface Counting {
  readonly applicationId: string;
  readonly what: Countable;
  readonly by: number;
  /** Such as `2026-11-21`, in UTC. */
  readonly day: string;
}

export interface DailyCounts {
  /** Adds `by` to the count, unless the count would then exceed `limit`. Returns whether `by` was added. */
  count(counting: Counting & { readonly limit: number }): Promise<boolean>;
  /**
   * Undoes `count` for a request that created nothing: subtracts `by` from the count, at most once. If it throws, the
   * count may stay too high until the end of the day.
   */
  giveBack(counting: Counting): Promise<void>;
}

export interface DailyUse {
  made(counting: Omit<Counting, 'by'>): Promise<number>;
}
