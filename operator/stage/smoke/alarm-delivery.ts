import { setTimeout } from 'node:timers/promises';
import type { CheckResult, StageCheck } from './check-result.ts';

/** The settings of an SNS topic to which alarms are published. */
export interface AlarmTopicState {
  /** The access policy as JSON, without the topic's own ARN, so that the policies of two topics can be compared. */
  readonly policy: string;
  readonly keyId: string | undefined;
  readonly confirmedSubscriptions: number;
}

/** Calls to CloudWatch and SNS about a stage's alarms. */
export interface StageAlarms {
  /** @returns when the alarm entered the state, by CloudWatch's clock. */
  setState(alarm: {
    readonly name: string;
    readonly state: 'OK' | 'ALARM';
    readonly reason: string;
  }): Promise<Date>;
  /** Reads the results of the actions that the alarm has run since a time. */
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

/** How many times the alarm's history is read. CloudWatch records the result of an action within seconds. */
const looks = 30;

const tryAlarm = async (
  { alarms, pause = () => setTimeout(1_000) }: CheckAlarmsDependencies,
  name: string,
): Promise<string[]> => {
  // An alarm runs its actions only when its state changes, and an earlier test may have left it in ALARM.
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
    return ['the alarm went off, but its history has no action'];
  } finally {
    await alarms.setState({ name, state: 'OK', reason: 'The test is over' });
  }
};

const topicFaults = (real: AlarmTopicState, testTopic: AlarmTopicState, notifies: boolean): string[] => [
  ...(real.policy === testTopic.policy
    ? []
    : [
        "its access policy is not that of the test alarm's topic, so the test alarm proves nothing about this topic",
      ]),
  ...(real.keyId === testTopic.keyId
    ? []
    : [
        "its KMS key is not that of the test alarm's topic, so the test alarm proves nothing about this topic",
      ]),
  ...(!notifies || real.confirmedSubscriptions > 0
    ? []
    : ['nobody is subscribed: each address in alarmEmails must confirm through the email that it received']),
];

/**
 * Checks that alarms reach people, without alerting anyone. Sets off the test alarm and reads in its history whether
 * its action succeeded. Then compares the topics of all other alarms with the test alarm's topic.
 */
export const checkAlarms = async (
  dependencies: CheckAlarmsDependencies,
  stage: {
    readonly testAlarm: string;
    readonly testTopicArn: string;
    readonly alarmTopicArn: string;
    /** Absent if all alarms have one topic. */
    readonly ticketTopicArn: string | undefined;
    /** Whether the stage's file wants somebody to be notified of alarms. */
    readonly notifies: boolean;
  },
): Promise<CheckResult[]> => {
  const { alarms } = dependencies;
  const timed = async (check: StageCheck, look: () => Promise<string[]>): Promise<CheckResult> => {
    const startedAt = performance.now();
    const faults = await look();
    return { check, milliseconds: Math.round(performance.now() - startedAt), faults };
  };
  const compared = (name: string, arn: string) =>
    timed({ name, method: '', url: arn }, async () => {
      const [real, testTopic] = await Promise.all([alarms.topic(arn), alarms.topic(stage.testTopicArn)]);
      return topicFaults(real, testTopic, stage.notifies);
    });
  const { alarmTopicArn, ticketTopicArn } = stage;
  return [
    await timed({ name: 'an alarm reaches its topic', method: '', url: stage.testAlarm }, () =>
      tryAlarm(dependencies, stage.testAlarm),
    ),
    ...(ticketTopicArn === undefined
      ? [await compared('the topic of all alarms', alarmTopicArn)]
      : [
          await compared('the topic of alarms for which somebody is called', alarmTopicArn),
          await compared('the topic of alarms that can wait', ticketTopicArn),
        ]),
  ];
};
