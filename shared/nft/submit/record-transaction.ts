import type { Logger } from '../../platform/logger.ts';
import type { Clock } from '../../platform/time/clock.ts';
import { UserNotFoundError } from '../../users/errors.ts';
import {
  ClaimInProgressError,
  IdempotencyKeyInUseError,
  LogBusyError,
  PlacesLostError,
  TokenChangedMeanwhileError,
} from '../errors.ts';
import type { Chain } from '../ports/chain.ts';
import type { ClaimLease } from '../ports/claim-leases.ts';
import type { Hold, Holds, ResourceReference } from '../ports/holds.ts';
import type { SignerState, Signers } from '../ports/signers.ts';
import type { Places } from '../ports/supplies.ts';
import type { Recording, RecordOutcome, TransactionLog } from '../ports/transaction-log.ts';
import {
  type Entry,
  hashesOf,
  lastAttempt,
  resourceOf,
  type UnsignedResource,
} from '../transactions/entry.ts';
import type { FeeQuote } from '../transactions/fees.ts';
import { fillOwnNonceGap } from '../transactions/gaps.ts';
import type { KnownSigner } from '../transactions/key-ring.ts';
import { type ReservedNonce, reserveNonce } from '../transactions/nonce.ts';
import { signEntry, type UnsignedEntry } from '../transactions/sign.ts';
import { handlerDeadline } from './deadlines.ts';
import { writePatiently } from './write-patiently.ts';

export interface RecordTransactionDependencies {
  readonly chain: Pick<Chain, 'transactionCounts' | 'finalizedBlock' | 'minedCountAt' | 'broadcast'>;
  readonly signers: Pick<Signers, 'create' | 'reserveNonce'>;
  readonly transactionLog: Pick<TransactionLog, 'find' | 'range' | 'record'>;
  readonly holds: Pick<Holds, 'find'>;
  readonly logger: Logger;
  readonly clock: Clock;
  readonly randomId: () => string;
  /** Pauses before the second try and each later one, so that conflicting requests do not retry at the same time. */
  readonly pause: (tried: number) => Promise<void>;
}

/** A transaction to record, and the contract, tokens or change that it creates. */
export interface NewTransaction {
  readonly unsigned: UnsignedEntry;
  /** Absent if nothing outside of the log is stored for the transaction. */
  readonly resource?: UnsignedResource;
}

export type Recorded =
  | {
      readonly outcome: 'recorded';
      readonly entry: Entry;
      /** The signer's state after the nonce was reserved. */
      readonly state: SignerState;
    }
  /** Another request already has the result, which is the response. */
  | {
      readonly outcome: 'repeated';
      readonly result: ResourceReference;
      /** `false` if the other request revoked the same token without this request's idempotency key. */
      readonly hasSameKey: boolean;
    };

/**
 * Determines the outcome of a recording when the response to its write was lost. `undefined` if nothing is stored: the
 * write failed, or may still be executed.
 */
const readBack = async (
  { transactionLog, holds }: Pick<RecordTransactionDependencies, 'transactionLog' | 'holds'>,
  { entry, hold }: Recording,
): Promise<RecordOutcome | undefined> => {
  // One write stores the entry, and the result with the idempotency key. The key is read first: if it already has this
  // request's result, the log already has the entry.
  const held = hold === undefined ? undefined : await holds.find(hold.scope);
  const found = await transactionLog.find(entry);
  if (found !== undefined && hashesOf(found).includes(lastAttempt(entry).hash))
    return { outcome: 'recorded' };
  if (held?.state === 'done') return { outcome: 'key-done', result: held.result };
  if (hold !== undefined && held?.owner !== hold.owner) return { outcome: 'key-lost' };
  return found === undefined ? undefined : { outcome: 'nonce-used' };
};

/**
 * How many times one request may try to record its transaction, over all nonces together.
 * Writes of noop transactions, which fill the nonces that the request could not use, are not counted.
 */
export const writesAtMost = 5;

/** Records a transaction with `writePatiently`. What got no response is looked up in the log. */
export const recordPatiently = (
  dependencies: Pick<
    RecordTransactionDependencies,
    'transactionLog' | 'holds' | 'clock' | 'logger' | 'pause'
  >,
  {
    recording,
    ...limits
  }: { readonly recording: Recording; readonly writes: number; readonly deadline: number },
): Promise<{ readonly result: RecordOutcome; readonly writesLeft: number }> =>
  writePatiently<RecordOutcome>(dependencies, {
    ...limits,
    what: `nonce ${recording.entry.nonce}`,
    write: () => dependencies.transactionLog.record(recording),
    readBack: () => readBack(dependencies, recording),
  });

/** What one request records, and the deadline for recording it. */
interface Order {
  readonly signer: KnownSigner;
  readonly feeQuote: FeeQuote;
  readonly transaction: NewTransaction;
  readonly hold: Hold | undefined;
  readonly lease?: ClaimLease | undefined;
  readonly places?: Places | undefined;
  readonly deadline: number;
}

/**
 * Signs the transaction with a reserved nonce and records it. If the nonce gets no log entry, fills the nonce with a
 * noop transaction before returning or throwing.
 */
const recordAtNonce = async (
  dependencies: RecordTransactionDependencies,
  { signer: { id, signer }, feeQuote, transaction, hold, lease, places, deadline }: Order,
  { nonce, writes }: { readonly nonce: number; readonly writes: number },
) => {
  const { unsigned, resource } = transaction;
  const gap = { signer: id, nonce, feeQuote };
  try {
    const entry = await signEntry({ ...dependencies, signer }, { signer: id, nonce, unsigned, feeQuote });
    const recording = {
      entry,
      resource: resource && resourceOf(resource, entry),
      hold,
      lease,
      places,
    };
    const { result, writesLeft } = await recordPatiently(dependencies, { recording, writes, deadline });
    if (result.outcome !== 'recorded' && result.outcome !== 'nonce-used') {
      await fillOwnNonceGap({ ...dependencies, signer }, gap);
    }
    return { entry, result, writesLeft };
  } catch (error) {
    // The entry may have been written even though the response to that write was lost. In that case the log refuses the
    // noop transaction, because the nonce already has an entry.
    await fillOwnNonceGap({ ...dependencies, signer }, gap);
    throw error;
  }
};

/**
 * In one DynamoDB transaction, writes three things: the signed transaction; what it creates (a contract, tokens or a
 * change); and the result of the idempotency key. The signed transaction must not be sent before this. What happens
 * next depends on the outcome of the write:
 *
 * ```
 * recorded               returns the entry; the caller can then send the transaction
 * nonce-used, outdated   reserves the next nonce, and records with that nonce
 * busy, no answer        repeats the same write after a pause; five writes in all, including those with other nonces
 * key-done               returns the result of another request with the key
 * already-gone           returns the token, which another request has burnt
 * key-lost               throws IdempotencyKeyInUseError: another request now holds the key
 * lease-lost             throws ClaimInProgressError: another claim of the same holder may be in progress
 * token-changed          throws TokenChangedMeanwhileError: the token to claim is not reserved as it was read
 * registration-ended     throws UserNotFoundError: the user for whom the token to claim is reserved was removed
 * places-lost            throws PlacesLostError: another request released this request's places in the limited supply
 * still busy             throws LogBusyError: nothing was written
 * still no answer        throws RecordingUnknownError: it is unknown whether the transaction was recorded
 * ```
 *
 * A reserved nonce that gets no entry is filled with a noop transaction.
 */
export const recordTransaction = async (
  dependencies: RecordTransactionDependencies,
  {
    startedAt,
    reserved: first,
    ...order
  }: Omit<Order, 'deadline'> & {
    readonly reserved: ReservedNonce;
    /** When the request's handler started, in milliseconds since the epoch. */
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
        return { outcome: 'repeated', result: result.result, hasSameKey: true };
      case 'already-gone':
        return { outcome: 'repeated', result: result.result, hasSameKey: false };
      case 'key-lost':
        throw new IdempotencyKeyInUseError();
      case 'lease-lost':
        throw new ClaimInProgressError();
      case 'token-changed':
        throw new TokenChangedMeanwhileError(result);
      case 'registration-ended':
        throw new UserNotFoundError();
      case 'places-lost':
        throw new PlacesLostError({
          message: 'Another request freed the places of a limited supply that this request had taken',
        });
      case 'busy':
        throw new LogBusyError({ message: `The transaction log was busy at every try: ${result.reason}` });
      case 'outdated':
      case 'nonce-used':
        if (writesLeft <= 0 || dependencies.clock() >= deadline) {
          throw new LogBusyError({
            message: `Another transaction used or outdated nonce ${nonce}, and also every earlier nonce of this request`,
          });
        }
    }
    writes = writesLeft;
    reserved = await reserveNonce(dependencies, order.signer.id);
  }
};
