import { Duration } from 'aws-cdk-lib';
import { Alarm, ComparisonOperator, Metric, TreatMissingData } from 'aws-cdk-lib/aws-cloudwatch';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import { Construct } from 'constructs';
import type { StageConfig } from '../../config/stage.ts';
import { AlarmTopic } from './alarm-topic.ts';
import { metricsNamespace } from './metrics-namespace.ts';

/**
 * An alarm to be set by hand, to see that alarms reach a topic. Its topic is made like that of all other alarms, under
 * the same key and with the same policy, but has no subscribers. The metric that it watches has no data.
 */
export class TestAlarm extends Construct {
  readonly alarm: Alarm;
  readonly topic: AlarmTopic;

  constructor(scope: Construct, id: string, { stage }: { readonly stage: StageConfig }) {
    super(scope, id);
    this.topic = new AlarmTopic(this, 'Topic', { stage });
    this.alarm = new Alarm(this, 'Alarm', {
      metric: new Metric({
        namespace: metricsNamespace(stage),
        metricName: 'Rehearsal',
        statistic: 'Sum',
        period: Duration.minutes(1),
      }),
      threshold: 1,
      comparisonOperator: ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD,
      evaluationPeriods: 1,
      treatMissingData: TreatMissingData.NOT_BREACHING,
      alarmDescription:
        'Nothing is wrong: an operator sets this test alarm to check the path of all alarms, and it notifies nobody. What to do: docs/runbook.md#alarms-reach-nobody',
    });
    this.alarm.addAlarmAction(new SnsAction(this.topic));
  }
}
