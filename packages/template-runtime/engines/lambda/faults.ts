/** What Lambda does on demand as it does on AWS. */
export interface LambdaFaults {
  /** Calls that all functions of the account may have at once; a reservation is taken out of it. */
  readonly accountConcurrency: number;
  /** An environment does nothing between its invocations: timers and what was not awaited wait for the next one. */
  readonly freezes: boolean;
}

/** "Lambda quotas": concurrent executions of an account. */
export const noLambdaFaults: LambdaFaults = { accountConcurrency: 1_000, freezes: false };

/** Why Lambda refuses a call with 429, in its own words. */
export type Refusal =
  | 'ReservedFunctionConcurrentInvocationLimitExceeded'
  | 'ConcurrentInvocationLimitExceeded';
