import { Duration, Stack } from 'aws-cdk-lib';
import * as events from 'aws-cdk-lib/aws-events';
import { LambdaFunction } from 'aws-cdk-lib/aws-events-targets';
import * as lambda from 'aws-cdk-lib/aws-lambda';
import { Construct } from 'constructs';
import type { StageConfig } from '../../config/stage.ts';
import { acknowledge } from '../constructs/acknowledge.ts';
import { ServiceAlarm } from '../constructs/alarm.ts';
import { MarqueeFunction } from '../constructs/marquee-function.ts';
import type { ChainAccess } from './chain-access.ts';
import type { NftTables } from './nft-tables.ts';

export interface SignerWatchProps {
  readonly stage: StageConfig;
  readonly tables: NftTables;
  readonly chain: ChainAccess;
  /** Of the waiter. */
  readonly machineArn: string;
}

/**
 * Starts the waiter: from the log's stream as soon as there is work; on schedule when an execution was lost, or when
 * the chain took back what was final.
 */
export class SignerWatch extends Construct {
  constructor(scope: Construct, id: string, { stage, tables, chain, machineArn }: SignerWatchProps) {
    super(scope, id);
    const watch = new MarqueeFunction(this, 'WatchSigners', {
      stage,
      entry: 'nft/watch-signers',
      description: 'Sees to it that every signer with unfinished transactions is worked for',
      whatGoesWrong:
        'Nothing starts the waiter for new transactions: contracts and tokens stay pending for every customer.',
      timeout: Duration.seconds(30),
      reservedConcurrentExecutions: stage.concurrency?.watcher,
      environment: {
        SIGNERS_TABLE: tables.signers.tableName,
        STATE_MACHINE_ARN: machineArn,
        CHAIN_ID: String(stage.nft.chainId),
        CHAIN_SECRET_ARN: chain.endpoints.secretArn,
      },
    });
    watch.allowSecret(chain.endpoints);
    watch.allow({
      actions: ['dynamodb:GetItem', 'dynamodb:Scan', 'dynamodb:UpdateItem'],
      resources: [tables.signers.tableArn],
    });
    watch.allow({ actions: ['states:StartExecution'], resources: [machineArn] });
    const schedule = new events.Rule(this, 'Schedule', {
      description:
        'Starts the waiter again where an execution was lost, or the chain took back what was final',
      schedule: events.Schedule.rate(Duration.minutes(1)),
      targets: [new LambdaFunction(watch.function, { retryAttempts: 2 })],
    });
    acknowledge(schedule, { 'Serverless-EventBusDLQ': 'The next minute does what this one could not' });
    this.readStream(watch, tables);
    new ServiceAlarm(this, 'Behind', {
      stage,
      metric: watch.function.metric('IteratorAge', { statistic: 'Maximum', period: Duration.minutes(1) }),
      threshold: Duration.minutes(2).toMilliseconds(),
      evaluationPeriods: 3,
      whatGoesWrong: 'New transactions start only when the schedule finds them, up to a minute late.',
      runbook: 'the-waiter-starts-late',
    });
  }

  private readStream(watch: MarqueeFunction, { transactions }: NftTables): void {
    const { tableStreamArn } = transactions.table;
    if (tableStreamArn === undefined) throw new Error('The transactions table has no stream');
    watch.allow({
      actions: ['dynamodb:DescribeStream', 'dynamodb:GetRecords', 'dynamodb:GetShardIterator'],
      resources: [tableStreamArn],
    });
    watch.allow({ actions: ['dynamodb:ListStreams'], resources: [`${transactions.tableArn}/stream/*`] });
    const tableId = Stack.of(this).resolve(transactions.tableArn)['Fn::GetAtt'][0];
    acknowledge(this, {
      [`AwsSolutions-IAM5[Resource::<${tableId}.Arn>/stream/*]`]:
        'Lambda lists the streams of this one table, whose names are times',
    });
    const newEntries = new lambda.EventSourceMapping(this, 'NewEntries', {
      target: watch.function,
      eventSourceArn: tableStreamArn,
      startingPosition: lambda.StartingPosition.TRIM_HORIZON,
      batchSize: 100,
      // A burst then causes a few invocations and not one for each entry.
      maxBatchingWindow: Duration.seconds(1),
      filters: [lambda.FilterCriteria.filter({ eventName: lambda.FilterRule.isEqual('INSERT') })],
      reportBatchItemFailures: true,
      // The schedule finds what is given up here.
      retryAttempts: 10,
      maxRecordAge: Duration.minutes(5),
    });
    acknowledge(newEntries, {
      'Serverless-LambdaEventSourceMappingDestination':
        'A record only says that there is work, and the schedule sees that as well',
    });
  }
}
