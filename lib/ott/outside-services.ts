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
  private readonly entitlement: ISecret;
  private readonly geolocation: ISecret;
  private readonly originVerify: ISecret | undefined;
  private readonly stage: StageConfig;

  constructor(scope: Construct, id: string, { stage }: OutsideServicesProps) {
    super(scope, id);
    this.stage = stage;
    const secret = (name: string, description: string) =>
      new ServiceSecret(this, name, { stage, description, content: 'json' });

    this.entitlement = secret('EntitlementSecret', 'Credentials of the entitlement service: api_key');
    this.geolocation = secret(
      'GeolocationSecret',
      'Credentials of the geolocation service: account_id and license_key',
    );
    this.originVerify = stage.ott.behindDistribution
      ? secret('OriginVerifySecret', 'What the distribution sends as x-origin-verify: values, one or two')
      : undefined;
  }

  get environment() {
    const { entitlement, geolocation } = this.stage.ott;
    return {
      ENTITLEMENT_URL: configured(this, entitlement.url),
      ENTITLEMENT_SECRET_ARN: this.entitlement.secretArn,
      GEOLOCATION_URL: configured(this, geolocation.url),
      GEOLOCATION_SECRET_ARN: this.geolocation.secretArn,
      ...this.originEnvironment,
      GEOLOCATION_CACHE_SECONDS: String(geolocation.cacheSeconds),
    };
  }

  /** Of a call that must know who calls through the distribution. */
  get originEnvironment() {
    return { ORIGIN_VERIFY_SECRET_ARN: this.originVerify?.secretArn };
  }

  grantAsk(...callers: readonly MarqueeFunction[]): void {
    for (const caller of callers) {
      caller.allowSecret(this.entitlement);
      caller.allowSecret(this.geolocation);
      this.grantOrigin(caller);
    }
  }

  grantOrigin(to: MarqueeFunction): void {
    if (this.originVerify !== undefined) to.allowSecret(this.originVerify);
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
