import type { Caller } from './caller.ts';
import type { Audience } from './decision.ts';
import type { EntitlementService } from './ports/entitlement.ts';
import type { GeolocationService } from './ports/geolocation.ts';
import { viewerOf } from './viewer.ts';

export type ResolveAudience = (caller: Caller, asked?: { readonly eventId: string }) => Promise<Audience>;

/**
 * Asks the outside services about a caller, both at once and on every request: whether they are asked must not
 * depend on what the catalogue holds, or the time of an answer would tell.
 */
export const audienceResolver =
  ({
    entitlement,
    geolocation,
  }: {
    readonly entitlement: EntitlementService;
    readonly geolocation: GeolocationService;
  }): ResolveAudience =>
  async ({ application, login, address, country: known }, asked) => {
    const [answer, country] = await Promise.all([
      login === undefined ? undefined : entitlement.check({ ...login, eventId: asked?.eventId }),
      known ?? geolocation.countryOf(address),
    ]);
    return { viewer: viewerOf(answer), client: application.ott, country };
  };
