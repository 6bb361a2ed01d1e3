import { Construct } from 'constructs';
import type { OutageCode } from '../../shared/watched.ts';
import { ServiceSecret } from '../constructs/encryption.ts';
import { alarmsOnCodes, type WatchedCode } from '../constructs/function-alarms.ts';
import type { MarqueeFunction } from '../constructs/marquee-function.ts';
import { configured, stageOf } from '../constructs/stage.ts';

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

/**
 * The services that are asked about every viewer, and the secret that proves that a request came through the
 * distribution.
 */
export class OutsideServices extends Construct {
  private readonly entitlement = new ServiceSecret(this, 'EntitlementSecret', {
    description: 'Credentials of the entitlement service: api_key',
  });
  private readonly geolocation = new ServiceSecret(this, 'GeolocationSecret', {
    description: 'Credentials of the geolocation service: account_id and license_key',
  });
  private readonly originVerify = stageOf(this).ott.behindDistribution
    ? new ServiceSecret(this, 'OriginVerifySecret', {
        description: 'What the distribution sends as x-origin-verify: values, one or two',
      })
    : undefined;
  readonly ask = [this.entitlement.read, this.geolocation.read];
  readonly readOrigin = this.originVerify === undefined ? [] : [this.originVerify.read];
  /** The environment of a call that must know whether the request came through the distribution. */
  readonly originEnvironment = { ORIGIN_VERIFY_SECRET_ARN: this.originVerify?.secretArn };

  get environment() {
    const { entitlement, geolocation } = stageOf(this).ott;
    return {
      ENTITLEMENT_URL: configured(this, entitlement.url),
      ENTITLEMENT_SECRET_ARN: this.entitlement.secretArn,
      GEOLOCATION_URL: configured(this, geolocation.url),
      GEOLOCATION_SECRET_ARN: this.geolocation.secretArn,
      ...this.originEnvironment,
      GEOLOCATION_CACHE_SECONDS: String(geolocation.cacheSeconds),
    };
  }

  /**
   * Counts the log lines of these functions about outages. The calls themselves succeed, so no other metric shows an
   * outage.
   */
  watch(callers: readonly MarqueeFunction[]): void {
    alarmsOnCodes(this, callers, outages);
  }
}
