import { Duration } from 'aws-cdk-lib';
import * as cloudwatch from 'aws-cdk-lib/aws-cloudwatch';
import type * as sfn from 'aws-cdk-lib/aws-stepfunctions';
import type { Construct } from 'constructs';
import type { NftEvent, SignerMeasures } from '../../shared/nft/ports/events.ts';
import { ServiceAlarm, type Watched } from '../constructs/alarm.ts';
import { metricsNamespace, stageOf } from '../constructs/stage.ts';
import { ofSigner, signerNumbers } from './chain-access.ts';

/** The metrics that functions write about transactions, summed over five minutes, and the text of each alarm. */
const events = {
  ConfirmedVanished: {
    whatGoesWrong:
      'A final transaction is no longer on the chain and was sent again: customers were told too early that it was final.',
    runbook: 'a-confirmed-transaction-vanished',
  },
  EntryFailed: {
    whatGoesWrong:
      'A transaction failed for good: a contract or token that a customer was promised will never exist.',
    runbook: 'a-transaction-failed',
  },
  EntrySuperseded: {
    whatGoesWrong:
      'An unknown transaction used a nonce, and the mint was repeated at a new one: the signing key is used elsewhere, or a backup was restored.',
    runbook: 'a-nonce-was-used-elsewhere',
  },
  GapFilled: {
    whatGoesWrong:
      'A function died holding a nonce: a noop transaction filled the gap and cost gas, and a caller may have received no answer.',
    runbook: 'a-nonce-gap-was-filled',
  },
  KeyUsedElsewhere: {
    whatGoesWrong: 'The signing key signs transactions that the log does not know.',
    runbook: 'a-nonce-was-used-elsewhere',
  },
  FeeCeilingReached: {
    whatGoesWrong:
      "The chain's fees are above the stage's ceiling: mints wait, and customers get 503 for new ones.",
    runbook: 'fees',
    evaluationPeriods: 2,
  },
  FeesRefused: {
    whatGoesWrong: 'Nodes refuse the fees that transactions were signed with: all mints wait.',
    runbook: 'fees',
    evaluationPeriods: 2,
  },
  FinalityStalled: {
    whatGoesWrong: 'The chain finalizes no blocks: contracts and tokens stay pending for every customer.',
    runbook: 'finality-stalls',
    evaluationPeriods: 2,
  },
  FundsShort: {
    whatGoesWrong: 'A signer cannot pay for gas: its customers cannot deploy or mint, and get 503.',
    runbook: 'funds',
  },
  TransactionRefused: {
    whatGoesWrong: 'Nodes refuse a signed transaction: it and all transactions behind it wait.',
    runbook: 'a-transaction-is-refused',
  },
} satisfies Record<NftEvent, Watched>;

export function addNftAlarms(scope: Construct, waiter: sfn.StateMachine): void {
  for (const [name, watched] of Object.entries<Watched>(events)) {
    new ServiceAlarm(scope, name, { metric: metricOf(scope, name, 'Sum'), ...watched });
  }
  for (const number of signerNumbers(scope)) watchSigner(scope, number);
  watchSignatures(scope);
  new ServiceAlarm(scope, 'WaiterFails', {
    metric: waiter.metricFailed(),
    evaluationPeriods: 2,
    whatGoesWrong:
      'Executions of the waiter end in failure: contracts and tokens stay pending for every customer.',
    runbook: 'the-waiter-fails',
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
  });
}

/** Adds alarms on the measurements that the waiter writes for a signer in each pass. */
function watchSigner(scope: Construct, number: number): void {
  const { lowBalance, inFlightCap } = stageOf(scope).nft;
  const gauge = (measure: keyof SignerMeasures, statistic: string) =>
    metricOf(scope, measure, statistic, { signer: String(number) });
  new ServiceAlarm(scope, ofSigner('BalanceLow', number), {
    metric: gauge('BalanceCoins', 'Minimum'),
    threshold: lowBalance,
    comparisonOperator: cloudwatch.ComparisonOperator.LESS_THAN_THRESHOLD,
    whatGoesWrong: `The balance of signer ${number} is low: when it is used up, its customers can neither deploy nor mint.`,
    runbook: 'funds',
  });
  new ServiceAlarm(scope, ofSigner('OldestPendingOld', number), {
    metric: gauge('OldestPendingSeconds', 'Maximum'),
    threshold: Duration.minutes(10).toSeconds(),
    whatGoesWrong: `A transaction of signer ${number} is not final after ten minutes: it and all transactions behind it stay pending for customers.`,
    runbook: 'the-oldest-transaction-waits',
  });
  new ServiceAlarm(scope, ofSigner('QueueLong', number), {
    metric: gauge('InFlight', 'Minimum'),
    threshold: inFlightCap,
    evaluationPeriods: 3,
    whatGoesWrong: `For a quarter of an hour signer ${number} has received more transactions than the chain takes: its new mints wait longer and longer.`,
    runbook: 'the-queue-is-long',
  });
}

const metricOf = (scope: Construct, name: string, statistic: string, signer?: cloudwatch.DimensionsMap) =>
  new cloudwatch.Metric({
    namespace: metricsNamespace(scope),
    metricName: name,
    dimensionsMap: { service: 'nft', ...signer },
    statistic,
  });
