export interface LambdaFaults {
  /** Maximum number of concurrent calls of all functions in the account, including reserved concurrency. */
  readonly accountConcurrency: number;
  /** Freezes an environment between invocations: timers and unawaited work continue during the next invocation. */
  readonly freezes: boolean;
}

/** No faults. `accountConcurrency` is an account's default quota of concurrent executions ("Lambda quotas"). */
export const noLambdaFaults: LambdaFaults = { accountConcurrency: 1_000, freezes: false };

export type Refusal =
  | 'ReservedFunctionConcurrentInvocationLimitExceeded'
  | 'ConcurrentInvocationLimitExceeded';
