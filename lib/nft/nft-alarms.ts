import { Duration } from 'aws-cdk-lib';
import * as cloudwatch from 'aws-cdk-lib/aws-cloudwatch';
import type * as sfn from 'aws-cdk-lib/aws-stepfunctions';
import { Construct } from 'constructs';
import type { StageConfig } from '../../config/stage.ts';
import { ServiceAlarm } from '../alarm.ts';
import { metricsNamespace } from '../metrics-namespace.ts';

export interface NftAlarmsProps {
  readonly stage: StageConfig;
  readonly waiter: sfn.StateMachine;
}

interface Watched {
  readonly whatGoesWrong: string;
  readonly runbook: string;
  /** Periods of five minutes that in a row have to see it. @default 1 */
  readonly periods?: number;
}

/** The metrics that functions write of transactions, and what each means for whom. */
const events: Readonly<Record<string, Watched>> = {
  ConfirmedVanished: {
    whatGoesWrong:
      'A transaction that was final is no longer on the chain and was sent again: customers were told too early.',
    runbook: 'a-confirmed-transaction-vanished',
  },
  EntrySuperseded: {
    whatGoesWrong:
      'A nonce was used by somebody else and its mint was made again: the signing key is used elsewhere, or a backup was restored.',
    runbook: 'a-nonce-was-used-elsewhere',
  },
  KeyUsedElsewhere: {
    whatGoesWrong: 'The signing key signs transactions that the log does not know.',
    runbook: 'a-nonce-was-used-elsewhere',
  },
  FeeCeilingReached: {
    whatGoesWrong: 'The chain asks for more than the stage pays: all mints wait.',
    runbook: 'fees',
    periods: 2,
  },
  FeesRefused: {
    whatGoesWrong: 'Nodes refuse the fees that transactions were signed with: all mints wait.',
    runbook: 'fees',
    periods: 2,
  },
  FinalityStalled: {
    whatGoesWrong: 'The chain makes nothing final: contracts and tokens stay pending for every customer.',
    runbook: 'finality-stalls',
    periods: 2,
  },
  FundsShort: {
    whatGoesWrong: 'The signer cannot pay: customers cannot deploy or mint and get 503.',
    runbook: 'funds',
  },
  TransactionRefused: {
    whatGoesWrong: 'Nodes refuse a signed transaction outright: it and all behind it wait.',
    runbook: 'a-transaction-is-refused',
  },
};

export class NftAlarms extends Construct {
  constructor(scope: Construct, id: string, { stage, waiter }: NftAlarmsProps) {
    super(scope, id);
    for (const [name, { periods = 1, ...told }] of Object.entries(events)) {
      new ServiceAlarm(this, name, {
        stage,
        metric: new cloudwatch.Metric({
          namespace: metricsNamespace(stage),
          metricName: name,
          dimensionsMap: { service: 'nft' },
          statistic: 'Sum',
          period: Duration.minutes(5),
        }),
        threshold: 1,
        evaluationPeriods: periods,
        ...told,
      });
    }
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
}
