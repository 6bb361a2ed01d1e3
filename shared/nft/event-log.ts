import type { Address, Hex } from './hex.ts';

/** A log that a contract emitted in a transaction. */
export interface EventLog {
  readonly address: Address;
  readonly topics: readonly Hex[];
  readonly data: Hex;
}

/** Logs of one address, by topic. `null` matches any topic, and so do topics that are left out. */
export interface EventFilter {
  readonly address: Address;
  readonly topics: readonly (Hex | null)[];
}
