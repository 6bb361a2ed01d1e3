import type { GeolocationService } from '../ports/geolocation.ts';

/** Asks nobody. So the country of a request that the distribution does not know stays unknown. */
export const noGeolocation: GeolocationService = {
  countryOf: async () => ({ outcome: 'answered', country: undefined }),
};
