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
  /** Throws on an expression that is not supported. */
  add(rule: ScheduledRule): void;
  /**
   * Starts the rules. Call this after everything is deployed. Each enabled rule is due immediately, as on AWS after it
   * was created. Throws when a target does not exist or a rule may not invoke its target.
   */
  start(): void;
  stop(): Promise<void>;
}
