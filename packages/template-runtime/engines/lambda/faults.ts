export interface LambdaFaults {
  /** Limits concurrent calls of all functions in the account, including reservations. */
  readonly accountConcurrency: number;
  /** Freezes an environment between invocations: timers and unawaited work continue during the next invocation. */
  readonly freezes: boolean;
}

/** "Lambda quotas": concurrent executions of an account by default. */
export const noLambdaFaults: LambdaFaults = { accountConcurrency: 1_000, freezes: false };

export type Refusal =
  | 'ReservedFunctionConcurrentInvocationLimitExceeded'
  | 'ConcurrentInvocationLimitExceeded';
