export type Countable = 'contracts' | 'mints';

export interface Counting {
  readonly application: string;
  readonly what: Countable;
  readonly by: number;
  /** Such as `2026-11-21`, in UTC. */
  readonly day: string;
}

export interface DailyCounts {
  /** Adds `by` unless the count would exceed `limit`. Returns whether it was added. */
  count(counting: Counting & { readonly limit: number }): Promise<boolean>;
  /** Takes back the count of a request that created nothing. */
  giveBack(counting: Counting): Promise<void>;
}

export interface DailyUse {
  made(counting: Omit<Counting, 'by'>): Promise<number>;
}
