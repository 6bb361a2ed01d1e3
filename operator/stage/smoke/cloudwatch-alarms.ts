import {
  CloudWatchClient,
  DescribeAlarmHistoryCommand,
  DescribeAlarmsCommand,
  SetAlarmStateCommand,
} from '@aws-sdk/client-cloudwatch';
import { GetTopicAttributesCommand, SNSClient } from '@aws-sdk/client-sns';
import * as z from 'zod';
import type { AwsSettings } from '../../../shared/platform/aws/client.ts';
import { OperatorError } from '../../platform/terminal/operator-error.ts';
import type { StageAlarms } from './alarm-delivery.ts';

/** The only field of an action's `HistoryData` that is used. */
const actionSchema = z.object({ actionState: z.string() });

const isSuccess = (historyData: string | undefined): boolean =>
  actionSchema.parse(JSON.parse(historyData ?? '{}')).actionState === 'Succeeded';

/** CloudWatch may evaluate the alarm before its new state is read, which takes the state back. */
const attempts = 5;

/** The alarms and topics of a deployed stage. */
export const cloudWatchAlarms = (settings: AwsSettings): StageAlarms => {
  const cloudwatch = new CloudWatchClient(settings);
  const sns = new SNSClient(settings);
  return {
    setState: async ({ name, state, reason }) => {
      for (let attempt = 1; attempt <= attempts; attempt++) {
        await cloudwatch.send(
          new SetAlarmStateCommand({ AlarmName: name, StateValue: state, StateReason: reason }),
        );
        const { MetricAlarms: [alarm] = [] } = await cloudwatch.send(
          new DescribeAlarmsCommand({ AlarmNames: [name] }),
        );
        const { StateValue, StateUpdatedTimestamp: updated } = alarm ?? {};
        if (updated === undefined) throw new OperatorError({ message: `There is no alarm ${name}.` });
        if (StateValue === state) return updated;
      }
      throw new OperatorError({ message: `The alarm ${name} does not stay in ${state}.` });
    },
    actionsSince: async ({ name, since }) => {
      const { AlarmHistoryItems = [] } = await cloudwatch.send(
        new DescribeAlarmHistoryCommand({ AlarmName: name, HistoryItemType: 'Action', StartDate: since }),
      );
      return AlarmHistoryItems.map(({ HistorySummary = '', HistoryData }) => ({
        succeeded: isSuccess(HistoryData),
        summary: HistorySummary,
      }));
    },
    topic: async (arn) => {
      const { Attributes = {} } = await sns.send(new GetTopicAttributesCommand({ TopicArn: arn }));
      return {
        policy: (Attributes.Policy ?? '').replaceAll(arn, 'the topic'),
        keyId: Attributes.KmsMasterKeyId,
        confirmedSubscriptions: Number(Attributes.SubscriptionsConfirmed ?? 0),
      };
    },
  };
};
