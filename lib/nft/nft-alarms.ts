import { Duration } from 'aws-cdk-lib';
import * as cloudwatch from 'aws-cdk-lib/aws-cloudwatch';
import type * as sfn from 'aws-cdk-lib/aws-stepfunctions';
import { Construct } from 'constructs';
import type { StageConfig } from '../../config/stage.ts';
import type { NftEvent, SignerMeasures } from '../../shared/nft/ports/events.ts';
import { ServiceAlarm } from '../constructs/alarm.ts';
import { metricsNamespace } from '../constructs/metrics-namespace.ts';
import { ofSigner, signerNumbers } from './signer-numbers.ts';

export interface NftAlarmsProps {
  readonly stage: StageConfig;
  readonly waiter: sfn.StateMachine;
}

interface Watched {
  readonly whatGoesWrong: string;
  readonly runbook: string;
  /** Five-minute periods in a row that must breach. @default 1 */
  readonly periods?: number;
}

/** The metrics that functions write about transactions, and what each means for whom. */
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
    periods: 2,
  },
  FeesRefused: {
    whatGoesWrong: 'Nodes refuse the fees that transactions were signed with: all mints wait.',
    runbook: 'fees',
    periods: 2,
  },
  FinalityStalled: {
    whatGoesWrong: 'The chain finalizes no blocks: contracts and tokens stay pending for every customer.',
    runbook: 'finality-stalls',
    periods: 2,
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

export class NftAlarms extends Construct {
  constructor(scope: Construct, id: string, { stage, waiter }: NftAlarmsProps) {
    super(scope, id);
    for (const [name, { periods = 1, ...told }] of Object.entries<Watched>(events)) {
      new ServiceAlarm(this, name, {
        stage,
        metric: nftMetric(stage, { metricName: name, statistic: 'Sum', period: Duration.minutes(5) }),
        threshold: 1,
        evaluationPeriods: periods,
        ...told,
      });
    }
    for (const number of signerNumbers(stage)) this.watchSigner(stage, number);
    this.watchSignatures(stage);
    new ServiceAlarm(this, 'WaiterFails', {
      stage,
      metric: waiter.metricFailed({ period: Duration.minutes(5) }),
      threshold: 1,
      evaluationPeriods: 2,
      whatGoesWrong:
        'Executions of the waiter end in failure: contracts and tokens stay pending for every customer.',
      runbook: 'the-waiter-fails',
    });
  }

  /** KMS counts the account's signatures in a minute; CloudWatch knows the quota, above which KMS refuses. */
  private watchSignatures(stage: StageConfig): void {
    new ServiceAlarm(this, 'SignaturesNearQuota', {
      stage,
      metric: new cloudwatch.MathExpression({
        expression: 'used / SERVICE_QUOTA(used) * 100',
        usingMetrics: {
          used: new cloudwatch.Metric({
            namespace: 'AWS/Usage',
            metricName: 'CallCount',
            dimensionsMap: {
              Service: 'KMS',
              Type: 'API',
              Resource: 'CryptographicOperationsEcc',
              Class: 'None',
            },
            statistic: 'Sum',
          }),
        },
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

  /** The gauges that every pass for the signer writes. */
  private watchSigner(stage: StageConfig, number: number): void {
    const gauge = (metricName: keyof SignerMeasures, statistic: string) =>
      nftMetric(stage, {
        metricName,
        statistic,
        period: Duration.minutes(5),
        dimensionsMap: { signer: String(number) },
      });
    new ServiceAlarm(this, ofSigner('BalanceLow', number), {
      stage,
      metric: gauge('BalanceCoins', 'Minimum'),
      threshold: stage.nft.lowBalance,
      comparison: cloudwatch.ComparisonOperator.LESS_THAN_THRESHOLD,
      whatGoesWrong: `The balance of signer ${number} is low: when it is used up, its customers can neither deploy nor mint.`,
      runbook: 'funds',
    });
    new ServiceAlarm(this, ofSigner('OldestPendingOld', number), {
      stage,
      metric: gauge('OldestPendingSeconds', 'Maximum'),
      threshold: Duration.minutes(10).toSeconds(),
      whatGoesWrong: `A transaction of signer ${number} is not final after ten minutes: it and all transactions behind it stay pending for customers.`,
      runbook: 'the-oldest-transaction-waits',
    });
    new ServiceAlarm(this, ofSigner('QueueLong', number), {
      stage,
      metric: gauge('InFlight', 'Minimum'),
      threshold: stage.nft.inFlightCap,
      evaluationPeriods: 3,
      whatGoesWrong: `For a quarter of an hour signer ${number} has received more transactions than the chain takes: its new mints wait longer and longer.`,
      runbook: 'the-queue-is-long',
    });
  }
}

function nftMetric(stage: StageConfig, props: Omit<cloudwatch.MetricProps, 'namespace'>): cloudwatch.Metric {
  return new cloudwatch.Metric({
    ...props,
    namespace: metricsNamespace(stage),
    dimensionsMap: { service: 'nft', ...props.dimensionsMap },
  });
}
