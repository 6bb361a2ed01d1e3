import type { Clock } from '../../platform/time/clock.ts';
import type { Chain } from '../ports/chain.ts';
import type { SignerState, Signers } from '../ports/signers.ts';
import type { TransactionLog } from '../ports/transaction-log.ts';
import { addressOfSigner, isDecided, type SignerId } from './entry.ts';

export interface ReserveNonceDependencies {
  readonly chain: Pick<Chain, 'transactionCounts' | 'finalizedBlock' | 'minedCountAt'>;
  readonly signers: Pick<Signers, 'create' | 'reserveNonce'>;
  readonly transactionLog: Pick<TransactionLog, 'range'>;
  readonly clock: Clock;
  readonly randomId: () => string;
}

export interface ReservedNonce {
  readonly nonce: number;
  readonly state: SignerState;
}

/**
 * How many nonces below and above the chain's count are searched for undecided entries: more than are ever in flight at
 * once.
 */
const undecidedWithin = 1_000;

/**
 * The initial state of a new signer. Its first nonce is the chain's pending count, because lower nonces were used
 * outside of this service. Those that are not final yet may never be, so they count as unfinished, and the waiter fills
 * them like other gaps. If the signer's item was lost, the log may have entries that are final but not decided, or that
 * no endpoint has. Then the signer's unfinished work begins at the first of them, and its next nonce follows the last.
 */
export const firstState = async (
  {
    chain,
    transactionLog,
    clock,
    randomId,
  }: Pick<ReserveNonceDependencies, 'chain' | 'transactionLog' | 'clock' | 'randomId'>,
  id: SignerId,
): Promise<SignerState> => {
  const address = addressOfSigner(id);
  const [counts, finalized] = await Promise.all([chain.transactionCounts(address), chain.finalizedBlock()]);
  const finalCount = await chain.minedCountAt(address, finalized);
  // An endpoint that lags may have counted fewer transactions than are final.
  const counted = Math.max(counts.pending, finalCount);
  const from = Math.max(0, finalCount - undecidedWithin);
  const to = counted + undecidedWithin;
  const logged = await transactionLog.range({ signer: id, from, to });
  const nextNonce = Math.max(counted, (logged.at(-1)?.nonce ?? -1) + 1);
  const undecided = logged.find((entry) => !isDecided(entry))?.nonce ?? finalCount;
  const finalizedCount = Math.min(finalCount, undecided);
  return {
    id,
    nextNonce,
    lastTakenAt: clock(),
    generation: randomId(),
    minedCount: Math.max(counts.latest, finalCount),
    finalizedCount,
    reopened: new Set(),
    finalizedHeight: finalized.number,
    unminedCost: 0n,
    costedThrough: nextNonce,
    fees: undefined,
    gap: undefined,
    isDraining: false,
  };
};

/** The signer's item. If it is lost, it is made anew from the chain and the log. */
export const stateOf = async (
  dependencies: Pick<ReserveNonceDependencies, 'chain' | 'transactionLog' | 'clock' | 'randomId'> & {
    readonly signers: Pick<Signers, 'find' | 'create'>;
  },
  id: SignerId,
): Promise<SignerState> => {
  const { signers } = dependencies;
  const known = await signers.find(id);
  if (known !== undefined) return known;
  await signers.create(await firstState(dependencies, id));
  return stateOf(dependencies, id);
};

/** Reserves the signer's next nonce. The nonce must then get a log entry, from this handler or from the waiter. */
export const reserveNonce = async (
  dependencies: ReserveNonceDependencies,
  id: SignerId,
): Promise<ReservedNonce> => {
  const { signers, clock } = dependencies;
  const reserved = await signers.reserveNonce({ id, at: clock() });
  if (reserved !== undefined) return reserved;
  await signers.create(await firstState(dependencies, id));
  const reservedThen = await signers.reserveNonce({ id, at: clock() });
  if (reservedThen === undefined) throw new Error(`The item of signer ${id} was created but cannot be found`);
  return reservedThen;
};

/**
 * Whether a nonce is within the in-flight cap. If so, the handler that recorded its transaction also tries to send it.
 * If not, the waiter sends the transaction later.
 */
export const isInFlight = ({
  nonce,
  minedCount,
  cap,
}: {
  readonly nonce: number;
  readonly minedCount: number;
  readonly cap: number;
}): boolean => nonce < minedCount + cap;
