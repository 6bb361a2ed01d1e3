/** What is checked, in words for the reader. */
export interface StageCheck {
  readonly name: string;
  /** Empty when the check is not an HTTP call. */
  readonly method: string;
  /** The call's path, or the thing that is checked. */
  readonly url: string;
}

export interface CheckResult {
  readonly check: StageCheck;
  readonly milliseconds: number;
  /** What was wrong; empty when it passed. */
  readonly faults: readonly string[];
}
