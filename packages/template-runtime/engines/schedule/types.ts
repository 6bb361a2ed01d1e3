/** One target of a rule. */
export interface ScheduledRule {
  readonly id: string;
  readonly arn: string;
  /** `rate(1 minute)` */
  readonly expression: string;
  readonly enabled: boolean;
  /** ARN of a function. */
  readonly targetArn: string;
  /** What the target is given; EventBridge's own event when absent. */
  readonly input?: unknown;
}

/** What stands in for EventBridge's rules. */
export interface Scheduler {
  /** Throws on an expression that it cannot read. */
  add(rule: ScheduledRule): void;
  /**
   * Begins to count; to be called when everything is deployed. What recurs at a rate is due at once, as on AWS after
   * its creation. Throws when a target is missing or may not be invoked.
   */
  start(): void;
  stop(): Promise<void>;
}
