import { ifAnswered } from '../../chain/if-answered.ts';
import type { BlockId } from '../../chain/receipt.ts';
import type { RestoredEntries } from '../ports/restored-entries.ts';
import type { SignerState, Signers } from '../ports/signers.ts';
import type { Supplies } from '../ports/supplies.ts';
import type { Finalization, TransactionLog } from '../ports/transaction-log.ts';
import {
  type Entry,
  hashesOf,
  isKnownEntry,
  type LoggedEntry,
  lastAttempt,
  type SignerId,
} from '../transactions/entry.ts';
import type { KeyRing } from '../transactions/key-ring.ts';
import { firstState } from '../transactions/nonce.ts';
import { createsTokens, type PurposeOf } from '../transactions/purpose.ts';
import { successorOf } from '../transactions/successor.ts';
import { giveBackPlaces } from '../waiter/give-back-places.ts';
import { newPass } from '../waiter/pass-state.ts';
import { type SupersedeDependencies, supersedeMissing } from '../waiter/supersede.ts';
import { type DecideRestoredDependencies, decideRestored } from './decide-restored.ts';

export type SettleRestoredDependencies = Omit<SupersedeDependencies, 'signer' | 'signers' | 'chain'> & {
  readonly chain: SupersedeDependencies['chain'] & DecideRestoredDependencies['chain'];
  readonly signers: SupersedeDependencies['signers'] & Pick<Signers, 'find' | 'raiseNextNonce'>;
  readonly transactionLog: SupersedeDependencies['transactionLog'] & Pick<TransactionLog, 'find' | 'range'>;
  readonly keys: Pick<KeyRing, 'find'>;
  readonly restoredEntries: RestoredEntries;
  readonly supplies: Pick<Supplies, 'giveBackFailed' | 'takeReturned'>;
  /** Waits until the chain may have another final block. */
  readonly wait: () => Promise<void>;
};

/**
 * - `settled`: the log and what the entry creates have its outcome.
 * - `left to the waiter`: its transaction is not final. The waiter decides it, and customers are told then.
 * - `repeated`: another transaction used its nonce, so its work is done with a new one.
 * - `nonce taken`: the log has another transaction with its nonce, and the chain does not have its work.
 */
export type Settled = 'settled' | 'left to the waiter' | 'repeated' | 'nonce taken';

const later = 'later';
const settlesAtOnce = 16;
/**
 * The more often an entry could not be settled, the longer is the pause before it is tried again: 1, 2, 4 times the wait
 * for a final block, and so on up to this. Where a repetition is refused, each try costs a noop.
 */
const pausesAtMost = 64;

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

/** The signer's item. If it is lost too, it is made anew from the chain. */
export const stateOf = async (
  dependencies: SettleRestoredDependencies,
  id: SignerId,
): Promise<SignerState> => {
  const { signers } = dependencies;
  const known = await signers.find(id);
  if (known !== undefined) return known;
  await signers.create(await firstState(dependencies, id));
  return stateOf(dependencies, id);
};

const placesOf = (purpose: PurposeOf<'mint'>) => ({ ...purpose, count: purpose.destinations.length });

/** Gives the work of a pending entry a new nonce, as the waiter does with an entry whose nonce was used. */
const repeat = async (
  dependencies: SettleRestoredDependencies,
  { entry, at }: { readonly entry: Entry; readonly at: BlockId },
): Promise<Settled | typeof later> => {
  const known = await dependencies.keys.find(entry.signer);
  if (known === undefined) return 'nonce taken';
  // A transaction that is known no more may have failed, and a waiter has then given its places back. If its tokens have
  // failed too, nothing is repeated.
  if (createsTokens(entry.purpose) && (await dependencies.restoredEntries.isAwaited(entry)))
    await dependencies.supplies.takeReturned(placesOf(entry.purpose));
  for (let now: LoggedEntry | undefined = entry; now?.status === 'pending' && isKnownEntry(now); ) {
    const before: number = now.missingLooks;
    const pass = newPass({ ...dependencies, signer: known.signer }, entry.signer);
    await supersedeMissing(pass, { absent: [now], at });
    now = await dependencies.transactionLog.find(entry);
    // Further checks are not counted, because the entry waits, for example for the revocation of a token.
    if (now?.status === 'pending' && now.missingLooks === before) return later;
  }
  // A waiter may have given the entry up just before a resource came back or was handed over to it.
  return (await dependencies.restoredEntries.isAwaited(entry)) ? later : 'repeated';
};

/**
 * Stores an outcome in what its entry makes or changes. Also gives back the places of a mint that failed: a waiter may have
 * done so before, but a counter that was lost since counts them again.
 */
const settleResources = async (
  dependencies: SettleRestoredDependencies,
  finalization: Finalization,
): Promise<void> => {
  await giveBackPlaces(dependencies, finalization);
  await dependencies.restoredEntries.finalizeResources(finalization);
};

/** Settles an entry that the live log contains: the entry's resources get the outcome in the log. */
const settleKnown = async (
  dependencies: SettleRestoredDependencies,
  { live, at }: { readonly live: LoggedEntry; readonly at: BlockId },
): Promise<Settled | typeof later> => {
  const { restoredEntries, transactionLog, clock } = dependencies;
  if (!isKnownEntry(live)) return 'left to the waiter';
  switch (live.status) {
    case 'confirmed':
    case 'failed':
      await settleResources(dependencies, finalizationOf(live));
      return 'settled';
    case 'superseded': {
      const { nextNonce } = await stateOf(dependencies, live.signer);
      const successor = await successorOf(dependencies, live, nextNonce);
      if (successor === undefined || !isKnownEntry(successor)) {
        return settleUnknown(dependencies, { entry: { ...live, status: 'pending' }, at });
      }
      await restoredEntries.handOverResources(live, successor);
      return settleKnown(dependencies, { live: successor, at });
    }
    case 'pending': {
      const { finalizedCount } = await stateOf(dependencies, live.signer);
      if (live.nonce >= finalizedCount) return 'left to the waiter';
      // No waiter examines this entry again, because its nonce is below those with unfinished work.
      const decision = await decideRestored(dependencies, { entry: live, at });
      if (decision.outcome === 'lost') return repeat(dependencies, { entry: live, at });
      if (decision.outcome !== 'decided') return later;
      const finalization = { entry: live, verdict: decision.verdict, at: clock() };
      await giveBackPlaces(dependencies, finalization);
      await transactionLog.finalize([finalization]);
      return 'settled';
    }
  }
};

const decided = (entry: Entry, { verdict, at }: Pick<Finalization, 'verdict' | 'at'>): Entry => ({
  ...entry,
  status: verdict.status,
  minedHash: verdict.hash,
  failureReason: verdict.status === 'failed' ? verdict.reason : undefined,
  decidedAt: at,
});

/** Settles an entry that the live log lacks: what it made or changed has the outcome already, or the chain decides it. */
const settleUnknown = async (
  dependencies: SettleRestoredDependencies,
  { entry, at }: { readonly entry: Entry; readonly at: BlockId },
): Promise<Settled | typeof later> => {
  const { chain, signers, restoredEntries, clock } = dependencies;
  const { signer, nonce } = entry;
  const known = await restoredEntries.outcomeOf(entry);
  if (known !== undefined) {
    const finalization = { entry, verdict: known, at: clock() };
    await settleResources(dependencies, finalization);
    return (await restoredEntries.put(decided(entry, finalization))) ? 'settled' : later;
  }
  const decision = await decideRestored(dependencies, { entry, at });
  // Its work may have been given a new nonce since, and the entry of that nonce may be lost. Then nothing would decide
  // it.
  await restoredEntries.takeBackResources(entry, async (later) => {
    const live = await dependencies.transactionLog.find({ signer, nonce: later });
    return live === undefined || live.purpose.kind === 'noop';
  });
  switch (decision.outcome) {
    case 'unknown':
      return later;
    case 'decided': {
      const finalization = { entry, verdict: decision.verdict, at: clock() };
      // The entry is written last: if the command is interrupted before, another run does the same again.
      await settleResources(dependencies, finalization);
      return (await restoredEntries.put(decided(entry, finalization))) ? 'settled' : later;
    }
    case 'lost':
      if (!(await restoredEntries.put(entry))) return later;
      return repeat(dependencies, { entry, at });
    case 'open': {
      const { finalizedCount } = await stateOf(dependencies, signer);
      if (nonce < finalizedCount) {
        await chain.broadcast(lastAttempt(entry).raw);
        return later;
      }
      await signers.raiseNextNonce({ id: signer, count: nonce + 1 });
      return (await restoredEntries.put(entry)) ? 'left to the waiter' : later;
    }
  }
};

/** Whether the noop that fills an entry's nonce has an outcome. If its nonce is not final, a waiter decides it. */
const isNoopOver = async (
  dependencies: SettleRestoredDependencies,
  { live, at }: { readonly live: LoggedEntry; readonly at: BlockId },
): Promise<boolean> => {
  if (live.status !== 'pending' || !isKnownEntry(live)) return live.status !== 'pending';
  const { finalizedCount } = await stateOf(dependencies, live.signer);
  if (live.nonce >= finalizedCount) return false;
  const decision = await decideRestored(dependencies, { entry: live, at });
  const { transactionLog, clock } = dependencies;
  if (decision.outcome === 'lost') await transactionLog.drop(live);
  if (decision.outcome === 'decided')
    await transactionLog.finalize([{ entry: live, verdict: decision.verdict, at: clock() }]);
  return decision.outcome === 'lost' || decision.outcome === 'decided';
};

const settleOne = async (
  dependencies: SettleRestoredDependencies,
  { entry, at }: { readonly entry: Entry; readonly at: BlockId },
): Promise<Settled | typeof later> => {
  const live = await dependencies.transactionLog.find(entry);
  if (live === undefined) return settleUnknown(dependencies, { entry, at });
  if (isSame(live, entry)) return settleKnown(dependencies, { live, at });
  if (live.purpose.kind === 'noop') {
    return (await isNoopOver(dependencies, { live, at }))
      ? settleUnknown(dependencies, { entry, at })
      : later;
  }
  const decision = await decideRestored(dependencies, { entry, at });
  if (decision.outcome === 'unknown' || decision.outcome === 'open') return later;
  if (decision.outcome === 'lost') return 'nonce taken';
  const finalization = { entry, verdict: decision.verdict, at: dependencies.clock() };
  await settleResources(dependencies, finalization);
  return 'settled';
};

/**
 * Settles entries that were pending at the restored moment. It repeats until each is settled, so it waits for the chain
 * as long as it takes. If it is interrupted, another run has the same result.
 *
 * A transaction that is final by now is restored with its outcome, and customers are not notified: if it was final
 * before the loss, they were notified then. The outcome of a transaction that is not final was never notified; the
 * waiter decides it.
 */
export const settleRestored = async (
  dependencies: SettleRestoredDependencies,
  {
    entries,
    onProgress = () => {},
  }: { readonly entries: readonly Entry[]; readonly onProgress?: (left: number) => void },
): Promise<ReadonlyMap<Settled, readonly Entry[]>> => {
  const settled = new Map<Settled, Entry[]>();
  let left = entries;
  for (let round = 0; left.length > 0; round += 1) {
    onProgress(left.length);
    const outcomes = await settleAll(dependencies, left);
    for (const [index, entry] of left.entries()) {
      const outcome = outcomes[index] ?? later;
      if (outcome !== later) settled.set(outcome, [...(settled.get(outcome) ?? []), entry]);
    }
    left = left.filter((_, index) => (outcomes[index] ?? later) === later);
    const pauses = left.length > 0 ? Math.min(2 ** round, pausesAtMost) : 0;
    for (let paused = 0; paused < pauses; paused += 1) await dependencies.wait();
  }
  return settled;
};

/** What became of each entry, in order. May end early: then nothing is known yet of the other entries. */
const settleAll = async (
  dependencies: SettleRestoredDependencies,
  entries: readonly Entry[],
): Promise<readonly (Settled | typeof later)[]> => {
  const { chain, logger } = dependencies;
  const unlessUnanswered = <Answer, Otherwise>(ask: () => Promise<Answer>, otherwise: Otherwise) =>
    ifAnswered(ask, (error) => {
      logger.info('No RPC endpoint answers, so the outcome of transactions is not known yet', { error });
      return otherwise;
    });
  const outcomes: (Settled | typeof later)[] = [];
  // A search for events takes a while, and nodes forget the state of a block after some minutes. So each few entries have
  // a block of their own.
  for (let start = 0; start < entries.length; start += settlesAtOnce) {
    const at = await unlessUnanswered(() => chain.finalizedBlock(), undefined);
    if (at === undefined) break;
    const some = entries.slice(start, start + settlesAtOnce);
    const settle = (entry: Entry): Promise<Settled | typeof later> =>
      unlessUnanswered(() => settleOne(dependencies, { entry, at }), later);
    outcomes.push(...(await Promise.all(some.map(settle))));
  }
  return outcomes;
};
