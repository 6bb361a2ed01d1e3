/** One target of a rule or schedule. */
export interface ScheduledRule {
  readonly id: string;
  readonly arn: string;
  /** `rate(1 minute)`, `cron(0 12 * * ? *)` or `at(2026-11-20T10:00:00)`, in UTC. */
  readonly expression: string;
  readonly enabled: boolean;
  /** ARN of a function. */
  readonly targetArn: string;
  /** What the target is given; EventBridge's own event when absent. */
  readonly input?: unknown;
  /** Who invokes: the service, by a resource policy, or a role. */
  readonly invokedAs: { readonly principal: string } | { readonly roleArn: string };
}

/** What stands in for EventBridge rules and EventBridge Scheduler. */
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
