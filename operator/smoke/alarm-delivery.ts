import { setTimeout } from 'node:timers/promises';
import type { CheckResult, StageCheck } from './check-result.ts';

/** One topic that alarms speak to, as SNS describes it. */
export interface AlarmTopicState {
  /** JSON, without the topic's own ARN in it. */
  readonly policy: string;
  readonly keyId: string | undefined;
  readonly confirmedSubscriptions: number;
}

/** What the alarms of a stage are asked and told. */
export interface StageAlarms {
  /** @returns when the alarm went into that state, by CloudWatch's clock. */
  setState(alarm: {
    readonly name: string;
    readonly state: 'OK' | 'ALARM';
    readonly reason: string;
  }): Promise<Date>;
  /** What became of the alarm's actions since then. */
  actionsSince(alarm: {
    readonly name: string;
    readonly since: Date;
  }): Promise<readonly { readonly succeeded: boolean; readonly summary: string }[]>;
  topic(arn: string): Promise<AlarmTopicState>;
}

export interface CheckAlarmsDependencies {
  readonly alarms: StageAlarms;
  /** @default a second */
  readonly pause?: () => Promise<unknown>;
}

/** CloudWatch writes what an action came to within seconds. */
const looks = 30;

const rehearse = async (
  { alarms, pause = () => setTimeout(1_000) }: CheckAlarmsDependencies,
  name: string,
): Promise<string[]> => {
  // An alarm that another rehearsal left behind would not change, and only a change is told.
  await alarms.setState({ name, state: 'OK', reason: 'The test begins' });
  const since = await alarms.setState({ name, state: 'ALARM', reason: 'This is a test: nothing is wrong' });
  try {
    for (let look = 0; look < looks; look++) {
      const actions = await alarms.actionsSince({ name, since });
      if (actions.length > 0) {
        return actions.filter(({ succeeded }) => !succeeded).map(({ summary }) => summary);
      }
      await pause();
    }
    return ['it went off and its history has no action'];
  } finally {
    await alarms.setState({ name, state: 'OK', reason: 'The test is over' });
  }
};

const topicFaults = (real: AlarmTopicState, rehearsal: AlarmTopicState, isLocal: boolean): string[] => [
  ...(real.policy === rehearsal.policy ? [] : ["its policy is not the rehearsal topic's, which was tried"]),
  ...(real.keyId === rehearsal.keyId ? [] : ["its key is not the rehearsal topic's, which was tried"]),
  ...(isLocal || real.confirmedSubscriptions > 0
    ? []
    : ['nobody is subscribed to it: each address of alarmEmails must confirm by the email that it received']),
];

/**
 * Sees that alarms reach people, without telling any: sets the alarm that was made for it, judges by the action in its
 * history, and holds the topic of all other alarms against the one that was told.
 */
export const checkAlarms = async (
  dependencies: CheckAlarmsDependencies,
  stage: {
    readonly rehearsalAlarm: string;
    readonly rehearsalTopicArn: string;
    readonly alarmTopicArn: string;
    readonly isLocal: boolean;
  },
): Promise<CheckResult[]> => {
  const { alarms } = dependencies;
  const timed = async (check: StageCheck, look: () => Promise<string[]>): Promise<CheckResult> => {
    const startedAt = performance.now();
    const faults = await look();
    return { check, milliseconds: Math.round(performance.now() - startedAt), faults };
  };
  return [
    await timed({ name: 'an alarm reaches its topic', method: '', url: stage.rehearsalAlarm }, () =>
      rehearse(dependencies, stage.rehearsalAlarm),
    ),
    await timed({ name: 'the topic of all alarms', method: '', url: stage.alarmTopicArn }, async () => {
      const [real, rehearsal] = await Promise.all([
        alarms.topic(stage.alarmTopicArn),
        alarms.topic(stage.rehearsalTopicArn),
      ]);
      return topicFaults(real, rehearsal, stage.isLocal);
    }),
  ];
};
