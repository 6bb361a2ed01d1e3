import { Construct } from 'constructs';
import { originVerifyFields } from '../../shared/platform/origin-verify.ts';
import type { OutageCode } from '../../shared/platform/watched.ts';
import type { WatchedCode } from '../platform/constructs/function-alarms.ts';
import { ServiceSecret } from '../platform/constructs/service-secret.ts';
import { configured, stageOf } from '../platform/constructs/stage.ts';

/**
 * Alarms on log lines about outages of outside services. An alarm on 5xx may stay off, as most calls still succeed.
 * `remembered`: for how many seconds viewers play on by what was answered before the outage.
 */
const outagesOf = (remembered: number) =>
  ({
    ENTITLEMENT_UNAVAILABLE: {
      threshold: 10,
      whatGoesWrong:
        remembered === 0
          ? 'The entitlement service does not answer: nobody can play paid streams, and VIPs see only what everyone sees.'
          : `The entitlement service does not answer: only viewers to whom it granted a paid stream before play on, for at most ${remembered} seconds. VIPs see only what everyone sees.`,
      runbook: 'the-entitlement-service-is-down',
      severity: 'page',
    },
    GEOLOCATION_UNAVAILABLE: {
      threshold: 10,
      whatGoesWrong:
        'The geolocation service does not answer: calls for events with a country rule get a 503, and lists omit them.',
      runbook: 'the-geolocation-service-is-down',
      severity: 'page',
    },
    TICKETS_UNAVAILABLE: {
      threshold: 10,
      whatGoesWrong: `No RPC endpoint says who holds a ticket: its holders cannot play${
        remembered === 0 ? '' : ` ${remembered} seconds after their ticket was found last`
      }, while those who bought play on.`,
      runbook: 'tickets-cannot-be-judged',
      severity: 'page',
    },
  }) satisfies Record<OutageCode, WatchedCode>;

/**
 * The entitlement and geolocation services, which are queried about every viewer, and the secret that proves that a
 * request came through the CloudFront distribution.
 */
export class OutsideServices extends Construct {
  private readonly entitlement = new ServiceSecret(this, 'EntitlementSecret', {
    name: 'entitlement',
    description: 'Credentials of the entitlement service: api_key',
  });
  /** Present unless nobody is asked for a country that the distribution does not know. */
  private readonly geolocation =
    stageOf(this).ott.geolocation.fallback === 'none'
      ? undefined
      : new ServiceSecret(this, 'GeolocationSecret', {
          name: 'geolocation',
          description: 'Credentials of the geolocation service: account_id and license_key',
        });
  /** Present if the stage has a distribution. */
  readonly originVerify = stageOf(this).ott.behindDistribution
    ? new ServiceSecret(this, 'OriginVerifySecret', {
        name: 'origin-verify',
        description: 'The two values that calls through the distribution may have as x-origin-verify',
        readFields: originVerifyFields,
      })
    : undefined;
  /** Allows reading the secret of the distribution. Empty if the stage has no distribution. */
  readonly readOrigin = this.originVerify ? [this.originVerify.readAs('ORIGIN_VERIFY_SECRET_ARN')] : [];
  readonly askEntitlement = this.entitlement.readAs('ENTITLEMENT_SECRET_ARN');
  /** Allows asking the geolocation service. Empty if nobody is asked. */
  readonly askCountry = this.geolocation ? [this.geolocation.readAs('GEOLOCATION_SECRET_ARN')] : [];

  /** The address of the geolocation service, if it is asked. */
  get geolocationUrl(): string | undefined {
    return this.geolocation && configured(this, stageOf(this).ott.geolocation.url);
  }

  get environment() {
    const { entitlement, geolocation } = stageOf(this).ott;
    return {
      ENTITLEMENT_URL: configured(this, entitlement.url),
      GEOLOCATION_URL: this.geolocationUrl,
      GEOLOCATION_CACHE_SECONDS: this.geolocation && String(geolocation.cacheSeconds),
    };
  }

  /** The outages of the services that the stage asks. */
  get outages(): Readonly<Record<string, WatchedCode>> {
    const all = outagesOf(stageOf(this).ott.entitlement.lastKnownGoodSeconds);
    const { GEOLOCATION_UNAVAILABLE: _, ...others } = all;
    return this.geolocation ? all : others;
  }
}
