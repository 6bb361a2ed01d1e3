import type { EventFilter, EventLog } from '../event-log.ts';
import type { Address, Hash, Hex } from '../hex.ts';

export interface BlockId {
  readonly number: number;
  readonly hash: Hash;
}

export interface TransactionCounts {
  /** The address's mined transactions at the head, which is the nonce to be mined next. */
  readonly latest: number;
  /** `latest` plus the gapless run of transactions in the endpoint's pool. */
  readonly pending: number;
  /** Transactions of the address that are final. */
  readonly finalized: number;
}

export interface Fees {
  /** Base fee of the block after the newest, wei. */
  readonly baseFeePerGas: bigint;
  /** The offer of an ordinary transaction: twice the base fee, plus the tip. Not capped. */
  readonly maxFeePerGas: bigint;
  /** At least the chain's minimum tip (25 gwei on Polygon, PIP-35). */
  readonly maxPriorityFeePerGas: bigint;
}

export interface Receipt {
  readonly transactionHash: Hash;
  readonly blockNumber: number;
  readonly blockHash: Hash;
  /** `success` says only that the call did not revert; nor does a call to an address without code. */
  readonly status: 'success' | 'reverted';
  readonly gasUsed: bigint;
  readonly logs: readonly EventLog[];
}

/** The combined answer of all endpoints about the receipt of one transaction. */
export type ReceiptLookup =
  | { readonly outcome: 'found'; readonly receipt: Receipt }
  /** Every endpoint answered, each has reached the block asked for, and none knows a receipt. */
  | { readonly outcome: 'absent' }
  /** None knows a receipt, but at least one failed or lags: nothing follows from it. */
  | { readonly outcome: 'unknown' };

/** An event, described by what it is about. */
export interface EventQuestion extends EventFilter {
  /** Not older than this, milliseconds since the epoch. */
  readonly since: number;
  /** In this block or before it. */
  readonly at: BlockId;
}

export type EventLookup =
  | { readonly outcome: 'found'; readonly transactionHash: Hash }
  /** Endpoints that have the block answered, and none knows such an event. */
  | { readonly outcome: 'absent' }
  /** None answered: nothing follows from it. */
  | { readonly outcome: 'unknown' };

/**
 * How an endpoint took a signed transaction. Only `accepted` and `already-known` mean that it is in a pool (or
 * mined); no outcome means that it never will be mined.
 * - `nonce-too-low`: some transaction with this nonce was mined, maybe this one;
 * - `underpriced`: another one with this nonce is in the pool, or the tip is below the node's minimum;
 * - `fee-below-base`: the maximum fee is below the base fee;
 * - `pool-full`: the pool takes no more for now;
 * - `rejected`: the endpoint understood it and refuses it for another reason (malformed, gas over the block's limit);
 * - `unknown`: no endpoint gave an answer that can be understood; it may have been accepted.
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
  /** The endpoint's own words, for logs. */
  readonly detail: string;
}

/** Where one endpoint has a transaction. `absent` there says nothing about the others. */
export type TransactionPlace = 'mined' | 'pool' | 'absent';

export interface Call {
  readonly from?: Address;
  readonly to: Address;
  readonly data: Hex;
  readonly gas?: bigint;
}

export type CallResult =
  | { readonly outcome: 'returned'; readonly data: Hex }
  /** `reason`: the decoded revert reason, a custom error's name, or the endpoint's words. */
  | { readonly outcome: 'reverted'; readonly reason: string };

/**
 * What the NFT domain asks of a chain. Quantities are bigint (wei, gas), block numbers and nonces are numbers.
 * Addresses and hashes in answers are lower-case hex; in questions they may have any case.
 *
 * Behind it is a list of RPC endpoints that can be down, lag behind or contradict each other. Therefore:
 * - a method that only observes asks one endpoint after the other until one answers, and throws
 *   {@link ChainUnavailableError} when none does. It never turns a failure into "absent" or zero;
 * - a method that decides (its docstring says so) asks every endpoint, or checks that the answering one has the block
 *   that the question is about. An endpoint that lags, fails or contradicts does not count as an answer.
 */
export interface Chain {
  readonly chainId: number;

  /** Observes; the three counts come from one endpoint. They can go back between two calls: keep the maximum. */
  transactionCounts(address: Address): Promise<TransactionCounts>;

  /**
   * Observes how many transactions of each address are mined, by the endpoint with the highest head: an endpoint that
   * lags, or is stuck on abandoned blocks, does not count. Asks every endpoint once, for all addresses together.
   */
  minedCounts(addresses: readonly Address[]): Promise<ReadonlyMap<Address, number>>;

  /** Observes the balance at the head, wei. */
  balance(address: Address): Promise<bigint>;

  /** Observes; cached for one block time. */
  fees(): Promise<Fees>;

  /**
   * Sends a signed transaction, to each endpoint at most once, in order, until one accepts it. Never throws: when none
   * answers, the outcome is `unknown`. Sending the same bytes again later does no harm.
   */
  broadcast(raw: Hex): Promise<BroadcastResult>;

  /** Observes which of these transactions one endpoint has. The result has an entry for each hash. */
  places(hashes: readonly Hash[]): Promise<ReadonlyMap<Hash, TransactionPlace>>;

  /** Observes, batched, from one endpoint. `null` means that this endpoint knows no receipt; it decides nothing. */
  receipts(hashes: readonly Hash[]): Promise<ReadonlyMap<Hash, Receipt | null>>;

  /**
   * Decides whether no endpoint knows a receipt. An endpoint whose finalized height is below `asOf` does not count as
   * an answer. Never throws: what cannot be answered is `unknown`.
   */
  lookUpReceipts(question: {
    readonly hashes: readonly Hash[];
    readonly asOf: number;
  }): Promise<ReadonlyMap<Hash, ReceiptLookup>>;

  /**
   * Decides which transaction emitted an event, the oldest if there are several. An endpoint with another hash for that
   * block does not count. Looks back a bounded number of blocks. Never throws.
   */
  findEvent(question: EventQuestion): Promise<EventLookup>;

  /**
   * Observes the newest final block: that of the `finalized` tag (Polygon's milestones), or the one under the stage's
   * number of confirmations. It can go back between two calls: keep the maximum.
   */
  finalizedBlock(): Promise<BlockId>;

  /**
   * Moves the preferred endpoint to the end of the list for a while: the chain seems to stand still, and the endpoint
   * may be the reason.
   */
  rotateEndpoint(): Promise<void>;

  /**
   * Decides the hash of each block, when all answering endpoints that have the block agree; `null` where none has it or
   * two contradict. Read it *after* the receipts that it is to confirm. Throws when no endpoint answers.
   */
  blockHashes(numbers: readonly number[]): Promise<ReadonlyMap<number, Hash | null>>;

  /** Decides whether the address has code as of `at`, by an endpoint that has that very block. */
  hasCode(address: Address, at: BlockId): Promise<boolean>;

  /** Decides a read-only call as of `at`, by an endpoint that has that very block. */
  call(call: Call, at: BlockId): Promise<CallResult>;

  /**
   * Best effort, for people: why a mined transaction reverted, found by running it again on the block before.
   * `undefined` where that shows nothing. Never throws. Nothing may be decided by it.
   */
  revertReason(call: Call, blockNumber: number): Promise<string | undefined>;
}

/** The fields to sign: an EIP-1559 transaction on the signer's chain. */
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
  /** Its number among the stage's signers, from 1. */
  readonly number: number;
  readonly chainId: number;
  /** EIP-55 form. The first call may ask KMS; later ones answer from memory. */
  address(): Promise<Address>;
  /** Signing the same transaction twice may give two hashes: KMS signatures are not deterministic. */
  sign(transaction: UnsignedTransaction): Promise<SignedTransaction>;
}
