import type { Country } from '../viewers/countries.ts';

export type CountryAnswer =
  | { readonly outcome: 'answered'; readonly country: Country }
  | { readonly outcome: 'unavailable' };

export interface GeolocationService {
  /** The country of an IP address. Does not reject during an outage of the service, but resolves to `unavailable`. */
  countryOf(address: string): Promise<CountryAnswer>;
}

/** Asks nobody. So the country of a request that the distribution does not know stays unknown. */
export const noGeolocation: GeolocationService = {
  countryOf: async () => ({ outcome: 'answered', country: undefined }),
};
