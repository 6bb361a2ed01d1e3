import { type Clock, systemClock } from '../../platform/time/clock.ts';
import type { Endpoints } from '../ports/endpoints.ts';
import type { Endpoint } from './endpoint.ts';

/**
 * How long the list of endpoints is reused. Endpoints are few and rarely change. If an address is not in the list, the
 * list is read again earlier.
 */
const lifetimeMilliseconds = 30_000;
/**
 * How long after a read of the list an unknown address causes no further read. Without this pause, an address that was
 * subscribed by hand would cause a read each time, because the list never contains it.
 */
const quietMilliseconds = 5_000;

/**
 * The endpoint that an address belongs to comes last: a subscribed one after those that were removed, and the newest
 * after older ones. Only one is subscribed, unless an earlier release stored another.
 */
const byClaim = (a: Endpoint, b: Endpoint): number =>
  (a.removedAt ?? Number.MAX_SAFE_INTEGER) - (b.removedAt ?? Number.MAX_SAFE_INTEGER) ||
  a.createdAt - b.createdAt ||
  (a.applicationId < b.applicationId ? -1 : 1);

/** Finds the endpoint that an address belongs to. */
export const endpointFinder = ({
  endpoints,
  clock = systemClock,
}: {
  readonly endpoints: Pick<Endpoints, 'list'>;
  readonly clock?: Clock;
}): ((destination: string) => Promise<Endpoint | undefined>) => {
  let known: ReadonlyMap<string, Endpoint> = new Map();
  let readAt = Number.NEGATIVE_INFINITY;
  return async (destination) => {
    const age = clock() - readAt;
    if (age >= lifetimeMilliseconds || (age >= quietMilliseconds && !known.has(destination))) {
      const all = await endpoints.list();
      known = new Map(all.toSorted(byClaim).map((endpoint) => [endpoint.destination, endpoint]));
      readAt = clock();
    }
    return known.get(destination);
  };
};
