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
  /** @throws ServiceFault `ResourceNotFoundException` */
  isEnabled(arn: string): boolean;
  /**
   * A rule that is switched off invokes nothing. Does not survive a restart, at which the template's setting applies
   * again.
   *
   * @throws ServiceFault `ResourceNotFoundException`
   */
  setEnabled(arn: string, isEnabled: boolean): void;
  /**
   * Starts the rules. Call this after everything is deployed. Each enabled rule is due immediately, as on AWS after it
   * was created. Throws when a target does not exist or a rule may not invoke its target.
   */
  start(): void;
  stop(): Promise<void>;
}
