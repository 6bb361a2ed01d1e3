import type { Clock } from '../../shared/clock.ts';
import { checksummed } from '../../shared/nft/hex.ts';
import type { Chain } from '../../shared/nft/ports/chain.ts';
import type { SignerState, Signers } from '../../shared/nft/ports/signers.ts';
import type { TransactionLog } from '../../shared/nft/ports/transaction-log.ts';
import { addressOfSigner, type Entry, lastAttempt } from '../../shared/nft/transactions/entry.ts';
import type { KeyRing } from '../../shared/nft/transactions/key-ring.ts';

/**
 * What is known of a nonce that is not decided. `gap`: it was handed out and nothing is recorded for it; `stuck`: it is
 * the first in line and waits for long; `in-flight`: with the nodes; `waiting`: not yet sent, since enough are.
 */
export type NonceState = 'mined' | 'stuck' | 'in-flight' | 'waiting' | 'gap';

/** Nonces in a row of one state. */
export interface NonceRun {
  readonly state: NonceState;
  readonly from: number;
  readonly count: number;
}

export interface SignerNow {
  readonly signer: number;
  readonly id: string;
  readonly address: string;
  readonly isDraining: boolean;
  readonly nonces: readonly NonceRun[];
  readonly undecided: number;
  /** The first that is not mined. */
  readonly head:
    | {
        readonly nonce: number;
        readonly kind: string;
        readonly ageMilliseconds: number;
        readonly attempts: number;
        /** Wei. */
        readonly maxFeePerGas: bigint;
        readonly isStuck: boolean;
      }
    | undefined;
  /** Wei; `undefined` when no endpoint says. */
  readonly balance: bigint | undefined;
}

export interface SignersNowDependencies {
  readonly chain: Pick<Chain, 'balance'>;
  readonly keys: Pick<KeyRing, 'list'>;
  readonly signers: Pick<Signers, 'list'>;
  readonly transactionLog: Pick<TransactionLog, 'range'>;
  readonly clock: Clock;
  readonly settings: { readonly inFlightCap: number; readonly replaceAfterMilliseconds: number };
}

/** So many of a signer's nonces are shown. */
const noncesAtMost = 1_000;

const runsOf = (
  state: SignerState,
  entries: ReadonlyMap<number, Entry>,
  { isHeadStuck, inFlightCap }: { readonly isHeadStuck: boolean; readonly inFlightCap: number },
): NonceRun[] => {
  const runs: { state: NonceState; from: number; count: number }[] = [];
  const through = Math.min(state.nextNonce, state.finalizedCount + noncesAtMost);
  const stateOf = (nonce: number): NonceState => {
    if (nonce < state.minedCount) return 'mined';
    if (!entries.has(nonce)) return 'gap';
    if (nonce === state.minedCount && isHeadStuck) return 'stuck';
    return nonce < state.minedCount + inFlightCap ? 'in-flight' : 'waiting';
  };
  for (let nonce = state.finalizedCount; nonce < through; nonce += 1) {
    const last = runs.at(-1);
    if (last?.state === stateOf(nonce)) last.count += 1;
    else runs.push({ state: stateOf(nonce), from: nonce, count: 1 });
  }
  return runs;
};

const signerNow = async (
  { chain, transactionLog, clock, settings }: SignersNowDependencies,
  {
    number,
    id,
    state,
  }: { readonly number: number; readonly id: string; readonly state: SignerState | undefined },
): Promise<SignerNow> => {
  const address = addressOfSigner(id);
  const balance = await chain.balance(address).catch(() => undefined);
  const base = { signer: number, id, address: checksummed(address), balance };
  if (state === undefined) {
    return { ...base, isDraining: false, nonces: [], undecided: 0, head: undefined };
  }
  const to = Math.min(state.nextNonce, state.finalizedCount + noncesAtMost);
  const found = await transactionLog.range({ signer: id, from: state.finalizedCount, to });
  const entries = new Map(found.map((entry) => [entry.nonce, entry]));
  const first = entries.get(state.minedCount);
  const ageMilliseconds = clock() - (first?.attempts[0]?.signedAt ?? clock());
  const isHeadStuck = ageMilliseconds > 2 * settings.replaceAfterMilliseconds;
  return {
    ...base,
    isDraining: state.isDraining,
    nonces: runsOf(state, entries, { isHeadStuck, inFlightCap: settings.inFlightCap }),
    undecided: state.nextNonce - state.finalizedCount,
    head: first && {
      nonce: first.nonce,
      kind: first.purpose.kind,
      ageMilliseconds,
      attempts: first.attempts.length,
      maxFeePerGas: lastAttempt(first).maxFeePerGas,
      isStuck: isHeadStuck,
    },
  };
};

/** Each signer's queue as the tables have it, which the waiter keeps up to date every few seconds. */
export const signersNow = async (dependencies: SignersNowDependencies): Promise<SignerNow[]> => {
  const [known, states] = await Promise.all([dependencies.keys.list(), dependencies.signers.list()]);
  return Promise.all(
    known.map(({ id, signer: { number } }) =>
      signerNow(dependencies, { number, id, state: states.find((state) => state.id === id) }),
    ),
  );
};
