import type { EventLog } from './event-log.ts';
import type { Hash } from './hex.ts';

export interface BlockId {
  readonly number: number;
  readonly hash: Hash;
}

export interface Receipt {
  readonly transactionHash: Hash;
  readonly blockNumber: number;
  readonly blockHash: Hash;
  /** `success` means only that the call did not revert. A call to an address without code does not revert either. */
  readonly status: 'success' | 'reverted';
  readonly gasUsed: bigint;
  readonly logs: readonly EventLog[];
}
