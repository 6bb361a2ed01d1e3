import type { Address, Hex } from './hex.ts';

/** What a contract logged in a transaction. */
export interface EventLog {
  readonly address: Address;
  readonly topics: readonly Hex[];
  readonly data: Hex;
}

/** Logs of one address by their topics. A topic that is `null` may be any; topics left out may be any, too. */
export interface EventFilter {
  readonly address: Address;
  readonly topics: readonly (Hex | null)[];
}
