export type Countable = 'contracts' | 'mints';

/** What a request counts as. */
export interface Counting {
  readonly application: string;
  readonly what: Countable;
  /** How many. */
  readonly by: number;
  /** `2026-11-21`, UTC. */
  readonly day: string;
}

/** How much an application has used of a day. */
export interface DailyCounts {
  /** Adds `by` unless that would pass `limit`; answers whether it was added. */
  count(counting: Counting & { readonly limit: number }): Promise<boolean>;
  /** Takes back the count of a request that made nothing. */
  giveBack(counting: Counting): Promise<void>;
}

/** The count so far. */
export interface DailyUse {
  made(counting: Omit<Counting, 'by'>): Promise<number>;
}
