export type Countable = 'contracts' | 'mints';

/** What one request counts as. */
export interface Counting {
  readonly application: string;
  readonly what: Countable;
  /** How many. */
  readonly by: number;
  /** `2026-11-21`, UTC. */
  readonly day: string;
}

/** How much an application had made in a day. */
export interface DailyCounts {
  /** Counts `by` more unless that passes `limit`; answers whether it was counted. */
  count(counting: Counting & { readonly limit: number }): Promise<boolean>;
  /** Takes back what was counted for a request that made nothing. */
  giveBack(counting: Counting): Promise<void>;
}

/** What was counted so far. */
export interface DailyUse {
  made(counting: Omit<Counting, 'by'>): Promise<number>;
}
