import type { SignerId } from '../entry.ts';
import type { Fees } from './chain.ts';

/** What is kept of a signer. Counts and heights only rise, whatever a lagging endpoint says. */
export interface SignerState {
  readonly id: SignerId;
  /** The nonce that is handed out next. */
  readonly nextNonce: number;
  /** When the last nonce was handed out, milliseconds since the epoch. */
  readonly lastTakenAt: number;
  /** Names the one Step Functions execution that may watch the signer. */
  readonly generation: string;
  /** Transactions mined at the head, as far as was ever seen. */
  readonly minedCount: number;
  /** Every nonce below is final on the chain and decided in the log. */
  readonly finalizedCount: number;
  /** Number of the newest final block that was seen. */
  readonly finalizedHeight: number;
  /** What the unmined entries below `costedThrough` may cost at most, wei. */
  readonly unminedCost: bigint;
  readonly costedThrough: number;
  /** What the waiter last saw the chain ask for. */
  readonly fees: (Fees & { readonly readAt: number }) | undefined;
  /** The nonces below `through` had all been handed out at `seenAt`, and some had no entry. */
  readonly gap: { readonly through: number; readonly seenAt: number } | undefined;
  /** It makes no new collections; those that it made it goes on with. */
  readonly isDraining: boolean;
}

export type Progress = Pick<
  SignerState,
  'minedCount' | 'finalizedCount' | 'finalizedHeight' | 'unminedCost' | 'costedThrough' | 'fees'
>;

/** Reads are strongly consistent; none of the items is in a transaction. */
export interface Signers {
  find(id: SignerId): Promise<SignerState | undefined>;
  list(): Promise<SignerState[]>;
  /** Does nothing when the signer is known already. */
  create(state: SignerState): Promise<void>;
  /** Hands out a nonce: one atomic addition. `undefined` when the signer is not known yet. */
  reserveNonce(taking: {
    readonly id: SignerId;
    readonly at: number;
  }): Promise<{ readonly nonce: number; readonly state: SignerState } | undefined>;
  /** Lets `nextNonce` rise to `count`; it never falls. Answers whether it was below. */
  raiseNextNonce(raise: { readonly id: SignerId; readonly count: number }): Promise<boolean>;
  /** Writes what a round saw, unless another's view is further on. */
  saveProgress(save: { readonly id: SignerId; readonly progress: Progress }): Promise<void>;
  /** Remembers or forgets the gap, unless it changed since `before` was read. */
  saveGap(save: {
    readonly id: SignerId;
    readonly before: SignerState['gap'];
    readonly after: SignerState['gap'];
  }): Promise<void>;
  /** Does nothing when the signer is not known. */
  setDraining(drain: { readonly id: SignerId; readonly isDraining: boolean }): Promise<void>;
  /** Compare and set; answers whether it was this call that changed it. */
  swapGeneration(swap: {
    readonly id: SignerId;
    readonly from: string;
    readonly to: string;
  }): Promise<boolean>;
}
