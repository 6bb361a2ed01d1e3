import { type CloudWatchClient, paginateDescribeAlarms } from '@aws-sdk/client-cloudwatch';

export interface AlarmNow {
  readonly name: string;
  readonly since: Date | undefined;
  readonly whatGoesWrong: string;
  /** The section of docs/runbook.md, as a URL fragment. `undefined` if the alarm's description names none. */
  readonly runbook: string | undefined;
}

export interface AlarmsNow {
  /** Whether the stage has alarms. */
  readonly exist: boolean;
  /** Alarms in the state ALARM. The alarm that has been in it for longest comes first. */
  readonly on: readonly AlarmNow[];
  /** Names of alarms in the state INSUFFICIENT_DATA. They are new, or the local runtime does not have their metrics. */
  readonly notEvaluated: readonly string[];
}

export const alarmsNow = async (
  { cloudwatch }: { readonly cloudwatch: CloudWatchClient },
  { stackName }: { readonly stackName: string },
): Promise<AlarmsNow> => {
  let exist = false;
  const on: AlarmNow[] = [];
  const notEvaluated: string[] = [];
  const pages = paginateDescribeAlarms({ client: cloudwatch }, { AlarmNamePrefix: `${stackName}-` });
  for await (const { MetricAlarms = [] } of pages) {
    exist ||= MetricAlarms.length > 0;
    for (const { AlarmName = '', AlarmDescription = '', StateValue, StateUpdatedTimestamp } of MetricAlarms) {
      if (StateValue === 'INSUFFICIENT_DATA') notEvaluated.push(AlarmName);
      if (StateValue !== 'ALARM') continue;
      const [whatGoesWrong = '', runbook] = AlarmDescription.split(' What to do: docs/runbook.md#');
      on.push({ name: AlarmName, since: StateUpdatedTimestamp, whatGoesWrong, runbook });
    }
  }
  return {
    exist,
    on: on.sort((a, b) => (a.since?.getTime() ?? 0) - (b.since?.getTime() ?? 0)),
    notEvaluated,
  };
};
