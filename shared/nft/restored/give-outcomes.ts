import { inParallel } from '../../platform/in-parallel.ts';
import type { RestoredEntries } from '../ports/restored-entries.ts';
import type { Signers } from '../ports/signers.ts';
import type { Supplies } from '../ports/supplies.ts';
import type { Finalization, TransactionLog } from '../ports/transaction-log.ts';
import { type Entry, hashesOf, isKnownEntry, type LoggedEntry, lastAttempt } from '../transactions/entry.ts';
import { type ReserveNonceDependencies, stateOf } from '../transactions/nonce.ts';
import { createsTokens } from '../transactions/purpose.ts';
import { successorOf } from '../transactions/successor.ts';
import { type GiveBackPlacesDependencies, giveBackPlaces } from '../waiter/give-back-places.ts';

export interface GiveOutcomesDependencies
  extends Omit<ReserveNonceDependencies, 'signers' | 'transactionLog'> {
  readonly signers: Pick<Signers, 'find' | 'create'>;
  readonly transactionLog: Pick<TransactionLog, 'find' | 'range'>;
  readonly restoredEntries: RestoredEntries;
  readonly nfts: GiveBackPlacesDependencies['nfts'];
  readonly supplies: GiveBackPlacesDependencies['supplies'] & Pick<Supplies, 'takeReturned'>;
}

export interface GivenOutcomes {
  /** What these create or change has its outcome. */
  readonly given: readonly Entry[];
  /** Pending in the log, so the waiter must decide them. Instead of a superseded entry, its last successor is here. */
  readonly undecided: readonly Entry[];
  /** The log has other transactions with their nonces, so nobody can decide these. */
  readonly nonceTaken: readonly Entry[];
}

interface Outcome {
  readonly of: keyof GivenOutcomes;
  readonly entry: Entry;
}

const isSame = (live: LoggedEntry, entry: Entry): boolean => {
  const known = new Set(hashesOf(entry));
  return hashesOf(live).some((hash) => known.has(hash));
};

const finalizationOf = ({
  status,
  minedHash,
  failureReason,
  decidedAt = 0,
  ...entry
}: Entry): Finalization => {
  const hash = minedHash ?? lastAttempt({ status, ...entry }).hash;
  return {
    entry: { ...entry, status },
    verdict:
      status === 'failed'
        ? { status, hash, reason: failureReason ?? 'REVERTED' }
        : { status: 'confirmed', hash },
    at: decidedAt,
  };
};

/**
 * Stores an outcome in what its entry makes or changes. Also gives back the places of a mint that failed: a waiter may
 * have done so before, but a counter that was lost since counts them again.
 */
const storeOutcome = async (
  dependencies: GiveOutcomesDependencies,
  finalization: Finalization,
): Promise<void> => {
  await giveBackPlaces(dependencies, finalization);
  await dependencies.restoredEntries.finalizeResources(finalization);
};

/**
 * Makes the entry responsible again for what was handed over to a successor that the log has lost. Returns whether there
 * was anything.
 */
const takeBack = (
  { restoredEntries, transactionLog }: GiveOutcomesDependencies,
  entry: Entry,
): Promise<boolean> =>
  restoredEntries.takeBackResources(entry, async (nonce) => {
    const other = await transactionLog.find({ signer: entry.signer, nonce });
    return other === undefined || other.purpose.kind === 'noop';
  });

/**
 * An entry of which something was written. The waiter may have given it up just before, because nothing waited for it
 * then. So it is read again.
 */
const giveAgain = async (dependencies: GiveOutcomesDependencies, entry: Entry): Promise<Outcome> => {
  const now = await dependencies.transactionLog.find(entry);
  return now === undefined || !isKnownEntry(now) ? { of: 'given', entry } : give(dependencies, now);
};

const givePending = async (dependencies: GiveOutcomesDependencies, entry: Entry): Promise<Outcome> => {
  const { restoredEntries, supplies } = dependencies;
  const { purpose } = entry;
  if (await takeBack(dependencies, entry)) return giveAgain(dependencies, entry);
  const verdict = await restoredEntries.outcomeOf(entry);
  // What was lost of a batch gets the outcome of its other tokens. Nothing waits for the entry then, so it is not repeated.
  if (verdict !== undefined) {
    await storeOutcome(dependencies, { entry, verdict, at: 0 });
  } else if (createsTokens(purpose) && (await restoredEntries.isAwaited(entry))) {
    // A transaction that is known no more may have failed, and a waiter has then given its places back. If its tokens have
    // failed too, nothing is repeated.
    await supplies.takeReturned({ ...purpose, count: purpose.destinations.length });
  }
  return { of: 'undecided', entry };
};

const giveSuperseded = async (dependencies: GiveOutcomesDependencies, entry: Entry): Promise<Outcome> => {
  const { restoredEntries } = dependencies;
  const { nextNonce } = await stateOf(dependencies, entry.signer);
  const successor = await successorOf(dependencies, entry, nextNonce);
  if (successor !== undefined) {
    if (!isKnownEntry(successor)) return { of: 'given', entry };
    await restoredEntries.handOverResources(entry, successor);
    return giveAgain(dependencies, successor);
  }
  await takeBack(dependencies, entry);
  // If nothing waits for it, newer changes have replaced what it was to do.
  if (!(await restoredEntries.isAwaited(entry))) return { of: 'given', entry };
  await restoredEntries.reopen(entry);
  return giveAgain(dependencies, entry);
};

const give = async (dependencies: GiveOutcomesDependencies, entry: Entry): Promise<Outcome> => {
  switch (entry.status) {
    case 'confirmed':
    case 'failed':
      await storeOutcome(dependencies, finalizationOf(entry));
      return { of: 'given', entry };
    case 'superseded':
      return giveSuperseded(dependencies, entry);
    case 'pending':
      return givePending(dependencies, entry);
  }
};

const givesAtOnce = 16;

/**
 * Gives what was pending in restored tables the outcomes that the log has by now. Decides nothing: what has no outcome
 * is left to the waiter. If it is interrupted, another run does the same again.
 */
export const giveOutcomes = async (
  dependencies: GiveOutcomesDependencies,
  entries: readonly Entry[],
): Promise<GivenOutcomes> => {
  const outcomes = await inParallel(entries, {
    atOnce: givesAtOnce,
    run: async (entry): Promise<Outcome> => {
      const live = await dependencies.transactionLog.find(entry);
      if (live === undefined) return { of: 'undecided', entry };
      if (!isSame(live, entry)) return { of: live.purpose.kind === 'noop' ? 'given' : 'nonceTaken', entry };
      return isKnownEntry(live) ? give(dependencies, live) : { of: 'given', entry };
    },
  });
  const which = (name: keyof GivenOutcomes) =>
    outcomes.flatMap(({ of, entry }) => (of === name ? [entry] : []));
  return { given: which('given'), undecided: which('undecided'), nonceTaken: which('nonceTaken') };
};
