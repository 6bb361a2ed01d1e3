import { Duration } from 'aws-cdk-lib';
import * as cloudwatch from 'aws-cdk-lib/aws-cloudwatch';
import type * as sfn from 'aws-cdk-lib/aws-stepfunctions';
import type { Construct } from 'constructs';
import type { eventsWithoutAlarm, NftEvent, StageMeasures } from '../../shared/nft/ports/metrics.ts';
import { ServiceAlarm, sumOf, type Watched } from '../platform/constructs/alarm.ts';
import { metricsNamespace, stageOf } from '../platform/constructs/stage.ts';

/** The metrics that functions write about transactions, summed over five minutes, and the text of each alarm. */
const events = {
  ConfirmedVanished: {
    whatGoesWrong:
      'A final transaction is no longer on the chain and was sent again: customers were told too early that it was final.',
    runbook: 'a-confirmed-transaction-vanished',
    severity: 'page',
  },
  EntryFailed: {
    whatGoesWrong:
      'A transaction failed for good: a contract or token that a customer was promised will never exist.',
    runbook: 'a-transaction-failed',
    severity: 'page',
  },
  EntrySuperseded: {
    whatGoesWrong:
      'An unknown transaction used a nonce, and the transaction was repeated at a new one: the signing key is used elsewhere, or a backup was restored. If it was a deployment, mints that waited for it fail.',
    runbook: 'a-nonce-was-used-elsewhere',
    severity: 'page',
  },
  KeyUsedElsewhere: {
    whatGoesWrong: 'The signing key signs transactions that the log does not know.',
    runbook: 'a-nonce-was-used-elsewhere',
    severity: 'page',
  },
  FeeCeilingReached: {
    whatGoesWrong:
      "The chain's fees are above the stage's ceiling: mints wait, and customers get 503 for new ones.",
    runbook: 'fees',
    severity: 'page',
    evaluationPeriods: 2,
  },
  FeesRefused: {
    whatGoesWrong: 'Nodes refuse the fees that transactions were signed with: all mints wait.',
    runbook: 'fees',
    severity: 'page',
    evaluationPeriods: 2,
  },
  FinalityStalled: {
    whatGoesWrong: 'The chain finalizes no blocks: contracts and tokens stay pending for every customer.',
    runbook: 'finality-stalls',
    severity: 'page',
    evaluationPeriods: 2,
  },
  FundsShort: {
    whatGoesWrong: 'A signer cannot pay for gas: its customers cannot deploy or mint, and get 503.',
    runbook: 'funds',
    severity: 'page',
  },
  TransactionRefused: {
    whatGoesWrong: 'Nodes refuse a signed transaction: it and all transactions behind it wait.',
    runbook: 'a-transaction-is-refused',
    severity: 'page',
  },
} satisfies Record<Exclude<NftEvent, (typeof eventsWithoutAlarm)[number]>, Watched>;

export function addNftAlarms(scope: Construct, waiter: sfn.StateMachine): void {
  for (const [name, watched] of Object.entries<Watched>(events)) {
    new ServiceAlarm(scope, name, { metric: metricOf(scope, name, 'Sum'), ...watched });
  }
  watchSigners(scope);
  watchSignatures(scope);
  new ServiceAlarm(scope, 'WaiterFails', {
    metric: sumOf('executions that ended without finishing', [
      waiter.metricFailed(),
      waiter.metricTimedOut(),
      waiter.metricAborted(),
    ]),
    // After a single failure, the schedule starts another execution.
    threshold: 2,
    whatGoesWrong:
      'Executions of the waiter end before their work is done: contracts and tokens stay pending for customers.',
    runbook: 'the-waiter-fails',
    severity: 'page',
  });
}

/**
 * Adds an alarm on the account's use of its KMS quota for signatures. KMS refuses to sign above the quota. CloudWatch
 * provides both the quota and the number of signatures in each minute.
 */
function watchSignatures(scope: Construct): void {
  const used = new cloudwatch.Metric({
    namespace: 'AWS/Usage',
    metricName: 'CallCount',
    dimensionsMap: { Service: 'KMS', Type: 'API', Resource: 'CryptographicOperationsEcc', Class: 'None' },
    statistic: 'Sum',
  });
  new ServiceAlarm(scope, 'SignaturesNearQuota', {
    metric: new cloudwatch.MathExpression({
      expression: 'used / SERVICE_QUOTA(used) * 100',
      usingMetrics: { used },
      label: 'per cent of the quota',
      period: Duration.minutes(1),
    }),
    threshold: 80,
    evaluationPeriods: 5,
    datapointsToAlarm: 2,
    whatGoesWrong:
      "Signatures are near the account's KMS quota: above it, KMS refuses, and customers get 503 for new mints.",
    runbook: 'signatures-near-the-quota',
    severity: 'ticket',
  });
}

/**
 * Adds alarms on what the schedule measures of all signers together each minute. The log line of each measurement and
 * the command `status` name the signer.
 */
function watchSigners(scope: Construct): void {
  const { lowBalance, inFlightCap } = stageOf(scope).nft;
  const gauge = (measure: keyof StageMeasures, statistic: string) =>
    metricOf(scope, measure, statistic, Duration.minutes(1));
  new ServiceAlarm(scope, 'BalanceLow', {
    metric: gauge('LowestBalanceCoins', 'Minimum'),
    threshold: lowBalance,
    comparisonOperator: cloudwatch.ComparisonOperator.LESS_THAN_THRESHOLD,
    evaluationPeriods: 3,
    // While no RPC endpoint answers, the balances are unknown and not high again.
    treatMissingData: cloudwatch.TreatMissingData.IGNORE,
    whatGoesWrong:
      'The balance of a signer is low: when it is used up, its customers can neither deploy nor mint.',
    runbook: 'funds',
    severity: 'ticket',
  });
  new ServiceAlarm(scope, 'NobodyWatches', {
    metric: gauge('OldestUnfinishedSeconds', 'SampleCount'),
    comparisonOperator: cloudwatch.ComparisonOperator.LESS_THAN_THRESHOLD,
    // Minutes and not one period of five: CloudWatch also looks at older periods before it takes data as missing.
    evaluationPeriods: 5,
    datapointsToAlarm: 4,
    treatMissingData: cloudwatch.TreatMissingData.BREACHING,
    whatGoesWrong:
      'The schedule has measured no signer for five minutes: a waiter that ends is not started again, and the other NFT alarms may be silent.',
    runbook: 'nobody-watches-the-signers',
    severity: 'page',
  });
  new ServiceAlarm(scope, 'RpcUnavailable', {
    metric: gauge('RpcUnavailable', 'Minimum'),
    evaluationPeriods: 5,
    datapointsToAlarm: 4,
    whatGoesWrong:
      'No RPC endpoint answers: no transaction is sent or confirmed, and customers soon get 503 for new ones.',
    runbook: 'no-rpc-endpoint-answers',
    severity: 'page',
  });
  new ServiceAlarm(scope, 'RpcEndpointsSilent', {
    metric: gauge('RpcEndpointsSilent', 'Minimum'),
    evaluationPeriods: 4,
    whatGoesWrong:
      'One of several RPC endpoints has not answered for four minutes: with one less, nobody may be able to judge a transaction as failed, and the next outage stops all mints.',
    runbook: 'one-rpc-endpoint-does-not-answer',
    severity: 'ticket',
  });
  new ServiceAlarm(scope, 'OldestPendingOld', {
    metric: gauge('OldestUnfinishedSeconds', 'Maximum'),
    threshold: Duration.minutes(10).toSeconds(),
    evaluationPeriods: 3,
    whatGoesWrong:
      'A transaction is not final after ten minutes: it and all transactions of its signer behind it stay pending for customers.',
    runbook: 'the-oldest-transaction-waits',
    severity: 'page',
  });
  new ServiceAlarm(scope, 'QueueLong', {
    metric: gauge('LongestQueue', 'Minimum'),
    threshold: inFlightCap,
    evaluationPeriods: 15,
    whatGoesWrong:
      'For a quarter of an hour a signer has received more transactions than the chain takes: its new mints wait longer and longer.',
    runbook: 'the-queue-is-long',
    severity: 'ticket',
  });
}

const metricOf = (scope: Construct, name: string, statistic: string, period?: Duration) =>
  new cloudwatch.Metric({
    namespace: metricsNamespace(scope),
    metricName: name,
    dimensionsMap: { service: 'nft' },
    statistic,
    period,
  });
