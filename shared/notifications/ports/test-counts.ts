/** How many test notifications each application has sent in a minute. */
export interface TestCounts {
  /** Counts one more. Returns `false`, and counts nothing, if `atMost` were already sent in this minute. */
  count(test: {
    readonly applicationId: string;
    /** Minutes since the epoch. */
    readonly minute: number;
    readonly atMost: number;
  }): Promise<boolean>;
}
