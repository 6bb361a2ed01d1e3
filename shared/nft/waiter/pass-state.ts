import { addressOfSigner, type Entry, type SignerId } from '../entry.ts';
import type { Address } from '../hex.ts';
import type { BlockId, TransactionCounts } from '../ports/chain.ts';
import type { Events, NftEvent } from '../ports/events.ts';
import type { SignerState } from '../ports/signers.ts';
import type { TransactionLog } from '../ports/transaction-log.ts';

/** What a pass remembers between its rounds. All of it can be lost: every write is conditional on what was read. */
interface PassMemory {
  readonly id: SignerId;
  readonly address: Address;
  /** The log as read; an entry that turns out to be outdated is removed and read again. */
  readonly entries: Map<number, Entry>;
  /** When the receipts of a nonce were noted as missing, milliseconds since the epoch. */
  readonly missing: Map<number, number>;
  /** The head of the queue, and for how many rounds it has been the head. */
  head: { readonly nonce: number; readonly rounds: number } | undefined;
  /** The newest final block seen, and when it was first seen. */
  finality: { readonly height: number; readonly since: number } | undefined;
  /** Events that this pass has raised and does not repeat each round. */
  readonly raised: Set<string>;
  /** What this pass has achieved, measured at its end. */
  readonly done: { mined: number; readonly secondsToConfirmation: number[] };
}

/** One pass for one signer: what it works with, and what it remembers. */
export type Pass<Dependencies> = Dependencies & PassMemory;

export const newPass = <Dependencies extends object>(
  dependencies: Dependencies,
  id: SignerId,
): Pass<Dependencies> => ({
  ...dependencies,
  id,
  address: addressOfSigner(id),
  entries: new Map(),
  missing: new Map(),
  head: undefined,
  finality: undefined,
  raised: new Set(),
  done: { mined: 0, secondsToConfirmation: [] },
});

/** Raises an event once a pass, not once a round. */
export const raiseOnce = (
  { id, events, raised }: Pass<{ readonly events: Events }>,
  event: NftEvent,
  fields: Readonly<Record<string, unknown>>,
): void => {
  if (raised.has(event)) return;
  raised.add(event);
  events.raise(event, { signer: id, ...fields });
};

/** What a round works on: the signer's item, and then the chain. */
export interface View {
  readonly state: SignerState;
  readonly counts: TransactionCounts;
  /** `undefined` when no endpoint answers: then nothing is decided. */
  readonly finalized: BlockId | undefined;
}

/** The first nonce that is not settled: not final and decided, or no longer on the chain. */
export const firstOpen = ({ state, counts }: View): number => Math.min(state.finalizedCount, counts.latest);

/** Reads the open nonces that are not known yet, and returns those without an entry. */
export const readLog = async (
  { id, entries, transactionLog }: Pass<{ readonly transactionLog: Pick<TransactionLog, 'range'> }>,
  view: View,
): Promise<number[]> => {
  const { nextNonce } = view.state;
  const from = firstOpen(view);
  for (const nonce of entries.keys()) if (nonce < from) entries.delete(nonce);
  const unknown = () => {
    const nonces: number[] = [];
    for (let nonce = from; nonce < nextNonce; nonce += 1) if (!entries.has(nonce)) nonces.push(nonce);
    return nonces;
  };
  const [first] = unknown();
  if (first === undefined) return [];
  for (const entry of await transactionLog.range({ signer: id, from: first, to: nextNonce })) {
    entries.set(entry.nonce, entry);
  }
  return unknown();
};
