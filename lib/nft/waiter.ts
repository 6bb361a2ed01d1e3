import { Aws, Duration, Stack } from 'aws-cdk-lib';
import type { CfnPolicy } from 'aws-cdk-lib/aws-iam';
import * as lambda from 'aws-cdk-lib/aws-lambda';
import * as sfn from 'aws-cdk-lib/aws-stepfunctions';
import { LambdaInvoke } from 'aws-cdk-lib/aws-stepfunctions-tasks';
import { Construct } from 'constructs';
import { acknowledge } from '../constructs/acknowledge.ts';
import { ServiceLogs } from '../constructs/encryption.ts';
import { MarqueeFunction } from '../constructs/marquee-function.ts';
import { stageOf } from '../constructs/stage.ts';
import { readStream, schedule, watchStreams } from '../constructs/triggers.ts';
import type { ChainAccess } from './chain-access.ts';
import type { NftTables } from './nft-tables.ts';

/** How long one pass works: its function's timeout, minus time for the last round and the hand-over. */
const passDuration = Duration.seconds(50);

/**
 * A state machine with one execution for each signer that has unfinished work. An execution makes passes until
 * everything is decided.
 */
export class Waiter extends Construct {
  readonly machine: sfn.StateMachine;
  private readonly machineName = `marquee-${stageOf(this).name}-waiter`;
  /**
   * Built from the machine's name: the machine calls a function that needs this ARN, so a reference would be a cycle.
   */
  private readonly machineArn =
    `arn:${Aws.PARTITION}:states:${Aws.REGION}:${Aws.ACCOUNT_ID}:stateMachine:${this.machineName}`;
  readonly start = {
    actions: ['states:StartExecution'],
    resources: [this.machineArn],
    variables: { STATE_MACHINE_ARN: this.machineArn },
  };

  constructor(scope: Construct, id: string, tables: NftTables, chain: ChainAccess) {
    super(scope, id);
    const { concurrency, nft } = stageOf(this);
    const pass = new MarqueeFunction(this, 'nft/run-waiter', {
      serviceName: 'nft/advance-transactions',
      description: 'Sends, replaces and decides the transactions of one signer',
      whatGoesWrong: 'Contracts and tokens stay pending for every customer.',
      timeout: passDuration.plus(Duration.seconds(40)),
      memorySize: 1024,
      reservedConcurrentExecutions: concurrency?.waiter,
      environment: {
        ...chain.environment,
        ...tables.requests.variables,
        PASS_MILLISECONDS: String(passDuration.toMilliseconds()),
        REPLACE_AFTER_MILLISECONDS: String(nft.replaceAfterSeconds * 1_000),
      },
      may: [...chain.sign, ...tables.decide, this.start],
    });
    this.machine = this.addMachine(pass.function);
  }

  private addMachine(lambdaFunction: lambda.Function): sfn.StateMachine {
    const pass = new LambdaInvoke(this, 'Pass', {
      lambdaFunction,
      payloadResponseOnly: true,
      retryOnServiceExceptions: false,
    });
    // If these retries are used up, the schedule starts another execution.
    pass.addRetry({ maxAttempts: 5, interval: Duration.seconds(2), backoffRate: 2 });
    const again = new sfn.Choice(this, 'Again')
      .when(sfn.Condition.booleanEquals('$.again', true), pass)
      .otherwise(new sfn.Succeed(this, 'Done'));
    const machine = new sfn.StateMachine(this, 'StateMachine', {
      stateMachineName: this.machineName,
      definitionBody: sfn.DefinitionBody.fromChainable(pass.next(again)),
      tracingEnabled: true,
      logs: {
        level: sfn.LogLevel.ALL,
        // CloudWatch Logs requires names of this form when an account has many log deliveries.
        destination: new ServiceLogs(this, 'Logs', `/aws/vendedlogs/states/${this.machineName}`),
      },
    });
    // A reference to the role is enough for the order of creation, but the policy beside the role needs an explicit
    // dependency.
    const policy = machine.role.node.findChild('DefaultPolicy').node.defaultChild as CfnPolicy;
    (machine.node.defaultChild as sfn.CfnStateMachine).addOverride('DependsOn', [policy.logicalId]);
    const functionId = Stack.of(this).resolve(lambdaFunction.functionArn)['Fn::GetAtt'][0];
    acknowledge(machine, {
      [`AwsSolutions-IAM5[Resource::<${functionId}.Arn>:*]`]: 'Versions of the one function that it calls',
      'AwsSolutions-IAM5[Resource::*]':
        'The deliveries of logs and X-Ray have no resources: their calls are granted on * or not at all',
    });
    return machine;
  }
}

/**
 * Starts the waiter: from the log's stream as soon as there is work, and on a schedule when an execution was lost or
 * the chain took back a final transaction.
 */
export function addSignerWatch(
  scope: Construct,
  tables: NftTables,
  chain: ChainAccess,
  start: Waiter['start'],
): void {
  const watch = new MarqueeFunction(scope, 'nft/watch-signers', {
    description: 'Sees to it that every signer with unfinished transactions is worked for',
    whatGoesWrong:
      'Nothing starts the waiter for new transactions: contracts and tokens stay pending for every customer.',
    timeout: Duration.seconds(30),
    reservedConcurrentExecutions: stageOf(scope).concurrency?.watcher,
    environment: chain.chainId,
    may: [chain.readEndpoints, tables.signers.may('GetItem', 'Scan', 'UpdateItem'), start],
  });
  const lost = 'Starts the waiter again where an execution was lost, or the chain took back what was final';
  schedule(scope, 'Schedule', watch, Duration.minutes(1), lost);
  const newEntries = readStream(scope, 'NewEntries', tables.transactions, watch, {
    // With this a burst causes a few invocations, and not one for each entry.
    maxBatchingWindow: Duration.seconds(1),
    filters: [lambda.FilterCriteria.filter({ eventName: lambda.FilterRule.isEqual('INSERT') })],
    // Records that are given up here are found by the schedule.
    retryAttempts: 10,
    maxRecordAge: Duration.minutes(5),
  });
  acknowledge(newEntries, {
    'Serverless-LambdaEventSourceMappingDestination':
      'A record only says that there is work, and the schedule sees that as well',
  });
  watchStreams(scope, watch, {
    whatGoesWrong: 'New transactions start only when the schedule finds them, up to a minute late.',
    runbook: 'the-waiter-starts-late',
  });
}
