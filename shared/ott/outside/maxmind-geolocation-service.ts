import { isIP } from 'node:net';
import * as z from 'zod';
import type { SecretReader } from '../../platform/aws/secret-reader.ts';
import { newCache } from '../../platform/cache.ts';
import type { Logger } from '../../platform/logger.ts';
import { type CircuitBreaker, circuitBreaker } from '../../platform/outside/circuit-breaker.ts';
import { type ExternalAnswer, fetchExternal, withRetry } from '../../platform/outside/fetch-external.ts';
import type { OutageWatch } from '../../platform/store/outages.ts';
import { type Clock, systemClock } from '../../platform/time/clock.ts';
import { patient } from '../../platform/time/patience.ts';
import { outageCodes } from '../../platform/watched.ts';
import type { CountryAnswer, GeolocationService } from '../ports/geolocation.ts';
import { type Country, countryCodeSchema } from '../viewers/countries.ts';

export const geolocationSecretSchema = z.object({
  account_id: z.coerce.string().min(1),
  license_key: z.string().min(1),
});
export type GeolocationSecret = z.infer<typeof geolocationSecretSchema>;

/** `country` is absent for an address without a known country. */
const answerSchema = z.object({ country: z.object({ iso_code: z.string().optional() }).optional() });

const defaultTimeoutMilliseconds = patient(1_000);
const defaultCapacity = 5_000;

/**
 * Reads countries from MaxMind's GeoIP Country web service (dev.maxmind.com, "GeoIP and GeoLite web services"). The
 * result for an address is cached, even if its country is unknown. Failures are not cached, so that the first call
 * after an outage succeeds.
 */
export const maxmindGeolocationService = ({
  url,
  secret,
  logger,
  cacheSeconds,
  timeoutMilliseconds = defaultTimeoutMilliseconds,
  capacity = defaultCapacity,
  clock = systemClock,
  breaker = circuitBreaker({ service: 'geolocation', logger, clock }),
  watch = (call) => call(),
}: {
  /** Without a trailing slash. */
  readonly url: string;
  readonly secret: Pick<SecretReader<GeolocationSecret>, 'read' | 'refresh'>;
  readonly logger: Pick<Logger, 'error' | 'warn' | 'info'>;
  readonly cacheSeconds: number;
  /** The time limit of each of the two tries. @default 1_000 */
  readonly timeoutMilliseconds?: number;
  /** The maximum number of addresses in the cache. @default 5_000 */
  readonly capacity?: number;
  readonly clock?: Clock;
  /** @default a new one */
  readonly breaker?: CircuitBreaker;
  /** Makes each call, and learns its outcome. @default only makes the call */
  readonly watch?: OutageWatch;
}): GeolocationService => {
  const cache = newCache<CountryAnswer>({
    capacity,
    lifetimeMilliseconds: cacheSeconds * 1_000,
    clock,
  });

  const lookUp = async (address: string): Promise<CountryAnswer> => {
    try {
      const country = await watch(() =>
        withRetry({
          secret,
          breaker,
          read: countryOf,
          exchange: ({ account_id, license_key }) =>
            fetchExternal({
              url: `${url}/geoip/v2.1/country/${encodeURIComponent(address)}`,
              method: 'GET',
              headers: {
                accept: 'application/json',
                authorization: `Basic ${Buffer.from(`${account_id}:${license_key}`).toString('base64')}`,
              },
              timeoutMilliseconds,
              contentType: /^application\/(vnd\.maxmind\.com-country\+)?json\b/i,
            }),
        }),
      );
      return { outcome: 'answered', country };
    } catch (error) {
      logger.error('Geolocation service unavailable', { code: outageCodes.geolocation, error });
      return { outcome: 'unavailable' };
    }
  };

  return {
    countryOf: async (peer) => {
      const address = peer.toLowerCase().replace(/^::ffff:(?=\d+\.)/, '');
      if (isIP(address) === 0) return { outcome: 'answered', country: undefined };
      const known = cache.get(address);
      if (known !== undefined) return known;
      const answer = await lookUp(address);
      if (answer.outcome === 'answered') cache.set(address, answer);
      return answer;
    },
  };
};

const countryOf = ({ status, json }: ExternalAnswer): Country => {
  // The service responds with 400 for reserved addresses and with 404 for unknown ones.
  if (status === 400 || status === 404) return undefined;
  if (status !== 200) throw new Error(`answered ${status}`);
  const code = countryCodeSchema.safeParse(answerSchema.parse(json).country?.iso_code);
  return code.success ? code.data : undefined;
};
