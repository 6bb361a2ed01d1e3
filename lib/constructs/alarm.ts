import { Stack } from 'aws-cdk-lib';
import * as cloudwatch from 'aws-cdk-lib/aws-cloudwatch';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import { EmailSubscription } from 'aws-cdk-lib/aws-sns-subscriptions';
import { Construct } from 'constructs';
import type { StageConfig } from '../../config/stage.ts';
import { acknowledge } from './acknowledge.ts';
import { AlarmTopic } from './alarm-topic.ts';

export interface ServiceAlarmProps {
  readonly stage: StageConfig;
  readonly metric: cloudwatch.IMetric;
  readonly threshold: number;
  /** @default at least the threshold */
  readonly comparison?: cloudwatch.ComparisonOperator;
  /** Periods that are evaluated. @default 1 */
  readonly evaluationPeriods?: number;
  /** How many of them must breach. @default all of them */
  readonly datapointsToAlarm?: number;
  /** @default missing data counts as healthy */
  readonly missing?: cloudwatch.TreatMissingData;
  /** What goes wrong, and for whom. */
  readonly whatGoesWrong: string;
  /** The section of docs/runbook.md that says what to do. */
  readonly runbook: string;
}

/** An alarm that says what goes wrong for whom, and where the remedy is described. */
export class ServiceAlarm extends Construct {
  readonly alarm: cloudwatch.Alarm;

  constructor(scope: Construct, id: string, props: ServiceAlarmProps) {
    super(scope, id);
    this.alarm = new cloudwatch.Alarm(this, 'Alarm', {
      metric: props.metric,
      threshold: props.threshold,
      comparisonOperator:
        props.comparison ?? cloudwatch.ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD,
      evaluationPeriods: props.evaluationPeriods ?? 1,
      datapointsToAlarm: props.datapointsToAlarm,
      treatMissingData: props.missing ?? cloudwatch.TreatMissingData.NOT_BREACHING,
      alarmDescription: `${props.whatGoesWrong} What to do: docs/runbook.md#${props.runbook}`,
    });
    const action = new SnsAction(alarmTopicOf(this, props.stage));
    this.alarm.addAlarmAction(action);
    this.alarm.addOkAction(action);
  }
}

/** The topic of every alarm of the stack; the first alarm creates it. */
export function alarmTopicOf(scope: Construct, stage: StageConfig): AlarmTopic {
  const stack = Stack.of(scope);
  const existing = stack.node.tryFindChild('AlarmTopic');
  if (existing instanceof AlarmTopic) return existing;
  const topic = new AlarmTopic(stack, 'AlarmTopic', { stage });
  for (const address of stage.alarmEmails) {
    acknowledge(topic.addSubscription(new EmailSubscription(address)), {
      'Serverless-SNSRedrivePolicy': 'SNS keeps no e-mail for later: a queue would hold what nobody reads',
    });
  }
  return topic;
}
