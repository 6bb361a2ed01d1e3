export type AlarmState = 'OK' | 'ALARM' | 'INSUFFICIENT_DATA';

export interface AlarmDeclaration {
  readonly name: string;
  readonly arn: string;
  readonly description?: string;
  readonly actionsEnabled: boolean;
  readonly actions: Readonly<Record<AlarmState, readonly string[]>>;
  /**
   * The metric, the threshold and other settings, under CloudFormation's property names. CloudWatch's API and
   * notifications use the same names.
   */
  readonly watched: Readonly<Record<string, unknown>>;
}

export interface Alarm extends AlarmDeclaration {
  readonly state: AlarmState;
  readonly stateReason: string;
  readonly stateReasonData?: string;
  readonly stateUpdated: Date;
}

export interface AlarmHistoryItem {
  readonly alarmName: string;
  readonly type: 'StateUpdate' | 'Action';
  readonly time: Date;
  readonly summary: string;
  /** JSON. */
  readonly data: string;
}

/**
 * Each minute, evaluates the alarms whose metrics this runtime measures. The state reason of every other alarm begins
 * with `Not evaluated`.
 */
export interface AlarmEngine {
  declare(alarm: AlarmDeclaration): void;
  /**
   * Sets the alarm's state. If the state changed, runs the new state's actions. The next evaluation may change the
   * state back.
   *
   * @throws ServiceFault `ResourceNotFound` when the alarm does not exist.
   */
  setState(change: {
    readonly name: string;
    readonly state: AlarmState;
    readonly reason: string;
    readonly reasonData?: string;
  }): Promise<void>;
  evaluate(): Promise<void>;
  start(): void;
  list(): readonly Alarm[];
  /** Oldest first. */
  history(): readonly AlarmHistoryItem[];
  stop(): Promise<void>;
}
