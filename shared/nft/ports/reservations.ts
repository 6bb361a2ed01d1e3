import type { Address } from '../../chain/hex.ts';
import type { Line } from '../history/line.ts';
import type { Nft, NftMetadata } from '../tokens/nft.ts';
import type { Hold, ResourceReference } from './holds.ts';
import type { Places } from './supplies.ts';

/** Tokens that are reserved for users, with what the request holds. */
export interface Reservation {
  /** New tokens with consecutive ids, in their order. At least one. */
  readonly tokens: readonly Nft[];
  readonly hold?: Hold | undefined;
  /** Set if the collection's supply is limited. */
  readonly places?: Places | undefined;
}

/** The tokens are as they were read. */
export type ReservedChange =
  | {
      readonly kind: 'assignment';
      readonly tokens: readonly [Nft];
      /** The stand-in of the user who gets the token, and the user's `reservationHolder`. */
      readonly to: { readonly standIn: Address; readonly holder: string };
    }
  | {
      readonly kind: 'revocation';
      readonly tokens: readonly [Nft];
      /** Whether the token's place in a limited supply becomes free. */
      readonly isPlaced: boolean;
    }
  | { readonly kind: 'metadata'; readonly tokens: readonly Nft[]; readonly metadata: readonly NftMetadata[] };

/** The outcomes mean the same as in `RecordOutcome`. Unless the outcome is `recorded`, nothing was written. */
export type ReservationOutcome =
  | { readonly outcome: 'recorded' }
  | { readonly outcome: 'key-done'; readonly result: ResourceReference }
  | { readonly outcome: 'key-lost' }
  | { readonly outcome: 'busy'; readonly reason: string }
  | { readonly outcome: 'places-lost' }
  /** Tokens of another request have these ids, because the counter of ids was lost. */
  | { readonly outcome: 'ids-used' };

export type ReservedChangeOutcome =
  | Exclude<ReservationOutcome, { readonly outcome: 'places-lost' | 'ids-used' }>
  /** A token is not reserved any more, or was changed since it was read. */
  | { readonly outcome: 'outdated' };

/** Writes of reserved tokens. They need no transaction on the chain. */
export interface Reservations {
  /** Stores the tokens and the key's result in one write. Writing the same again within ten minutes changes nothing. */
  record(reservation: Reservation): Promise<ReservationOutcome>;
  /**
   * Changes the tokens and stores the line and the key's result in one write, if each token still has the version that
   * was read. Writing the same again with the same `requestToken` within ten minutes changes nothing.
   */
  change(change: {
    readonly change: ReservedChange;
    /** What the history of the tokens tells of the change. */
    readonly line: Line;
    readonly hold?: Hold | undefined;
    /** Only this request has it. At most 36 characters. */
    readonly requestToken: string;
  }): Promise<ReservedChangeOutcome>;
}
