import type { ISecret } from 'aws-cdk-lib/aws-secretsmanager';
import { Construct } from 'constructs';
import type { StageConfig } from '../../config/stage.ts';
import type { OutageCode } from '../../shared/watched.ts';
import { alarmsOnCodes, type WatchedCode } from '../constructs/alarm-on-code.ts';
import type { MarqueeFunction } from '../constructs/marquee-function.ts';
import { configured } from '../constructs/parameters.ts';
import { ServiceSecret } from '../constructs/service-secret.ts';

export interface OutsideServicesProps {
  readonly stage: StageConfig;
}

/**
 * The services that are asked about every viewer, and the secret that proves a request came through the distribution.
 */
export class OutsideServices extends Construct {
  readonly environment: Readonly<Record<string, string>>;
  readonly secrets: readonly ISecret[];
  /** Proves that a request came through the distribution, where the stage is behind one. */
  readonly originVerifySecret: ISecret | undefined;
  readonly originEnvironment: Readonly<Record<string, string>>;
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
    this.originVerifySecret = behindDistribution
      ? secret('OriginVerifySecret', 'What the distribution sends as x-origin-verify: values, one or two')
      : undefined;

    this.secrets = [
      entitlementSecret,
      geolocationSecret,
      ...(this.originVerifySecret ? [this.originVerifySecret] : []),
    ];
    this.originEnvironment = this.originVerifySecret
      ? { ORIGIN_VERIFY_SECRET_ARN: this.originVerifySecret.secretArn }
      : {};
    this.environment = {
      ENTITLEMENT_URL: configured(this, entitlement.url),
      ENTITLEMENT_SECRET_ARN: entitlementSecret.secretArn,
      GEOLOCATION_URL: configured(this, geolocation.url),
      GEOLOCATION_SECRET_ARN: geolocationSecret.secretArn,
      GEOLOCATION_CACHE_SECONDS: String(geolocation.cacheSeconds),
      ...this.originEnvironment,
    };
  }

  /** Counts the callers' log lines about outages: the calls themselves go on, so no other metric shows them. */
  watch(callers: readonly MarqueeFunction[]): void {
    alarmsOnCodes(this, { stage: this.stage, callers, watched: outages });
  }
}

const outages = {
  ENTITLEMENT_UNAVAILABLE: {
    name: 'EntitlementUnavailable',
    threshold: 10,
    whatGoesWrong:
      'The entitlement service does not answer: nobody can play paid streams, and VIPs see only what everyone sees.',
    runbook: 'the-entitlement-service-is-down',
  },
  GEOLOCATION_UNAVAILABLE: {
    name: 'GeolocationUnavailable',
    threshold: 10,
    whatGoesWrong:
      'The geolocation service does not answer: events with a country rule are hidden from viewers.',
    runbook: 'the-geolocation-service-is-down',
  },
  TICKETS_UNAVAILABLE: {
    name: 'TicketsUnavailable',
    threshold: 10,
    whatGoesWrong:
      'No RPC endpoint says who holds a ticket: its holders cannot play, while those who bought play on.',
    runbook: 'tickets-cannot-be-judged',
  },
} satisfies Record<OutageCode, WatchedCode>;
