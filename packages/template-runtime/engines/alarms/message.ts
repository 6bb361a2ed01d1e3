import { accountId, region } from '../account.ts';
import type { Alarm } from './types.ts';

/** The notification of a state change (CloudWatch User Guide, "Notifying users on alarm changes"). */
export const alarmMessage = (
  alarm: Alarm,
  before: Alarm,
): { readonly subject: string; readonly message: string } => ({
  // SNS limits a subject to 100 characters.
  subject: `${alarm.state}: "${alarm.name}" in ${region}`.slice(0, 100),
  message: JSON.stringify({
    AlarmName: alarm.name,
    AlarmDescription: alarm.description ?? null,
    AWSAccountId: accountId,
    AlarmConfigurationUpdatedTimestamp: before.stateUpdated.toISOString(),
    NewStateValue: alarm.state,
    NewStateReason: alarm.stateReason,
    StateChangeTime: alarm.stateUpdated.toISOString(),
    Region: region,
    AlarmArn: alarm.arn,
    OldStateValue: before.state,
    OKActions: alarm.actions.OK,
    AlarmActions: alarm.actions.ALARM,
    InsufficientDataActions: alarm.actions.INSUFFICIENT_DATA,
    Trigger: alarm.watched,
  }),
});
