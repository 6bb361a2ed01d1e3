import { Duration } from 'aws-cdk-lib';
import { FilterPattern, MetricFilter } from 'aws-cdk-lib/aws-logs';
import type { ISecret } from 'aws-cdk-lib/aws-secretsmanager';
import { Construct } from 'constructs';
import type { StageConfig } from '../../config/stage.ts';
import { ServiceAlarm } from '../constructs/alarm.ts';
import type { MarqueeFunction } from '../constructs/marquee-function.ts';
import { metricsNamespace } from '../constructs/metrics-namespace.ts';
import { configured } from '../constructs/parameters.ts';
import { ServiceSecret } from '../constructs/service-secret.ts';

export interface OutsideServicesProps {
  readonly stage: StageConfig;
}

/** The services that are asked about every viewer, and the proof that a request came through the distribution. */
export class OutsideServices extends Construct {
  readonly environment: Readonly<Record<string, string>>;
  readonly secrets: readonly ISecret[];
  private readonly stage: StageConfig;

  constructor(scope: Construct, id: string, { stage }: OutsideServicesProps) {
    super(scope, id);
    this.stage = stage;
    const { entitlement, geolocation, behindDistribution } = stage.ott;
    const secret = (name: string, description: string) =>
      new ServiceSecret(this, name, { stage, description, content: 'json' });

    const entitlementSecret = secret('EntitlementSecret', 'Credentials of the entitlement service: api_key');
    const geolocationSecret = secret(
      'GeolocationSecret',
      'Credentials of the geolocation service: account_id and license_key',
    );
    const originVerifySecret = behindDistribution
      ? secret('OriginVerifySecret', 'What the distribution sends as x-origin-verify: values, one or two')
      : undefined;

    this.secrets = [
      entitlementSecret,
      geolocationSecret,
      ...(originVerifySecret ? [originVerifySecret] : []),
    ];
    this.environment = {
      ENTITLEMENT_URL: configured(this, entitlement.url),
      ENTITLEMENT_SECRET_ARN: entitlementSecret.secretArn,
      GEOLOCATION_URL: configured(this, geolocation.url),
      GEOLOCATION_SECRET_ARN: geolocationSecret.secretArn,
      GEOLOCATION_CACHE_SECONDS: String(geolocation.cacheSeconds),
      ...(originVerifySecret && { ORIGIN_VERIFY_SECRET_ARN: originVerifySecret.secretArn }),
    };
  }

  /** Counts what the callers log of outages: the calls themselves go on, so nothing else would tell. */
  watch(callers: readonly MarqueeFunction[]): void {
    this.watchCode(callers, {
      code: 'ENTITLEMENT_UNAVAILABLE',
      name: 'EntitlementUnavailable',
      whatGoesWrong:
        'The entitlement service does not answer: nobody can play paid streams, and VIPs see what everyone sees.',
      runbook: 'the-entitlement-service-is-down',
    });
    this.watchCode(callers, {
      code: 'GEOLOCATION_UNAVAILABLE',
      name: 'GeolocationUnavailable',
      whatGoesWrong:
        'The geolocation service does not answer: viewers miss every event that a country rule applies to.',
      runbook: 'the-geolocation-service-is-down',
    });
  }

  private watchCode(
    callers: readonly MarqueeFunction[],
    watched: {
      readonly code: string;
      readonly name: string;
      readonly whatGoesWrong: string;
      readonly runbook: string;
    },
  ): void {
    const metricNamespace = metricsNamespace(this.stage);
    const [metric] = callers.map((caller) =>
      new MetricFilter(caller, watched.name, {
        logGroup: caller.function.logGroup,
        filterPattern: FilterPattern.stringValue('$.code', '=', watched.code),
        metricNamespace,
        metricName: watched.name,
      }).metric({ statistic: 'Sum', period: Duration.minutes(5) }),
    );
    if (metric === undefined) return;
    new ServiceAlarm(this, watched.name, {
      stage: this.stage,
      metric,
      threshold: 10,
      whatGoesWrong: watched.whatGoesWrong,
      runbook: watched.runbook,
    });
  }
}
