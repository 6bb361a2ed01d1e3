import type { EventFilter, EventLog } from '../event-log.ts';
import type { Address, Hash, Hex } from '../hex.ts';

export interface BlockId {
  readonly number: number;
  readonly hash: Hash;
}

export interface TransactionCounts {
  /** Transactions of the address mined at the head: the nonce that is mined next. */
  readonly latest: number;
  /** As `latest`, plus the gapless run of transactions in the endpoint's pool. */
  readonly pending: number;
  /** Transactions of the address that are final. */
  readonly finalized: number;
}

export interface Fees {
  /** Base fee of the block after the newest, wei. */
  readonly baseFeePerGas: bigint;
  /** What an ordinary transaction offers: room for the base fee to double, plus the tip. Not capped. */
  readonly maxFeePerGas: bigint;
  /** At least the chain's minimum tip (25 gwei on Polygon, PIP-35). */
  readonly maxPriorityFeePerGas: bigint;
}

export interface Receipt {
  readonly transactionHash: Hash;
  readonly blockNumber: number;
  readonly blockHash: Hash;
  /** `success` says that the call did not revert, which a call into an address without code does not either. */
  readonly status: 'success' | 'reverted';
  readonly gasUsed: bigint;
  readonly logs: readonly EventLog[];
}

/** The answer of every endpoint together about the receipt of one transaction. */
export type ReceiptLookup =
  | { readonly outcome: 'found'; readonly receipt: Receipt }
  /** Every endpoint answered, each stands at least at the block asked for, and none knows a receipt. */
  | { readonly outcome: 'absent' }
  /** None knows a receipt, but at least one failed or lags: nothing follows from it. */
  | { readonly outcome: 'unknown' };

/** An event by what it is about. */
export interface EventQuestion extends EventFilter {
  /** Not older than this, milliseconds since the epoch. */
  readonly since: number;
  /** In this block or before it. */
  readonly at: BlockId;
}

export type EventLookup =
  | { readonly outcome: 'found'; readonly transactionHash: Hash }
  /** Endpoints that stand on the block answered, and none knows such an event. */
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
 * What the NFT domain asks of a chain. Quantities are bigint (wei, gas), block numbers and nonces are
 * numbers. Addresses and hashes that a chain answers are lower-case hex; those it is given may be in any case.
 *
 * Behind it stands a list of RPC endpoints that can be down, lag behind or contradict each other. Therefore:
 * - a method that only observes asks one endpoint after the other until one answers, and throws
 *   {@link ChainUnavailableError} when none does. It never turns a failure into "absent" or zero;
 * - a method that decides (its docstring says so) asks every endpoint, or checks that the answering one stands
 *   on the block that the question is about. What lags, fails or contradicts does not count as an answer.
 */
export interface Chain {
  readonly chainId: number;

  /** Observes; the three counts come from one endpoint. They can go back between two calls: keep the maximum. */
  transactionCounts(address: Address): Promise<TransactionCounts>;

  /**
   * Observes how many transactions of each address are mined, by the endpoint whose head is the highest: one that lags,
   * or stands still on blocks that the chain gave up, has no say. Asks every endpoint once, for all of them together.
   */
  minedCounts(addresses: readonly Address[]): Promise<ReadonlyMap<Address, number>>;

  /** Observes the balance at the head, wei. */
  balance(address: Address): Promise<bigint>;

  /** Observes; kept for one block time. */
  fees(): Promise<Fees>;

  /**
   * Sends a signed transaction, to each endpoint at most once and in order until one takes it. Never throws:
   * when none answers the outcome is `unknown`. Sending the same bytes again later does no harm.
   */
  broadcast(raw: Hex): Promise<BroadcastResult>;

  /** Observes; which of these transactions one endpoint has. Has an entry for each hash asked. */
  places(hashes: readonly Hash[]): Promise<ReadonlyMap<Hash, TransactionPlace>>;

  /** Observes, batched, from one endpoint. `null` means that this endpoint knows no receipt, and decides nothing. */
  receipts(hashes: readonly Hash[]): Promise<ReadonlyMap<Hash, Receipt | null>>;

  /**
   * Decides whether no endpoint knows a receipt. An endpoint whose finalized height is below `asOf` does not
   * count as an answer. Never throws: what cannot be answered is `unknown`.
   */
  lookUpReceipts(question: {
    readonly hashes: readonly Hash[];
    readonly asOf: number;
  }): Promise<ReadonlyMap<Hash, ReceiptLookup>>;

  /**
   * Decides which transaction emitted an event, the oldest if there are several. An endpoint whose block of that
   * number has another hash has no say. Looks back a bounded number of blocks. Never throws.
   */
  findEvent(question: EventQuestion): Promise<EventLookup>;

  /**
   * Observes the newest final block: the `finalized` tag's (Polygon's milestones), or the one that lies under the
   * stage's number of confirmations. It can go back between two calls: keep the maximum.
   */
  finalizedBlock(): Promise<BlockId>;

  /** What is observed does not move, and the endpoint may be why: it is asked last for a while. */
  preferAnother(): Promise<void>;

  /**
   * Decides: the hash of each block as all answering endpoints that have it agree; `null` where none has it or
   * two contradict. Read it *after* the receipts that it is to confirm. Throws when no endpoint answers.
   */
  blockHashes(numbers: readonly number[]): Promise<ReadonlyMap<number, Hash | null>>;

  /** Decides: whether the address has code as of `at`, by an endpoint whose block of that number has that hash. */
  hasCode(address: Address, at: BlockId): Promise<boolean>;

  /** Decides: a read-only call as of `at`, by an endpoint whose block of that number has that hash. */
  call(call: Call, at: BlockId): Promise<CallResult>;

  /**
   * Best effort, for people to read: why a mined transaction reverted, by running it again on the block before.
   * `undefined` where that tells nothing. Never throws and never to be decided by.
   */
  revertReason(call: Call, blockNumber: number): Promise<string | undefined>;
}

/** What is signed: an EIP-1559 transaction of the signer's chain. */
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
  /** Its place among the stage's signers, from 1. */
  readonly number: number;
  readonly chainId: number;
  /** EIP-55 form. The first call may ask the key's service; later ones answer from memory. */
  address(): Promise<Address>;
  /** The same transaction signed twice may give two hashes: KMS signatures are not deterministic. */
  sign(transaction: UnsignedTransaction): Promise<SignedTransaction>;
}
