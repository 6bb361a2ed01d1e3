import type { EventFilter } from '../../chain/event-log.ts';
import type { Address, Hash, Hex } from '../../chain/hex.ts';
import type { BlockId, Receipt } from '../../chain/receipt.ts';

export interface TransactionCounts {
  /**
   * How many transactions of the address have been mined, as of the newest block. This number is also the nonce of the
   * next transaction of the address that can be mined.
   */
  readonly latest: number;
  /** `latest` plus the transactions in the endpoint's pool whose nonces follow without a gap. */
  readonly pending: number;
}

export interface Fees {
  /** The base fee of the next block, in wei. */
  readonly baseFeePerGas: bigint;
  /** The maximum fee of an ordinary transaction: twice the base fee plus the tip, not limited by the fee ceiling. */
  readonly maxFeePerGas: bigint;
  /** At least the chain's minimum tip (25 gwei on Polygon, PIP-35). */
  readonly maxPriorityFeePerGas: bigint;
}

/** What the *witnesses* of a block say about a transaction, which are the endpoints that have exactly this block. */
export type ReceiptLookup =
  /**
   * At least one witness has a receipt. `receipts` has one for each of them. `agreed` is a receipt that enough witnesses
   * have (two, or one if only one endpoint is configured), with the same block and status.
   */
  | {
      readonly outcome: 'found';
      readonly receipts: readonly Receipt[];
      readonly agreed: Receipt | undefined;
    }
  /** Enough witnesses answered, and none has a receipt. */
  | { readonly outcome: 'absent' }
  /** No witness returned a receipt, but too few answered. It is unknown whether there is a receipt. */
  | { readonly outcome: 'unknown' };

export interface EventQuestion extends EventFilter {
  /** Events before this time are ignored. Milliseconds since the epoch. */
  readonly since: number;
  /**
   * Whether the search goes back to `since`, however long ago that is. Such a search takes about a second for each
   * 10,000 blocks. @default only the last 10,000 blocks are searched
   */
  readonly isUnlimited?: boolean;
  /** Events after this block are ignored. */
  readonly at: BlockId;
}

export type EventLookup =
  | { readonly outcome: 'found'; readonly transactionHash: Hash }
  /** Enough witnesses of the block `at` answered, and no answer contains the event. */
  | { readonly outcome: 'absent' }
  /** Too few witnesses answered, or not in time, so it is unknown whether the requested event exists. */
  | {
      readonly outcome: 'unknown';
      /** Set if the search was given up because it goes back too far. Another one takes as long. */
      readonly isTooLong?: true;
    };

/**
 * How an endpoint responded to a signed transaction. Only `accepted` and `already-known` mean that the transaction is
 * in a pool or mined. After any other outcome, the transaction may still be mined.
 * - `nonce-too-low`: a transaction with this nonce was mined, maybe this one;
 * - `underpriced`: another transaction with this nonce is in the pool, or the tip is lower than the node's minimum;
 * - `fee-below-base`: the maximum fee is lower than the base fee;
 * - `pool-full`: the pool accepts no more transactions for now;
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

/** Where one endpoint finds a transaction: in a block, in its pool or nowhere. Another endpoint may still know it. */
export type Whereabouts = 'mined' | 'pool' | 'absent';

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
 * and hashes are lower-case hex in results, and may have any case in arguments.
 *
 * An implementation uses a list of RPC endpoints. Each of them can be down, lag behind or contradict the others.
 * Therefore:
 * - A method that *observes* queries one endpoint after the other until one answers. It throws {@link
 * ChainUnavailableError} if none does. It never turns a failure into "absent" or zero.
 * - A method that *decides* is told the block `at` by which it decides. It queries every endpoint in one batch with this
 * block, and uses only the answers of its *witnesses*, which have exactly this block. An endpoint that fails, lags or is
 * on another fork does not count as having answered. One witness can prove that something is there. That something is
 * absent counts only if two witnesses say so (or one if only one endpoint is configured) and none says the opposite.
 */
export interface Chain {
  readonly chainId: number;

  /**
   * Observes the transaction counts of the address, both from the same endpoint. A later call can return lower counts,
   * so callers must keep the highest.
   */
  transactionCounts(address: Address): Promise<TransactionCounts>;

  /**
   * Decides how many transactions of the address are mined up to the block `at`: the lowest count of its witnesses.
   * @throws ChainUnavailableError if no witness answers.
   */
  minedCountAt(address: Address, at: BlockId): Promise<number>;

  /**
   * Observes how many transactions of each address are mined. Queries every endpoint once, for all addresses together,
   * and uses the answer of the endpoint with the newest block.
   */
  minedCounts(addresses: readonly Address[]): Promise<ReadonlyMap<Address, number>>;

  /** Observes the balance at the newest block, in wei. */
  balance(address: Address): Promise<bigint>;

  /** Observes the balances of these addresses in one batch. The result has an entry for each address. */
  balances(addresses: readonly Address[]): Promise<ReadonlyMap<Address, bigint>>;
  /**
   * The RPC endpoints that do not answer while another one does, by their places in the secret, counted from 1. Empty if
   * none answers at all.
   */
  silentEndpoints(): Promise<readonly number[]>;

  /** Observes the current fees. The result is cached for one block time. */
  fees(): Promise<Fees>;

  /**
   * Sends a signed transaction to one endpoint after the other, at most once to each, until one accepts it. Never
   * throws: if no endpoint answers, the outcome is `unknown`. Sending the same transaction again does no harm.
   */
  broadcast(raw: Hex): Promise<BroadcastResult>;

  /**
   * Observes where one endpoint finds each of these transactions: in a block, in its pool or nowhere. The result has an
   * entry for each hash.
   */
  whereabouts(hashes: readonly Hash[]): Promise<ReadonlyMap<Hash, Whereabouts>>;

  /**
   * Observes receipts: asks one endpoint after the other until one answers. `null` means that the endpoint that
   * answered has no receipt. Other endpoints may have one.
   */
  receipts(hashes: readonly Hash[]): Promise<ReadonlyMap<Hash, Receipt | null>>;

  /**
   * Decides for each hash whether there is a receipt, by the witnesses of the block `at`. Never throws: the outcome is
   * `unknown` if the answers do not suffice to decide.
   */
  lookUpReceipts(question: {
    readonly hashes: readonly Hash[];
    readonly at: BlockId;
  }): Promise<ReadonlyMap<Hash, ReceiptLookup>>;

  /**
   * Finds the transaction that emitted an event, or the oldest if several did. Decides by the witnesses of the block
   * `at`. Searches only a limited number of blocks back. Never throws.
   */
  findEvent(question: EventQuestion): Promise<EventLookup>;

  /**
   * Observes the newest final block. Depending on the stage, this is the block tagged `finalized` (Polygon's
   * milestones), or the newest block with a certain number of confirmations. A later call can return a lower block, so
   * callers must keep the highest.
   */
  finalizedBlock(): Promise<BlockId>;

  /**
   * Moves the preferred endpoint to the end of the list for a while. Called when something does not advance that should:
   * no new blocks become final, or the signer's lowest transaction is not mined. Perhaps only the preferred endpoint has
   * stopped advancing, or passes no transactions on.
   */
  rotateEndpoint(): Promise<void>;

  /**
   * Decides which block the chain of the block `at` has at each height. All witnesses of `at` that have a block at this
   * height must agree. The hash is `null` if no witness has such a block or if two witnesses disagree. To confirm
   * receipts, call this *after* the receipts were read.
   * @throws ChainUnavailableError if `at` has no witness.
   */
  blockHashes(question: {
    readonly numbers: readonly number[];
    readonly at: BlockId;
  }): Promise<ReadonlyMap<number, Hash | null>>;

  /**
   * Decides by the witnesses of the block `at` whether the address has code as of this block.
   * @throws ChainUnavailableError if no witness found code, but too few answered.
   */
  hasCode(address: Address, at: BlockId): Promise<boolean>;

  /**
   * Makes a read-only call on the state after the block `at`. All witnesses of this block must agree on the result.
   * @throws ChainUnavailableError if they do not, or if too few answered.
   */
  call(call: Call, at: BlockId): Promise<CallResult>;

  /**
   * Finds out why a mined transaction reverted, by repeating its call on the state before its block and on the state
   * after it. Best effort: `undefined` if no reason is found. Never throws. Use the reason only for display, never for
   * a decision.
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
  /** The address in EIP-55 form. The first call may query KMS; later calls return the cached address. */
  address(): Promise<Address>;
  /** Signing the same transaction twice can give two different hashes, because KMS signatures are not deterministic. */
  sign(transaction: UnsignedTransaction): Promise<SignedTransaction>;
}
