import type { Address, Hex } from './hex.ts';

export interface EventLog {
  readonly address: Address;
  readonly topics: readonly Hex[];
  readonly data: Hex;
}

/** Selects the logs of one address by their topics. A topic that is `null` or omitted matches any topic. */
export interface EventFilter {
  readonly address: Address;
  readonly topics: readonly (Hex | null)[];
}
