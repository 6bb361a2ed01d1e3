/** What is looked at, in words for the person who reads the result. */
export interface StageCheck {
  readonly name: string;
  /** Empty where it is not a call. */
  readonly method: string;
  /** Of the call, or what else is looked at. */
  readonly url: string;
}

export interface CheckResult {
  readonly check: StageCheck;
  readonly milliseconds: number;
  /** What was not as expected; none when it passed. */
  readonly faults: readonly string[];
}
