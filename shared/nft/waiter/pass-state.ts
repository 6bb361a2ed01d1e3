import { addressOfSigner, type Entry, type SignerId } from '../entry.ts';
import type { Address } from '../hex.ts';
import type { BlockId, TransactionCounts } from '../ports/chain.ts';
import type { SignerState } from '../ports/signers.ts';
import type { TransactionLog } from '../ports/transaction-log.ts';

/** What one pass remembers between its rounds. All of it can be lost: every write is conditional on what was read. */
export interface PassState {
  readonly id: SignerId;
  readonly address: Address;
  /** The log as read; an entry that turned out to have changed is taken out and read again. */
  readonly entries: Map<number, Entry>;
  /** When the receipts of a nonce were noted as missing, milliseconds since the epoch. */
  readonly missing: Map<number, number>;
  /** The head of the queue, and the rounds for which it has been that. */
  head: { readonly nonce: number; readonly rounds: number } | undefined;
  /** The newest final block seen, and when it was first seen. */
  finality: { readonly height: number; readonly since: number } | undefined;
  /** Events of this pass that are not to be repeated each round. */
  readonly raised: Set<string>;
  /** What this pass has brought about, to be measured at its end. */
  readonly done: { mined: number; readonly secondsToConfirmation: number[] };
}

export const newPassState = (id: SignerId): PassState => ({
  id,
  address: addressOfSigner(id),
  entries: new Map(),
  missing: new Map(),
  head: undefined,
  finality: undefined,
  raised: new Set(),
  done: { mined: 0, secondsToConfirmation: [] },
});

/** What a round looks at: the signer's item, and then the chain. */
export interface View {
  readonly state: SignerState;
  readonly counts: TransactionCounts;
  /** `undefined` when no endpoint says: then nothing is decided. */
  readonly finalized: BlockId | undefined;
}

/** The first nonce that is not settled: not final and decided, or no longer on the chain. */
export const firstOpen = ({ state, counts }: View): number => Math.min(state.finalizedCount, counts.latest);

/** Reads what is not known of the open nonces, and answers those that have no entry. */
export const readLog = async (
  transactionLog: Pick<TransactionLog, 'range'>,
  passState: PassState,
  view: View,
): Promise<number[]> => {
  const { nextNonce } = view.state;
  const from = firstOpen(view);
  for (const nonce of passState.entries.keys()) if (nonce < from) passState.entries.delete(nonce);
  const unknown = () => {
    const nonces: number[] = [];
    for (let nonce = from; nonce < nextNonce; nonce += 1)
      if (!passState.entries.has(nonce)) nonces.push(nonce);
    return nonces;
  };
  const [first] = unknown();
  if (first === undefined) return [];
  for (const entry of await transactionLog.range({ signer: passState.id, from: first, to: nextNonce })) {
    passState.entries.set(entry.nonce, entry);
  }
  return unknown();
};
