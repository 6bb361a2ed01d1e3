export type AlarmState = 'OK' | 'ALARM' | 'INSUFFICIENT_DATA';

/** An alarm as the template declares it. */
export interface AlarmDeclaration {
  readonly name: string;
  readonly arn: string;
  readonly description?: string;
  readonly actionsEnabled: boolean;
  /** ARNs that are told, by the state that the alarm goes into. */
  readonly actions: Readonly<Record<AlarmState, readonly string[]>>;
  /** Metric, threshold and the like in CloudFormation's words: shown to whoever asks and told with the state. */
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

/** What stands in for CloudWatch's alarms. Nothing watches metrics here: an alarm changes only when it is set. */
export interface AlarmEngine {
  declare(alarm: AlarmDeclaration): void;
  /**
   * Puts the alarm into a state and, if that is another than it was in, does what it is to do then.
   *
   * @throws ServiceFault `ResourceNotFound` when there is no such alarm.
   */
  setState(change: {
    readonly name: string;
    readonly state: AlarmState;
    readonly reason: string;
    readonly reasonData?: string;
  }): Promise<void>;
  list(): readonly Alarm[];
  /** Of all alarms, the oldest first. */
  history(): readonly AlarmHistoryItem[];
}
