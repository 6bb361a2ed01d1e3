import type { Country } from '../countries.ts';

export interface GeolocationService {
  /** The country of an IP address. `undefined` if it is unknown or the service gives no usable answer. */
  countryOf(address: string): Promise<Country>;
}
