import { MathExpression, Metric } from 'aws-cdk-lib/aws-cloudwatch';
import type { Construct } from 'constructs';
import { loginMetrics } from '../../shared/platform/watched.ts';
import { ServiceAlarm, unlessHealed } from './constructs/alarm.ts';
import { metricsNamespace } from './constructs/stage.ts';

/** With fewer refusals in five minutes, a single client that is set up wrongly would be a large share. */
const fewestRefusals = 20;

/**
 * Watches for tokens that are refused for what the stage or the issuer is set up with. API Gateway's 4xx tell nothing
 * about that: a viewer who has not bought an event gets a 403, and a client whose token has expired gets a 401.
 */
export function watchLogins(scope: Construct): void {
  const sumOf = (metricName: string) =>
    new Metric({
      namespace: metricsNamespace(scope),
      metricName,
      dimensionsMap: { service: 'logins' },
      statistic: 'Sum',
    });
  new ServiceAlarm(scope, 'LoginsRefused', {
    metric: new MathExpression({
      expression: `IF(refused >= ${fewestRefusals}, refused / judged, 0)`,
      usingMetrics: { refused: sumOf(loginMetrics.refused), judged: sumOf(loginMetrics.judged) },
      label: 'share of tokens that are refused, but are not expired',
    }),
    threshold: 0.2,
    ...unlessHealed,
    severity: 'page',
    whatGoesWrong: `At least one in five access tokens, and at least ${fewestRefusals} in five minutes, is refused although it is not expired: its issuer, audience, signature or algorithm is not what the stage is set up with, and its user is served nothing.`,
    runbook: 'logins-are-refused',
  });
}
