import type { SignerId } from '../transactions/entry.ts';
import type { Fees } from './chain.ts';

/** The stored state of a signer. Counts and heights only rise, even if a lagging endpoint returns lower ones. */
export interface SignerState {
  readonly id: SignerId;
  readonly nextNonce: number;
  /** When the last nonce was reserved, in milliseconds since the epoch. */
  readonly lastTakenAt: number;
  /**
   * The name of the Step Functions execution that works for the signer. No other execution is allowed to work for the
   * signer.
   */
  readonly generation: string;
  /** The highest number of mined transactions ever seen. */
  readonly minedCount: number;
  /**
   * For every nonce lower than this that is not reopened, the transaction is final on the chain and the log has its
   * outcome.
   */
  readonly finalizedCount: number;
  /** Nonces whose entries were restored without an outcome and are not decided yet. Most are below `finalizedCount`. */
  readonly reopened: ReadonlySet<number>;
  /** The number of the newest final block ever seen. */
  readonly finalizedHeight: number;
  /** The highest possible cost, in wei, of all unmined entries with nonces lower than `costedThrough`. */
  readonly unminedCost: bigint;
  readonly costedThrough: number;
  readonly fees: (Fees & { readonly readAt: number }) | undefined;
  /** At `seenAt`, every nonce lower than `through` was reserved, and some of these nonces had no log entry. */
  readonly gap: { readonly through: number; readonly seenAt: number } | undefined;
  /** A draining signer gets no new collections. It continues to serve its existing ones. */
  readonly isDraining: boolean;
}

export type SignerProgress = Pick<
  SignerState,
  'minedCount' | 'finalizedCount' | 'finalizedHeight' | 'unminedCost' | 'costedThrough' | 'fees'
>;

/** The states of the signers. Reads are strongly consistent. The items are never part of a DynamoDB transaction. */
export interface Signers {
  find(id: SignerId): Promise<SignerState | undefined>;
  list(): Promise<SignerState[]>;
  create(state: SignerState): Promise<void>;
  /** Reserves the signer's next nonce with one atomic increment. `undefined` if the signer does not exist yet. */
  reserveNonce(taking: {
    readonly id: SignerId;
    readonly at: number;
  }): Promise<{ readonly nonce: number; readonly state: SignerState } | undefined>;
  /** Raises `nextNonce` to `count`; never lowers it. */
  raiseNextNonce(raise: { readonly id: SignerId; readonly count: number }): Promise<void>;
  /** Stores the progress that a round of the waiter has seen, unless another round has already stored more progress. */
  saveProgress(save: { readonly id: SignerId; readonly progress: SignerProgress }): Promise<void>;
  /** Adds nonces to `reopened`. */
  reopen(reopen: { readonly id: SignerId; readonly nonces: readonly number[] }): Promise<void>;
  /** Removes from `reopened` nonces whose entries are decided. */
  close(close: { readonly id: SignerId; readonly nonces: readonly number[] }): Promise<void>;
  /** Stores or clears the gap, unless the stored gap has changed since `before` was read. */
  saveGap(save: {
    readonly id: SignerId;
    readonly before: SignerState['gap'];
    readonly after: SignerState['gap'];
  }): Promise<void>;
  /** Does nothing if the signer does not exist. */
  setDraining(drain: { readonly id: SignerId; readonly isDraining: boolean }): Promise<void>;
  /** Compare and set. Returns whether this call changed the generation. */
  swapGeneration(swap: {
    readonly id: SignerId;
    readonly from: string;
    readonly to: string;
  }): Promise<boolean>;
}
