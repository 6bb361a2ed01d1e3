import { Duration } from 'aws-cdk-lib';
import * as lambda from 'aws-cdk-lib/aws-lambda';
import { Construct } from 'constructs';
import { acknowledge } from '../constructs/acknowledge.ts';
import { MarqueeFunction } from '../constructs/marquee-function.ts';
import { stageOf } from '../constructs/stage.ts';
import { readStream, schedule, watchStreams } from '../constructs/triggers.ts';
import type { WaiterProps } from './waiter.ts';

export interface SignerWatchProps extends WaiterProps {
  /** Of the waiter. */
  readonly machineArn: string;
}

/**
 * Starts the waiter: from the log's stream as soon as there is work; on schedule when an execution was lost, or when
 * the chain took back what was final.
 */
export class SignerWatch extends Construct {
  constructor(scope: Construct, id: string, { tables, chain, machineArn }: SignerWatchProps) {
    super(scope, id);
    const { CHAIN_ID, CHAIN_SECRET_ARN } = chain.environment;
    const watch = new MarqueeFunction(this, 'nft/watch-signers', {
      description: 'Sees to it that every signer with unfinished transactions is worked for',
      whatGoesWrong:
        'Nothing starts the waiter for new transactions: contracts and tokens stay pending for every customer.',
      timeout: Duration.seconds(30),
      reservedConcurrentExecutions: stageOf(this).concurrency?.watcher,
      environment: {
        SIGNERS_TABLE: tables.signers.tableName,
        STATE_MACHINE_ARN: machineArn,
        CHAIN_ID,
        CHAIN_SECRET_ARN,
      },
      may: [
        chain.endpoints.read,
        tables.signers.may('GetItem', 'Scan', 'UpdateItem'),
        { actions: ['states:StartExecution'], resources: [machineArn] },
      ],
    });
    schedule(this, 'Schedule', {
      every: Duration.minutes(1),
      runs: watch,
      description:
        'Starts the waiter again where an execution was lost, or the chain took back what was final',
    });
    const newEntries = readStream(this, 'NewEntries', {
      table: tables.transactions,
      reader: watch,
      // A burst then causes a few invocations and not one for each entry.
      maxBatchingWindow: Duration.seconds(1),
      filters: [lambda.FilterCriteria.filter({ eventName: lambda.FilterRule.isEqual('INSERT') })],
      // The schedule finds what is given up here.
      retryAttempts: 10,
      maxRecordAge: Duration.minutes(5),
    });
    acknowledge(newEntries, {
      'Serverless-LambdaEventSourceMappingDestination':
        'A record only says that there is work, and the schedule sees that as well',
    });
    watchStreams(this, watch, {
      whatGoesWrong: 'New transactions start only when the schedule finds them, up to a minute late.',
      runbook: 'the-waiter-starts-late',
    });
  }
}
