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

/** Two of three periods: one failure that a retry heals wakes nobody. */
const lasting = { threshold: 1, evaluationPeriods: 3, datapointsToAlarm: 2 };

/** What is watched of every function. */
export function addFunctionAlarms(props: FunctionAlarmsProps): void {
  const { stage, serviceName, description } = props;
  const period = Duration.minutes(5);
  new ServiceAlarm(props.function, 'Errors', {
    stage,
    metric: props.function.metricErrors({ period }),
    ...lasting,
    whatGoesWrong:
      props.whatGoesWrong ??
      `functions/${serviceName} throws or times out, so this does not happen reliably: ${description}.`,
    runbook: 'a-function-fails',
  });
  new ServiceAlarm(props.function, 'Throttles', {
    stage,
    metric: props.function.metricThrottles({ period }),
    ...lasting,
    whatGoesWrong: `functions/${serviceName} gets no concurrency, so its callers are refused or wait: ${description}.`,
    runbook: 'a-function-is-throttled',
  });
}
