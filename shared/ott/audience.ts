import type { Caller } from './caller.ts';
import type { Audience } from './decision.ts';
import type { EntitlementService } from './ports/entitlement.ts';
import type { GeolocationService } from './ports/geolocation.ts';
import { viewerOf } from './viewer.ts';

export interface ResolveAudienceDependencies {
  readonly entitlement: Pick<EntitlementService, 'check'>;
  readonly geolocation: Pick<GeolocationService, 'countryOf'>;
}

/**
 * Asks the outside services about a caller, both at once and on every request: whether they are asked must not
 * depend on what the catalogue holds, or the time of an answer would tell.
 */
export const resolveAudience = async (
  { entitlement, geolocation }: ResolveAudienceDependencies,
  {
    caller: { client, login, address, country: known },
    eventId,
  }: {
    readonly caller: Caller;
    /** The event whose stream is asked for. */
    readonly eventId?: string;
  },
): Promise<Audience> => {
  const [answer, country] = await Promise.all([
    login === undefined ? undefined : entitlement.check({ ...login, eventId }),
    known ?? geolocation.countryOf(address),
  ]);
  return { viewer: viewerOf(answer), client, country };
};
