import type { OttConfiguration } from '../configuration.ts';
import type { EntitlementService } from '../ports/entitlement.ts';
import type { GeolocationService } from '../ports/geolocation.ts';
import type { Caller } from './caller.ts';
import type { Country } from './countries.ts';
import { type Viewer, viewerOf } from './viewer.ts';

/** What a caller may see depends only on these fields. */
export interface ViewerContext {
  readonly viewer: Viewer;
  readonly configuration: OttConfiguration;
  readonly country: Country;
  /** Whether the country is unknown because the geolocation service does not answer. @default false */
  readonly isLookupOut?: boolean;
}

export interface ResolveContextDependencies {
  readonly entitlement: Pick<EntitlementService, 'check'>;
  readonly geolocation: Pick<GeolocationService, 'countryOf'>;
}

/**
 * Queries the entitlement and geolocation services even if the event does not exist. Otherwise the response time would
 * reveal whether it exists.
 */
export const resolveContext = async (
  { entitlement, geolocation }: ResolveContextDependencies,
  {
    caller: { configuration, login, address, country: known },
    eventId,
  }: {
    readonly caller: Caller;
    /** Set only for a stream request of an event that can exist. */
    readonly eventId?: string;
  },
): Promise<ViewerContext> => {
  const [answer, located] = await Promise.all([
    login === undefined ? undefined : entitlement.check({ ...login, eventId }),
    known === undefined ? geolocation.countryOf(address) : { outcome: 'answered' as const, country: known },
  ]);
  const viewer = viewerOf(answer);
  return located.outcome === 'unavailable'
    ? { viewer, configuration, country: undefined, isLookupOut: true }
    : { viewer, configuration, country: located.country };
};
