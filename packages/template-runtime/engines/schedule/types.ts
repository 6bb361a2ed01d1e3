/** One target of a rule. */
export interface ScheduledRule {
  readonly id: string;
  readonly arn: string;
  /** `rate(1 minute)` */
  readonly expression: string;
  readonly enabled: boolean;
  /** ARN of a function. */
  readonly targetArn: string;
  /** The target's input; EventBridge's own event when absent. */
  readonly input?: unknown;
}

/** The local stand-in for EventBridge's rules. */
export interface Scheduler {
  /** Throws on an expression that it cannot read. */
  add(rule: ScheduledRule): void;
  /**
   * Starts counting; call it when everything is deployed. A rule with a rate is due at once, as on AWS after its
   * creation. Throws when a target is missing or may not be invoked.
   */
  start(): void;
  stop(): Promise<void>;
}
