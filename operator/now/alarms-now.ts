import { type CloudWatchClient, paginateDescribeAlarms } from '@aws-sdk/client-cloudwatch';

/** An alarm in the state ALARM. */
export interface AlarmNow {
  readonly name: string;
  readonly since: Date | undefined;
  readonly whatGoesWrong: string;
  /** The runbook's section, as a URL fragment; `undefined` when the alarm names none. */
  readonly runbook: string | undefined;
}

/** The stage's alarms that are in ALARM, oldest first. */
export const alarmsNow = async (
  { cloudwatch }: { readonly cloudwatch: CloudWatchClient },
  { stackName }: { readonly stackName: string },
): Promise<AlarmNow[]> => {
  const found: AlarmNow[] = [];
  const pages = paginateDescribeAlarms(
    { client: cloudwatch },
    { StateValue: 'ALARM', AlarmNamePrefix: `${stackName}-` },
  );
  for await (const { MetricAlarms = [] } of pages) {
    for (const { AlarmName = '', AlarmDescription = '', StateUpdatedTimestamp } of MetricAlarms) {
      const [whatGoesWrong = '', runbook] = AlarmDescription.split(' What to do: docs/runbook.md#');
      found.push({ name: AlarmName, since: StateUpdatedTimestamp, whatGoesWrong, runbook });
    }
  }
  return found.sort((a, b) => (a.since?.getTime() ?? 0) - (b.since?.getTime() ?? 0));
};
