export type Countable = 'contracts' | 'mints';

/** How much an application had made in a day. */
export interface DailyCounts {
  /** Counts `by` more on `day` (`2026-11-21`, UTC) unless that passes `limit`; answers whether it was counted. */
  count(counting: {
    readonly application: string;
    readonly what: Countable;
    readonly by: number;
    readonly day: string;
    readonly limit: number;
  }): Promise<boolean>;
}
