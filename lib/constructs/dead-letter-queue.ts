import { Duration } from 'aws-cdk-lib';
import * as sqs from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import type { StageConfig } from '../../config/stage.ts';
import { acknowledge } from './acknowledge.ts';
import { ServiceAlarm } from './alarm.ts';
import { removalOf } from './removal.ts';
import { ServiceKey } from './service-key.ts';

export interface DeadLetterQueueProps {
  readonly stage: StageConfig;
  /** What went wrong, and for whom, when a message is here. */
  readonly whatGoesWrong: string;
  /** The section of docs/runbook.md that says what to do. */
  readonly runbook: string;
}

/** A dead-letter queue: kept for 14 days, encrypted, TLS only, with an alarm as soon as it holds anything. */
export class DeadLetterQueue extends Construct {
  readonly queue: sqs.Queue;

  constructor(scope: Construct, id: string, { stage, whatGoesWrong, runbook }: DeadLetterQueueProps) {
    super(scope, id);
    this.queue = new sqs.Queue(this, 'Queue', {
      retentionPeriod: Duration.days(14),
      encryption: sqs.QueueEncryption.KMS,
      encryptionMasterKey: ServiceKey.of(this, stage),
      enforceSSL: true,
      removalPolicy: removalOf(stage),
    });
    const reason = 'This is where messages go that nothing else could handle';
    acknowledge(this, { 'AwsSolutions-SQS3': reason, 'Serverless-SQSRedrivePolicy': reason });
    new ServiceAlarm(this, 'NotEmpty', {
      stage,
      metric: this.queue.metricApproximateNumberOfMessagesVisible({
        period: Duration.minutes(5),
        statistic: 'Maximum',
      }),
      threshold: 1,
      whatGoesWrong,
      runbook,
    });
  }
}
