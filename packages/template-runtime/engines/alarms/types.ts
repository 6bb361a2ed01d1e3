export type AlarmState = 'OK' | 'ALARM' | 'INSUFFICIENT_DATA';

/** An alarm as the template declares it. */
export interface AlarmDeclaration {
  readonly name: string;
  readonly arn: string;
  readonly description?: string;
  readonly actionsEnabled: boolean;
  /** ARNs to notify, by the state that the alarm enters. */
  readonly actions: Readonly<Record<AlarmState, readonly string[]>>;
  /** Metric, threshold and so on in CloudFormation's words, as answers and notifications show them. */
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
 * The local stand-in for CloudWatch's alarms. Each minute it evaluates those whose metrics are measured here; the reason
 * of any other's state begins with `Not evaluated`.
 */
export interface AlarmEngine {
  declare(alarm: AlarmDeclaration): void;
  /**
   * Puts the alarm into a state; if the state changes, runs that state's actions. The next evaluation changes it back if
   * its metrics say so.
   *
   * @throws ServiceFault `ResourceNotFound` when the alarm does not exist.
   */
  setState(change: {
    readonly name: string;
    readonly state: AlarmState;
    readonly reason: string;
    readonly reasonData?: string;
  }): Promise<void>;
  /** Evaluates all alarms once. */
  evaluate(): Promise<void>;
  /** Evaluates all alarms each minute from now on. */
  start(): void;
  list(): readonly Alarm[];
  /** History of all alarms, oldest first. */
  history(): readonly AlarmHistoryItem[];
  stop(): Promise<void>;
}
