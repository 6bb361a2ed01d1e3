import { Aws, Duration, Stack } from 'aws-cdk-lib';
import type { CfnPolicy } from 'aws-cdk-lib/aws-iam';
import * as lambda from 'aws-cdk-lib/aws-lambda';
import * as sfn from 'aws-cdk-lib/aws-stepfunctions';
import { LambdaInvoke } from 'aws-cdk-lib/aws-stepfunctions-tasks';
import type { Construct } from 'constructs';
import type { ChainAccess } from '../chain/chain-access.ts';
import { acknowledge } from '../platform/constructs/acknowledge.ts';
import { MarqueeFunction } from '../platform/constructs/marquee-function.ts';
import { serviceLogs } from '../platform/constructs/service-logs.ts';
import { stageOf } from '../platform/constructs/stage.ts';
import { readStream, schedule, watchStreams } from '../platform/constructs/triggers.ts';
import type { NftTables } from './nft-tables.ts';

/** How long one pass works. The function's timeout is longer, to finish the last round and hand over to the next. */
const passDuration = Duration.seconds(50);

/**
 * Adds a state machine with one execution for each signer that has unfinished transactions. An execution runs pass
 * after pass until all these transactions are final. Returns the machine, and the permission to start it.
 */
export function addWaiter(scope: Construct, tables: NftTables, chain: ChainAccess) {
  const { concurrency, name, nft } = stageOf(scope);
  const machineName = `marquee-${name}-waiter`;
  // Built from the name. A reference to the machine would be a cycle: the machine calls a function that needs the ARN.
  const machineArn = `arn:${Aws.PARTITION}:states:${Aws.REGION}:${Aws.ACCOUNT_ID}:stateMachine:${machineName}`;
  const start = {
    actions: ['states:StartExecution'],
    resources: [machineArn],
    variables: { STATE_MACHINE_ARN: machineArn },
  };
  const { function: lambdaFunction } = new MarqueeFunction(scope, 'nft/run-waiter', {
    description: 'Sends and replaces the transactions of one signer, and records their outcomes',
    whatGoesWrong: 'Contracts and tokens stay pending for every customer.',
    severity: 'page',
    timeout: passDuration.plus(Duration.seconds(40)),
    memorySize: 1024,
    reservedConcurrentExecutions: concurrency?.waiter,
    environment: {
      ...chain.environment,
      ...tables.requests.variables,
      PASS_MILLISECONDS: String(passDuration.toMilliseconds()),
      REPLACE_AFTER_MILLISECONDS: String(nft.replaceAfterSeconds * 1_000),
    },
    may: [...chain.sign, ...tables.decide, start],
  });
  const pass = new LambdaInvoke(scope, 'Pass', {
    lambdaFunction,
    payloadResponseOnly: true,
    retryOnServiceExceptions: false,
  });
  // If these retries also fail, the scheduled function starts another execution.
  pass.addRetry({ maxAttempts: 5, interval: Duration.seconds(2), backoffRate: 2 });
  const again = new sfn.Choice(scope, 'Again')
    .when(sfn.Condition.booleanEquals('$.again', true), pass)
    .otherwise(new sfn.Succeed(scope, 'Done'));
  const machine = new sfn.StateMachine(scope, 'StateMachine', {
    stateMachineName: machineName,
    definitionBody: sfn.DefinitionBody.fromChainable(pass.next(again)),
    tracingEnabled: true,
    logs: {
      level: sfn.LogLevel.ALL,
      // If an account has many log deliveries, CloudWatch Logs requires a name that begins with `/aws/vendedlogs/`.
      destination: serviceLogs(scope, 'Logs', `/aws/vendedlogs/states/${machineName}`),
    },
  });
  // The machine refers to its role but not to the role's policy, so its dependency on the policy is stated here.
  const policy = machine.role.node.findChild('DefaultPolicy').node.defaultChild as CfnPolicy;
  (machine.node.defaultChild as sfn.CfnStateMachine).addOverride('DependsOn', [policy.logicalId]);
  const functionId = Stack.of(scope).resolve(lambdaFunction.functionArn)['Fn::GetAtt'][0];
  acknowledge(machine, {
    [`AwsSolutions-IAM5[Resource::<${functionId}.Arn>:*]`]: 'Versions of the one function that it calls',
    'AwsSolutions-IAM5[Resource::*]':
      'The deliveries of logs and X-Ray have no resources: their calls are granted on * or not at all',
  });
  return { machine, start };
}

/**
 * Starts the waiter. The stream of the transaction log starts it as soon as there is work. A schedule starts it if an
 * execution was lost, or if a final transaction is no longer on the chain.
 */
export function addSignerWatch(
  scope: Construct,
  tables: NftTables,
  chain: ChainAccess,
  start: ReturnType<typeof addWaiter>['start'],
): void {
  const watch = new MarqueeFunction(scope, 'nft/watch-signers', {
    description: 'Starts the waiter for every signer with unfinished transactions',
    whatGoesWrong:
      'Nothing starts the waiter for new transactions: contracts and tokens stay pending for every customer.',
    severity: 'page',
    timeout: Duration.seconds(30),
    reservedConcurrentExecutions: stageOf(scope).concurrency?.watcher,
    environment: chain.chainId,
    may: [
      chain.readEndpoints,
      tables.signers.may('GetItem', 'Scan', 'UpdateItem'),
      tables.transactions.may('GetItem'),
      start,
    ],
  });
  const lost =
    'Starts the waiter again where an execution was lost, or the chain has other transactions of the signer than the log';
  schedule(scope, 'Schedule', watch, Duration.minutes(1), lost);
  const newEntries = readStream(scope, 'NewEntries', tables.transactions, watch, {
    // Collects stream records for a second, so that many new entries at once cause only a few invocations.
    maxBatchingWindow: Duration.seconds(1),
    filters: [lambda.FilterCriteria.filter({ eventName: lambda.FilterRule.isEqual('INSERT') })],
    // After these retries, the records are dropped. The scheduled run of the function still finds the new entries.
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
    severity: 'ticket',
  });
}
