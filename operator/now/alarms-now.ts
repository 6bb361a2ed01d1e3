import { type CloudWatchClient, paginateDescribeAlarms } from '@aws-sdk/client-cloudwatch';

/** An alarm in the state ALARM. */
export interface AlarmNow {
  readonly name: string;
  readonly since: Date | undefined;
  readonly whatGoesWrong: string;
  /** The runbook's section, as a URL fragment; `undefined` when the alarm names none. */
  readonly runbook: string | undefined;
}

export interface AlarmsNow {
  /** The alarm that has been on for longest comes first. */
  readonly on: readonly AlarmNow[];
  /** Names of alarms whose state is unknown: they are new, or their metrics are measured only on AWS. */
  readonly notEvaluated: readonly string[];
}

/** The stage's alarms that are in ALARM, and those that are not evaluated. */
export const alarmsNow = async (
  { cloudwatch }: { readonly cloudwatch: CloudWatchClient },
  { stackName }: { readonly stackName: string },
): Promise<AlarmsNow> => {
  const on: AlarmNow[] = [];
  const notEvaluated: string[] = [];
  const pages = paginateDescribeAlarms({ client: cloudwatch }, { AlarmNamePrefix: `${stackName}-` });
  for await (const { MetricAlarms = [] } of pages) {
    for (const { AlarmName = '', AlarmDescription = '', StateValue, StateUpdatedTimestamp } of MetricAlarms) {
      if (StateValue === 'INSUFFICIENT_DATA') notEvaluated.push(AlarmName);
      if (StateValue !== 'ALARM') continue;
      const [whatGoesWrong = '', runbook] = AlarmDescription.split(' What to do: docs/runbook.md#');
      on.push({ name: AlarmName, since: StateUpdatedTimestamp, whatGoesWrong, runbook });
    }
  }
  return { on: on.sort((a, b) => (a.since?.getTime() ?? 0) - (b.since?.getTime() ?? 0)), notEvaluated };
};
