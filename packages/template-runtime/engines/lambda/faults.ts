/** Behaviours of AWS's Lambda that are switched on here. */
export interface LambdaFaults {
  /** Concurrent calls of all functions in the account; reservations are taken out of it. */
  readonly accountConcurrency: number;
  /** Freezes an environment between invocations: timers and unawaited work continue during the next one. */
  readonly freezes: boolean;
}

/** "Lambda quotas": concurrent executions of an account. */
export const noLambdaFaults: LambdaFaults = { accountConcurrency: 1_000, freezes: false };

/** The reason for a 429, in Lambda's words. */
export type Refusal =
  | 'ReservedFunctionConcurrentInvocationLimitExceeded'
  | 'ConcurrentInvocationLimitExceeded';
