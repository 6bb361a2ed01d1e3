import { checksummed } from '../../../shared/chain/hex.ts';
import { mintGasLimit } from '../../../shared/nft/collections/collection.ts';
import type { Chain, Fees } from '../../../shared/nft/ports/chain.ts';
import type { SignerState, Signers } from '../../../shared/nft/ports/signers.ts';
import type { TransactionLog } from '../../../shared/nft/ports/transaction-log.ts';
import { addressOfSigner, type LoggedEntry, lastAttempt } from '../../../shared/nft/transactions/entry.ts';
import { feeQuoteUnder } from '../../../shared/nft/transactions/fees.ts';
import type { KeyRing } from '../../../shared/nft/transactions/key-ring.ts';
import { openCount } from '../../../shared/nft/transactions/open-nonces.ts';
import { coinsOf, neededBalance } from '../../../shared/nft/transactions/signer-funds.ts';
import { hasUnfinishedWork } from '../../../shared/nft/waiter/ensure-waiter.ts';
import { unfinishedSince } from '../../../shared/nft/waiter/stage-measures.ts';
import type { Clock } from '../../../shared/platform/time/clock.ts';
import { ifAnswered } from '../../nft/chain/if-answered.ts';
import { kindOf } from '../../nft/transactions/open-entries.ts';

/**
 * The state of a nonce that is not final. `gap`: it was reserved but has no log entry. `stuck`: it is the lowest
 * unmined nonce and has waited too long. `in-flight`: its transaction has been sent to nodes. `waiting`: its
 * transaction has not been sent yet, because the maximum number of transactions is already in flight.
 */
export type NonceState = 'mined' | 'stuck' | 'in-flight' | 'waiting' | 'gap';

/** Consecutive nonces in the same state. */
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
  /** How long the oldest transaction that is not final has waited. `undefined` if all are final. */
  readonly unfinishedMilliseconds: number | undefined;
  /** The lowest unmined nonce. `undefined` if there is none, or it has no log entry. */
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
  /** Wei. `undefined` if no RPC endpoint answers. */
  readonly balance: bigint | undefined;
  /**
   * `none`: the signer cannot pay for another mint, so customers get 503. `low`: the balance is below the stage's
   * `nft.lowBalance`. `undefined`: no RPC endpoint answers.
   */
  readonly funds: 'none' | 'low' | 'enough' | undefined;
}

export interface SignersNowDependencies {
  readonly chain: Pick<Chain, 'balance' | 'fees'>;
  readonly keys: Pick<KeyRing, 'list'>;
  readonly signers: Pick<Signers, 'list'>;
  readonly transactionLog: Pick<TransactionLog, 'range'>;
  readonly clock: Clock;
  readonly settings: {
    readonly inFlightCap: number;
    readonly replaceAfterMilliseconds: number;
    /** Wei per unit of gas. */
    readonly feeCeiling: bigint;
    /** In the chain's coin. */
    readonly lowBalance: number;
  };
}

/** How many nonces of a signer that are not final are shown at most. */
const noncesAtMost = 1_000;

const runsOf = (
  state: SignerState,
  entries: ReadonlyMap<number, LoggedEntry>,
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

const fundsOf = (
  balance: bigint | undefined,
  {
    state,
    fees,
    settings,
  }: {
    readonly state: SignerState | undefined;
    readonly fees: Fees | undefined;
    readonly settings: SignersNowDependencies['settings'];
  },
): SignerNow['funds'] => {
  if (balance === undefined) return undefined;
  const { feeCeiling, lowBalance } = settings;
  const feeQuote = fees && feeQuoteUnder(fees, feeCeiling);
  const cost = feeQuote === undefined ? 1n : mintGasLimit(1) * feeQuote.maxFeePerGas;
  if (balance < neededBalance(state, cost)) return 'none';
  return coinsOf(balance) < lowBalance ? 'low' : 'enough';
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
  const [balance, fees] = await Promise.all([ifAnswered(chain.balance(address)), ifAnswered(chain.fees())]);
  const funds = fundsOf(balance, { state, fees, settings });
  const base = { signer: number, id, address: checksummed(address), balance, funds };
  if (state === undefined) {
    return {
      ...base,
      isDraining: false,
      nonces: [],
      undecided: 0,
      unfinishedMilliseconds: undefined,
      head: undefined,
    };
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
    undecided: openCount(state),
    unfinishedMilliseconds: hasUnfinishedWork(state)
      ? clock() - unfinishedSince(state, entries.get(state.finalizedCount))
      : undefined,
    head: first && {
      nonce: first.nonce,
      kind: kindOf(first.purpose),
      ageMilliseconds,
      attempts: first.attempts.length,
      maxFeePerGas: lastAttempt(first).maxFeePerGas,
      isStuck: isHeadStuck,
    },
  };
};

/** Reads the queues of all signers from the tables. The waiter updates these tables every few seconds. */
export const signersNow = async (dependencies: SignersNowDependencies): Promise<SignerNow[]> => {
  const [known, states] = await Promise.all([dependencies.keys.list(), dependencies.signers.list()]);
  return Promise.all(
    known.map(({ id, signer: { number } }) =>
      signerNow(dependencies, { number, id, state: states.find((state) => state.id === id) }),
    ),
  );
};
