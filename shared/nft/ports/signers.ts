import type { SignerId } from '../entry.ts';
import type { Fees } from './chain.ts';

/** The stored state of a signer. Counts and heights only rise, whatever a lagging endpoint says. */
export interface SignerState {
  readonly id: SignerId;
  /** The nonce to reserve next. */
  readonly nextNonce: number;
  /** When the last nonce was reserved, milliseconds since the epoch. */
  readonly lastTakenAt: number;
  /** The name of the one Step Functions execution that may work for the signer. */
  readonly generation: string;
  /** Mined transactions at the head: the highest count ever seen. */
  readonly minedCount: number;
  /** Every nonce below is final on the chain and decided in the log. */
  readonly finalizedCount: number;
  /** Number of the newest final block ever seen. */
  readonly finalizedHeight: number;
  /** The most that the unmined entries below `costedThrough` may cost, wei. */
  readonly unminedCost: bigint;
  readonly costedThrough: number;
  /** The chain's fees when the waiter last asked. */
  readonly fees: (Fees & { readonly readAt: number }) | undefined;
  /** At `seenAt`, every nonce below `through` was reserved, and some had no entry. */
  readonly gap: { readonly through: number; readonly seenAt: number } | undefined;
  /** It makes no new collections; it goes on with those it made. */
  readonly isDraining: boolean;
}

export type Progress = Pick<
  SignerState,
  'minedCount' | 'finalizedCount' | 'finalizedHeight' | 'unminedCost' | 'costedThrough' | 'fees'
>;

/** Reads are strongly consistent; no transaction touches these items. */
export interface Signers {
  find(id: SignerId): Promise<SignerState | undefined>;
  list(): Promise<SignerState[]>;
  /** Does nothing when the signer already exists. */
  create(state: SignerState): Promise<void>;
  /** Reserves a nonce: one atomic addition. `undefined` when the signer does not exist yet. */
  reserveNonce(taking: {
    readonly id: SignerId;
    readonly at: number;
  }): Promise<{ readonly nonce: number; readonly state: SignerState } | undefined>;
  /** Raises `nextNonce` to `count`; it never falls. Answers whether it was below. */
  raiseNextNonce(raise: { readonly id: SignerId; readonly count: number }): Promise<boolean>;
  /** Writes what a round saw, unless another round saw more. */
  saveProgress(save: { readonly id: SignerId; readonly progress: Progress }): Promise<void>;
  /** Stores or clears the gap, unless it changed since `before` was read. */
  saveGap(save: {
    readonly id: SignerId;
    readonly before: SignerState['gap'];
    readonly after: SignerState['gap'];
  }): Promise<void>;
  /** Does nothing when the signer does not exist. */
  setDraining(drain: { readonly id: SignerId; readonly isDraining: boolean }): Promise<void>;
  /** Compare and set; answers whether this call changed it. */
  swapGeneration(swap: {
    readonly id: SignerId;
    readonly from: string;
    readonly to: string;
  }): Promise<boolean>;
}
