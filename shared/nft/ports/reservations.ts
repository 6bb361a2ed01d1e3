import type { Nft } from '../collection/nft.ts';
import type { Claim, ResourceReference } from './claims.ts';
import type { Places } from './supplies.ts';

/** Tokens that are reserved for users, with what the request holds. */
export interface Reservation {
  /** New tokens with consecutive ids, in their order. At least one. */
  readonly tokens: readonly Nft[];
  readonly claim?: Claim | undefined;
  /** Set if the collection's supply is limited. */
  readonly places?: Places | undefined;
}

/** As `RecordOutcome`. Nothing was written unless the outcome is `recorded`. */
export type ReservationOutcome =
  | { readonly outcome: 'recorded' }
  | { readonly outcome: 'key-done'; readonly result: ResourceReference }
  | { readonly outcome: 'key-lost' }
  | { readonly outcome: 'busy'; readonly reason: string }
  | { readonly outcome: 'places-lost' };

/** Writes of reserved tokens. They need no transaction on the chain. */
export interface Reservations {
  /** Stores the tokens and the key's result in one write. Writing the same again within ten minutes changes nothing. */
  record(reservation: Reservation): Promise<ReservationOutcome>;
}
