import { setTimeout } from 'node:timers/promises';
import type { CheckResult, StageCheck } from './check-result.ts';

/** One topic of alarms, as SNS describes it. */
export interface AlarmTopicState {
  /** JSON, without the topic's own ARN in it. */
  readonly policy: string;
  readonly keyId: string | undefined;
  readonly confirmedSubscriptions: number;
}

/** The calls for a stage's alarms. */
export interface StageAlarms {
  /** @returns when the alarm entered that state, by CloudWatch's clock. */
  setState(alarm: {
    readonly name: string;
    readonly state: 'OK' | 'ALARM';
    readonly reason: string;
  }): Promise<Date>;
  /** The results of the alarm's actions since then. */
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

/** CloudWatch writes the result of an action within seconds. */
const looks = 30;

const tryAlarm = async (
  { alarms, pause = () => setTimeout(1_000) }: CheckAlarmsDependencies,
  name: string,
): Promise<string[]> => {
  // Only changes are published, so an alarm that an earlier test left in ALARM must leave it first.
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

const topicFaults = (real: AlarmTopicState, testTopic: AlarmTopicState, isLocal: boolean): string[] => [
  ...(real.policy === testTopic.policy ? [] : ["its policy is not the test topic's, which was tried"]),
  ...(real.keyId === testTopic.keyId ? [] : ["its key is not the test topic's, which was tried"]),
  ...(isLocal || real.confirmedSubscriptions > 0
    ? []
    : ['nobody is subscribed to it: each address of alarmEmails must confirm by the email that it received']),
];

/**
 * Checks that alarms reach people, without alerting anyone: sets the test alarm, reads in its history whether the
 * action ran, and compares the topic of all other alarms with the test alarm's.
 */
export const checkAlarms = async (
  dependencies: CheckAlarmsDependencies,
  stage: {
    readonly testAlarm: string;
    readonly testTopicArn: string;
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
    await timed({ name: 'an alarm reaches its topic', method: '', url: stage.testAlarm }, () =>
      tryAlarm(dependencies, stage.testAlarm),
    ),
    await timed({ name: 'the topic of all alarms', method: '', url: stage.alarmTopicArn }, async () => {
      const [real, testTopic] = await Promise.all([
        alarms.topic(stage.alarmTopicArn),
        alarms.topic(stage.testTopicArn),
      ]);
      return topicFaults(real, testTopic, stage.isLocal);
    }),
  ];
};
