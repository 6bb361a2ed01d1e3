import type { Clock } from '../../clock.ts';
import type { Logger } from '../../logger.ts';
import { type Entry, hashesOf, lastAttempt, type Resource, type SignerId } from '../entry.ts';
import { IdempotencyKeyInUseError, LogBusyError, RecordingUnknownError } from '../errors.ts';
import type { Hash } from '../hex.ts';
import type { Chain, Signer } from '../ports/chain.ts';
import type { Claim, Claims, ResourceReference } from '../ports/claims.ts';
import type { SignerState, Signers } from '../ports/signers.ts';
import type { Recording, RecordOutcome, TransactionLog } from '../ports/transaction-log.ts';
import type { Offer } from '../transactions/fees.ts';
import type { Draft } from '../transactions/sign.ts';
import { withNonce } from '../transactions/with-nonce.ts';

export interface RecordTransactionDependencies {
  readonly chain: Pick<Chain, 'transactionCounts' | 'finalizedBlock' | 'broadcast'>;
  readonly signer: Signer;
  readonly signers: Pick<Signers, 'create' | 'reserveNonce'>;
  readonly transactionLog: Pick<TransactionLog, 'record' | 'find'>;
  readonly claims: Pick<Claims, 'find'>;
  readonly logger: Logger;
  readonly clock: Clock;
  readonly randomId: () => string;
  /** Waits before try number 2, 3, …, so that those who are in each other's way part. */
  readonly pause: (tried: number) => Promise<void>;
}

/** What is known of a transaction when it is signed. */
export interface Signed {
  readonly nonce: number;
  readonly transactionHash: Hash;
}

/** A transaction and what it makes. */
export interface Plan<Made> {
  readonly draft: Draft;
  readonly make: (signed: Signed) => Made;
  /** How what it makes is written with it; without one it makes nothing that is kept. */
  readonly resource?: (made: Made) => Resource | undefined;
}

export type Recorded<Made> =
  | {
      readonly outcome: 'recorded';
      readonly entry: Entry;
      readonly made: Made;
      readonly state: SignerState;
    }
  /** The key had a result already, which is the answer. */
  | { readonly outcome: 'replayed'; readonly result: ResourceReference };

/** What became of a recording whose answer was lost; `undefined` when it is not there (yet). */
const readBack = async (
  { transactionLog, claims }: Pick<RecordTransactionDependencies, 'transactionLog' | 'claims'>,
  { entry, claim }: Recording,
): Promise<RecordOutcome | undefined> => {
  const [found, held] = await Promise.all([
    transactionLog.find(entry),
    claim === undefined ? undefined : claims.find(claim.scope),
  ]);
  if (found !== undefined && hashesOf(found).includes(lastAttempt(entry).hash))
    return { outcome: 'recorded' };
  if (held?.state === 'done') return { outcome: 'key-done', result: held.result };
  if (claim !== undefined && held?.owner !== claim.owner) return { outcome: 'key-lost' };
  return found === undefined ? undefined : { outcome: 'nonce-used' };
};

/** How many recording writes a request may still make, whatever nonces they are for. */
export interface WriteBudget {
  left: number;
}

/** With the write that fills a nonce which could not be used, a request makes at most one more than this. */
export const writeBudget = (): WriteBudget => ({ left: 5 });

/**
 * Makes the same write until its outcome is known, with a pause before each repetition, as far as budget and deadline
 * go.
 *
 * @throws RecordingUnknownError when one of the writes was not answered and is not there, so that it may still come.
 */
export const recordPatiently = async (
  dependencies: Pick<
    RecordTransactionDependencies,
    'transactionLog' | 'claims' | 'clock' | 'logger' | 'pause'
  >,
  {
    recording,
    budget,
    deadline,
  }: { readonly recording: Recording; readonly budget: WriteBudget; readonly deadline: number },
): Promise<RecordOutcome> => {
  const { transactionLog, clock, logger, pause } = dependencies;
  const { nonce } = recording.entry;
  let silence: { readonly cause: unknown } | undefined;
  for (let tried = 1; ; tried += 1) {
    budget.left -= 1;
    let busy: RecordOutcome | undefined;
    try {
      const result = await transactionLog.record(recording);
      if (result.outcome !== 'busy') return result;
      busy = result;
    } catch (cause) {
      silence = { cause };
      const result = await readBack(dependencies, recording).catch((error: unknown) => {
        logger.warn('What was written cannot be read back', { nonce, error });
        return undefined;
      });
      if (result !== undefined) return result;
    }
    if (budget.left <= 0 || clock() >= deadline) {
      if (busy !== undefined && silence === undefined) return busy;
      throw new RecordingUnknownError({ message: `Nonce ${nonce} may be recorded, or not`, ...silence });
    }
    logger.warn('The same write goes to the log again', { nonce, tried, ...busy, ...silence });
    await pause(tried);
  }
};

/**
 * Records a signed transaction with what it makes and the key's result, all in one write, at the next nonce: only
 * then may it be sent. A nonce that was used by another is left to it, and the next one is tried. The first is reserved
 * while the plan is still being made.
 *
 * @throws IdempotencyKeyInUseError when another request took the key over, LogBusyError when nothing was
 * written, RecordingUnknownError.
 */
export const recordTransaction = async <Made>(
  dependencies: RecordTransactionDependencies,
  {
    signer,
    offer,
    plan,
    claim,
    deadline,
  }: {
    readonly signer: SignerId;
    readonly offer: Offer;
    readonly plan: Promise<Plan<Made>>;
    readonly claim: Claim | undefined;
    readonly deadline: number;
  },
): Promise<Recorded<Made>> => {
  const budget = writeBudget();
  for (;;) {
    const { result, entry, made, state } = await withNonce(dependencies, {
      signer,
      draft: plan.then(({ draft }) => draft),
      offer,
      write: async ({ entry, state }) => {
        const { make, resource } = await plan;
        const made = make({ nonce: entry.nonce, transactionHash: lastAttempt(entry).hash });
        const kept = resource?.(made);
        const recording = {
          entry,
          ...(kept === undefined ? {} : { resource: kept }),
          ...(claim === undefined ? {} : { claim }),
        };
        const result = await recordPatiently(dependencies, { recording, budget, deadline });
        const isNonceUsed = result.outcome === 'recorded' || result.outcome === 'nonce-used';
        return { outcome: { result, entry, made, state }, isNonceUsed };
      },
    });
    switch (result.outcome) {
      case 'recorded':
        return { outcome: 'recorded', entry, made, state };
      case 'key-done':
        return { outcome: 'replayed', result: result.result };
      case 'key-lost':
        throw new IdempotencyKeyInUseError();
      case 'busy':
        throw new LogBusyError({ message: `The log was busy at each try: ${result.reason}` });
      case 'outdated':
      case 'nonce-used':
        if (budget.left <= 0 || dependencies.clock() >= deadline) {
          throw new LogBusyError({
            message: `Nonce ${entry.nonce} was used or outdated by another, as those before it`,
          });
        }
    }
  }
};
