/** What is checked, as it is shown to the operator. */
export interface StageCheck {
  readonly name: string;
  /** Empty when the check is not an HTTP call. */
  readonly method: string;
  /** The URL of the HTTP call, or the name of what is checked, such as a topic's ARN. */
  readonly url: string;
}

export interface CheckResult {
  readonly check: StageCheck;
  readonly milliseconds: number;
  /** What is wrong. Empty if the check passed. */
  readonly faults: readonly string[];
}
