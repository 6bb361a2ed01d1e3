/** An event before it is checked. */
export interface Candidate {
  readonly line: number;
  /** `undefined` when nothing could be made out at all. */
  readonly fields: Readonly<Record<string, unknown>> | undefined;
  /** What kept fields from being read. */
  readonly mistakes: readonly string[];
}
