/** An event that has not been checked. */
export interface Candidate {
  readonly line: number;
  /** `undefined` when nothing could be read. */
  readonly fields: Readonly<Record<string, unknown>> | undefined;
  /** Why fields could not be read. */
  readonly mistakes: readonly string[];
}
