export type AlarmState = 'OK' | 'ALARM' | 'INSUFFICIENT_DATA';

export interface AlarmDeclaration {
  readonly name: string;
  readonly arn: string;
  readonly description?: string;
  readonly actionsEnabled: boolean;
  readonly actions: Readonly<Record<AlarmState, readonly string[]>>;
  /** Metric, threshold and so on under CloudFormation's names, as CloudWatch's API and notifications show them. */
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
 * Each minute, evaluates the alarms whose metrics are measured here. The state reason of every other alarm begins with
 * `Not evaluated`.
 */
export interface AlarmEngine {
  declare(alarm: AlarmDeclaration): void;
  /**
   * Sets the alarm's state and, if it changed, runs that state's actions. The next evaluation may change it back.
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
