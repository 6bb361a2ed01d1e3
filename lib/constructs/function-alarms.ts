import { Duration } from 'aws-cdk-lib';
import type * as lambda from 'aws-cdk-lib/aws-lambda';
import type { StageConfig } from '../../config/stage.ts';
import { ServiceAlarm } from './alarm.ts';

export interface FunctionAlarmsProps {
  readonly stage: StageConfig;
  readonly function: lambda.Function;
  readonly serviceName: string;
  readonly description: string;
  readonly whatGoesWrong?: string;
}

/** What is watched of every function by itself; what it is refused is watched by area. */
export function addFunctionAlarms(props: FunctionAlarmsProps): void {
  const { stage, serviceName, description } = props;
  new ServiceAlarm(props.function, 'Errors', {
    stage,
    metric: props.function.metricErrors({ period: Duration.minutes(5) }),
    // Two of three periods: one failure that a retry heals wakes nobody.
    threshold: 1,
    evaluationPeriods: 3,
    datapointsToAlarm: 2,
    whatGoesWrong:
      props.whatGoesWrong ??
      `functions/${serviceName} throws or times out, so this does not happen reliably: ${description}.`,
    runbook: 'a-function-fails',
  });
}
