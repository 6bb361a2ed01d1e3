import type { Clock } from '../../clock.ts';
import type { Logger } from '../../logger.ts';
import { type Entry, hashesOf, lastAttempt, resourceOf, type UnsignedResource } from '../entry.ts';
import { IdempotencyKeyInUseError, LogBusyError, PlacesLostError, RecordingUnknownError } from '../errors.ts';
import type { Chain } from '../ports/chain.ts';
import type { Claim, Claims, ResourceReference } from '../ports/claims.ts';
import type { SignerState, Signers } from '../ports/signers.ts';
import type { Places } from '../ports/supplies.ts';
import type { Recording, RecordOutcome, TransactionLog } from '../ports/transaction-log.ts';
import type { FeeQuote } from '../transactions/fees.ts';
import { fillOwnNonceGap } from '../transactions/gaps.ts';
import type { KnownSigner } from '../transactions/key-ring.ts';
import { type ReservedNonce, reserveNonce } from '../transactions/nonce.ts';
import { handlerDeadline } from '../transactions/settings.ts';
import { signEntry, type UnsignedEntry } from '../transactions/sign.ts';

export interface RecordTransactionDependencies {
  readonly chain: Pick<Chain, 'transactionCounts' | 'finalizedBlock' | 'broadcast'>;
  readonly signers: Pick<Signers, 'create' | 'reserveNonce'>;
  readonly transactionLog: Pick<TransactionLog, 'record' | 'find'>;
  readonly claims: Pick<Claims, 'find'>;
  readonly logger: Logger;
  readonly clock: Clock;
  readonly randomId: () => string;
  /** Pauses before try number 2, 3, …, so that conflicting requests drift apart. */
  readonly pause: (tried: number) => Promise<void>;
}

/** A transaction to record, and what it makes. */
export interface NewTransaction {
  readonly unsigned: UnsignedEntry;
  /** Absent when it makes nothing that is stored. */
  readonly resource?: UnsignedResource;
}

export type Recorded =
  | {
      readonly outcome: 'recorded';
      readonly entry: Entry;
      /** The signer's state, as the nonce's reservation returned it. */
      readonly state: SignerState;
    }
  /** The key already had a result, which is the answer. */
  | { readonly outcome: 'replayed'; readonly result: ResourceReference };

/** The outcome of a recording whose answer was lost; `undefined` if it was not written, or not yet. */
const readBack = async (
  { transactionLog, claims }: Pick<RecordTransactionDependencies, 'transactionLog' | 'claims'>,
  { entry, claim }: Recording,
): Promise<RecordOutcome | undefined> => {
  // The key first: if our own write ended it in the meantime, the log already shows the entry.
  const held = claim === undefined ? undefined : await claims.find(claim.scope);
  const found = await transactionLog.find(entry);
  if (found !== undefined && hashesOf(found).includes(lastAttempt(entry).hash))
    return { outcome: 'recorded' };
  if (held?.state === 'done') return { outcome: 'key-done', result: held.result };
  if (claim !== undefined && held?.owner !== claim.owner) return { outcome: 'key-lost' };
  return found === undefined ? undefined : { outcome: 'nonce-used' };
};

/** A request makes at most one write more than this: the noop transaction for a nonce that it could not use. */
export const writesAtMost = 5;

/**
 * Repeats the same write until its outcome is known, with a pause before each repetition, as long as writes and the
 * deadline allow. Also returns how many writes are left.
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
    writes,
    deadline,
  }: { readonly recording: Recording; readonly writes: number; readonly deadline: number },
): Promise<{ readonly result: RecordOutcome; readonly writesLeft: number }> => {
  const { transactionLog, clock, logger, pause } = dependencies;
  const { nonce } = recording.entry;
  let silence: { readonly cause: unknown } | undefined;
  for (let tried = 1; ; tried += 1) {
    const writesLeft = writes - tried;
    let busy: RecordOutcome | undefined;
    try {
      const result = await transactionLog.record(recording);
      if (result.outcome !== 'busy') return { result, writesLeft };
      busy = result;
    } catch (cause) {
      silence = { cause };
      const result = await readBack(dependencies, recording).catch((error: unknown) => {
        logger.warn('What was written cannot be read back', { nonce, error });
        return undefined;
      });
      if (result !== undefined) return { result, writesLeft };
    }
    if (writesLeft <= 0 || clock() >= deadline) {
      if (busy !== undefined && silence === undefined) return { result: busy, writesLeft };
      throw new RecordingUnknownError({ message: `Nonce ${nonce} may be recorded, or not`, ...silence });
    }
    logger.warn('The same write goes to the log again', { nonce, tried, ...busy, ...silence });
    await pause(tried);
  }
};

/** What to record, for whom, and until when. */
interface Order {
  readonly signer: KnownSigner;
  readonly feeQuote: FeeQuote;
  readonly transaction: NewTransaction;
  readonly claim: Claim | undefined;
  readonly places?: Places | undefined;
  readonly deadline: number;
}

/** Signs for a reserved nonce and records that. If the nonce then has no entry, it is filled before this ends. */
const recordAtNonce = async (
  dependencies: RecordTransactionDependencies,
  { signer: { id, signer }, feeQuote, transaction, claim, places, deadline }: Order,
  { nonce, writes }: { readonly nonce: number; readonly writes: number },
) => {
  const { unsigned, resource } = transaction;
  const gap = { signer: id, nonce, feeQuote };
  try {
    const entry = await signEntry({ ...dependencies, signer }, { signer: id, nonce, unsigned, feeQuote });
    const recording = {
      entry,
      ...(resource === undefined ? {} : { resource: resourceOf(resource, entry) }),
      ...(claim === undefined ? {} : { claim }),
      ...(places === undefined ? {} : { places }),
    };
    const { result, writesLeft } = await recordPatiently(dependencies, { recording, writes, deadline });
    if (result.outcome !== 'recorded' && result.outcome !== 'nonce-used') {
      await fillOwnNonceGap({ ...dependencies, signer }, gap);
    }
    return { entry, result, writesLeft };
  } catch (error) {
    // The answer may be lost and the entry written; then the fill finds the nonce used.
    await fillOwnNonceGap({ ...dependencies, signer }, gap);
    throw error;
  }
};

/**
 * Records a signed transaction, what it makes and the key's result in one write: only then may it be sent.
 *
 * ```
 * recorded               it may be sent
 * nonce-used, outdated   reserves the next nonce, and records there
 * busy, no answer        the same write again, after a pause; five writes in all, whatever nonces they are for
 * key-done               returns what another request with the key made
 * key-lost               IdempotencyKeyInUseError: another request took the key over
 * places-lost            PlacesLostError: another request gave the places back
 * still busy             LogBusyError: nothing was written
 * still no answer        RecordingUnknownError: it may be written, or not
 * ```
 *
 * A nonce that ends without an entry is filled with a noop transaction.
 */
export const recordTransaction = async (
  dependencies: RecordTransactionDependencies,
  {
    startedAt,
    reserved: first,
    ...order
  }: Omit<Order, 'deadline'> & {
    readonly reserved: ReservedNonce;
    /** When its handler began, milliseconds since the epoch. */
    readonly startedAt: number;
  },
): Promise<Recorded> => {
  const deadline = handlerDeadline(startedAt);
  let reserved = first;
  let writes = writesAtMost;
  for (;;) {
    const { nonce } = reserved;
    const { entry, result, writesLeft } = await recordAtNonce(
      dependencies,
      { ...order, deadline },
      { nonce, writes },
    );
    switch (result.outcome) {
      case 'recorded':
        return { outcome: 'recorded', entry, state: reserved.state };
      case 'key-done':
        return { outcome: 'replayed', result: result.result };
      case 'key-lost':
        throw new IdempotencyKeyInUseError();
      case 'places-lost':
        throw new PlacesLostError({ message: 'Another request gave the places of a limited supply back' });
      case 'busy':
        throw new LogBusyError({ message: `The log was busy at each try: ${result.reason}` });
      case 'outdated':
      case 'nonce-used':
        if (writesLeft <= 0 || dependencies.clock() >= deadline) {
          throw new LogBusyError({
            message: `Nonce ${nonce} was used or outdated by another, as those before it`,
          });
        }
    }
    writes = writesLeft;
    reserved = await reserveNonce(dependencies, order.signer.id);
  }
};
