export interface ScheduledRule {
  readonly id: string;
  readonly arn: string;
  /** e.g. `rate(1 minute)` */
  readonly expression: string;
  readonly enabled: boolean;
  readonly targetArn: string;
  /** The target's input. @default EventBridge's own event */
  readonly input?: unknown;
}

export interface Scheduler {
  /** Throws on an expression that is not understood. */
  add(rule: ScheduledRule): void;
  /**
   * Starts counting. Call it after everything is deployed. A rule with a rate is due immediately, as on AWS after its
   * creation. Throws when a target is missing or may not be invoked.
   */
  start(): void;
  stop(): Promise<void>;
}
