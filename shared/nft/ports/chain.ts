import type { EventFilter, EventLog } from '../event-log.ts';
import type { Address, Hash, Hex } from '../hex.ts';

export interface BlockId {
  readonly number: number;
  readonly hash: Hash;
}

export interface TransactionCounts {
  /** How many transactions of the address are mined at the head of the chain. The next transaction has this nonce. */
  readonly latest: number;
  /** `latest` plus the gapless run of transactions in the endpoint's pool. */
  readonly pending: number;
  readonly finalized: number;
}

export interface Fees {
  /** The base fee of the next block, in wei. */
  readonly baseFeePerGas: bigint;
  /** The maximum fee of an ordinary transaction: twice the base fee plus the tip, not limited by the fee ceiling. */
  readonly maxFeePerGas: bigint;
  /** At least the chain's minimum tip (25 gwei on Polygon, PIP-35). */
  readonly maxPriorityFeePerGas: bigint;
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

export type ReceiptLookup =
  | { readonly outcome: 'found'; readonly receipt: Receipt }
  /** Every endpoint answered, has reached the block in question and knows no receipt. */
  | { readonly outcome: 'absent' }
  /** No endpoint knows a receipt, but at least one failed or lags. Nothing may be concluded. */
  | { readonly outcome: 'unknown' };

export interface EventQuestion extends EventFilter {
  /** Ignores older events; milliseconds since the epoch. */
  readonly since: number;
  /** Ignores events in later blocks. */
  readonly at: BlockId;
}

export type EventLookup =
  | { readonly outcome: 'found'; readonly transactionHash: Hash }
  /** Endpoints that have the block answered, and none of them knows such an event. */
  | { readonly outcome: 'absent' }
  /** No endpoint answered. Nothing may be concluded. */
  | { readonly outcome: 'unknown' };

/**
 * How an endpoint responded to a signed transaction. Only `accepted` and `already-known` mean that the transaction is
 * in a pool or mined. After any other outcome it may still be mined.
 * - `nonce-too-low`: a transaction with this nonce was mined, maybe this one;
 * - `underpriced`: another transaction with this nonce is in the pool, or the tip is lower than the node's minimum;
 * - `fee-below-base`: the maximum fee is lower than the base fee;
 * - `pool-full`: the pool takes no more transactions for now;
 * - `rejected`: the endpoint refuses the transaction for another reason (malformed, gas over the block's limit);
 * - `unknown`: no endpoint gave an intelligible answer. The transaction may have been accepted.
 */
export type BroadcastOutcome =
  | 'accepted'
  | 'already-known'
  | 'nonce-too-low'
  | 'underpriced'
  | 'fee-below-base'
  | 'insufficient-funds'
  | 'pool-full'
  | 'rejected'
  | 'unknown';

export interface BroadcastResult {
  readonly outcome: BroadcastOutcome;
  readonly detail: string;
}

/** Where one endpoint has a transaction. `absent` says nothing about other endpoints. */
export type TransactionPlace = 'mined' | 'pool' | 'absent';

export interface Call {
  readonly from?: Address;
  readonly to: Address;
  readonly data: Hex;
  readonly gas?: bigint;
}

export type CallResult =
  | { readonly outcome: 'returned'; readonly data: Hex }
  /** The decoded revert reason, the name of a custom error, or the endpoint's own message. */
  | { readonly outcome: 'reverted'; readonly reason: string };

/**
 * The NFT domain's view of a chain. Amounts of wei and gas are bigint; block numbers and nonces are numbers. Addresses
 * and hashes in results are lower-case hex; in arguments they may have any case.
 *
 * An implementation uses a list of RPC endpoints. Each of them can be down, lag behind or contradict the others.
 * Therefore:
 * - a method that *observes* tries one endpoint after the other until one answers, and throws {@link
 * ChainUnavailableError} if none does. It never turns a failure into "absent" or zero;
 * - a method that *decides* asks every endpoint, or checks that the answering endpoint has the block in question. An
 * endpoint that lags, fails or contradicts does not count as an answer.
 */
export interface Chain {
  readonly chainId: number;

  /** Observes. The three counts come from one endpoint. A later call can return lower counts: keep the maximum. */
  transactionCounts(address: Address): Promise<TransactionCounts>;

  /**
   * Observes how many transactions of each address are mined, by the endpoint with the highest head: one that lags does
   * not count. Queries every endpoint once, for all addresses together.
   */
  minedCounts(addresses: readonly Address[]): Promise<ReadonlyMap<Address, number>>;

  /** Observes the balance at the head, in wei. */
  balance(address: Address): Promise<bigint>;

  /** Observes. Cached for one block time. */
  fees(): Promise<Fees>;

  /**
   * Sends a signed transaction to each endpoint in order, at most once, until one accepts it. Never throws: if no
   * endpoint answers, the outcome is `unknown`. The same transaction may be sent again without harm.
   */
  broadcast(raw: Hex): Promise<BroadcastResult>;

  /** Observes which of these transactions one endpoint has. The result has an entry for each hash. */
  places(hashes: readonly Hash[]): Promise<ReadonlyMap<Hash, TransactionPlace>>;

  /** Observes, in batches, from one endpoint. `null` means that this endpoint knows no receipt; others may. */
  receipts(hashes: readonly Hash[]): Promise<ReadonlyMap<Hash, Receipt | null>>;

  /**
   * Decides whether no endpoint knows a receipt. An endpoint whose final block is lower than `asOf` does not count as
   * an answer. Never throws: an undecidable lookup is `unknown`.
   */
  lookUpReceipts(question: {
    readonly hashes: readonly Hash[];
    readonly asOf: number;
  }): Promise<ReadonlyMap<Hash, ReceiptLookup>>;

  /**
   * Decides which transaction emitted an event; if several did, the oldest. An endpoint with another hash for the block
   * `at` does not count. Searches a limited number of blocks back. Never throws.
   */
  findEvent(question: EventQuestion): Promise<EventLookup>;

  /**
   * Observes the newest final block: that of the `finalized` tag (Polygon's milestones), or the newest with the stage's
   * number of confirmations. A later call can return a lower block: keep the maximum.
   */
  finalizedBlock(): Promise<BlockId>;

  /** Moves the preferred endpoint to the end of the list for a while, in case it is why the chain seems to stop. */
  rotateEndpoint(): Promise<void>;

  /**
   * Decides the hash of each block: all answering endpoints that have the block must agree. `null` if none has it or
   * two contradict. Call it *after* the receipts that it confirms were read. Throws if no endpoint answers.
   */
  blockHashes(numbers: readonly number[]): Promise<ReadonlyMap<number, Hash | null>>;

  /** Decides whether the address has code as of `at`, by an endpoint that has exactly that block. */
  hasCode(address: Address, at: BlockId): Promise<boolean>;

  /** Decides a read-only call as of `at`, by an endpoint that has exactly that block. */
  call(call: Call, at: BlockId): Promise<CallResult>;

  /**
   * Why a mined transaction reverted, found by running it again on the block before. Only for display: best effort,
   * `undefined` if no reason is found, never throws. Never decide anything by it.
   */
  revertReason(call: Call, blockNumber: number): Promise<string | undefined>;
}

export interface UnsignedTransaction {
  readonly nonce: number;
  readonly to: Address;
  readonly data: Hex;
  /** @default 0n */
  readonly value?: bigint;
  readonly gas: bigint;
  readonly maxFeePerGas: bigint;
  readonly maxPriorityFeePerGas: bigint;
}

export interface SignedTransaction {
  readonly raw: Hex;
  readonly hash: Hash;
}

export interface Signer {
  /** The signer's number within the stage, starting from 1. */
  readonly number: number;
  readonly chainId: number;
  /** EIP-55 form. The first call may query KMS; later calls answer from memory. */
  address(): Promise<Address>;
  /** Signing the same transaction twice may give two hashes: KMS signatures are not deterministic. */
  sign(transaction: UnsignedTransaction): Promise<SignedTransaction>;
}
