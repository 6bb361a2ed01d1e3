/** How often one API key of an editor has changed events. */
export interface EditCount {
  readonly editor: string;
  /** The id of the API key, which is no secret. */
  readonly keyId: string;
  readonly changes: number;
}

/** Counts the changes of the last hour, in steps of ten minutes. */
export interface EditCounts {
  /** Adds changes that were made at `at` (epoch milliseconds). A change can be counted twice if an answer is lost. */
  count(edits: EditCount & { readonly at: number }): Promise<void>;
  /** The changes of the hour until `now`, or of up to ten minutes more. A count of the last second may be missing. */
  lastHour(now: number): Promise<readonly EditCount[]>;
}
