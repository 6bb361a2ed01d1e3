/**
 * The steps of an admitted request: reserve, record, broadcast. If reserving or recording fails, everything that the
 * request has reserved is released, such as its idempotency key.
 */

import type { Logger } from '../../platform/logger.ts';
import type { Clock } from '../../platform/time/clock.ts';
import { LogBusyError, RecordingUnknownError } from '../errors.ts';
import type { Chain } from '../ports/chain.ts';
import type { Holds } from '../ports/holds.ts';
import type { Nfts } from '../ports/nfts.ts';
import type { SignerState, Signers } from '../ports/signers.ts';
import type { CollectionKey } from '../tokens/nft.ts';
import type { Entry } from '../transactions/entry.ts';
import { type FillOwnNonceGapDependencies, fillOwnNonceGap } from '../transactions/gaps.ts';
import type { KeyRing } from '../transactions/key-ring.ts';
import {
  isInFlight,
  type ReservedNonce,
  type ReserveNonceDependencies,
  reserveNonce,
} from '../transactions/nonce.ts';
import type { TransactionSettings } from '../transactions/settings.ts';
import type { AdmitDependencies, Admitted } from './admit.ts';
import type { Backpressure } from './backpressure.ts';
import { sendingDeadline } from './deadlines.ts';
import { type GiveBackDependencies, giveBack, releaseHold, releaseLease, type Taken } from './give-back.ts';
import {
  type NewTransaction,
  type Recorded,
  type RecordTransactionDependencies,
  recordTransaction,
} from './record-transaction.ts';

type ReserveDependencies = ReserveNonceDependencies & GiveBackDependencies & { readonly logger: Logger };

type ReserveWithTokenIdsDependencies = ReserveDependencies &
  Omit<FillOwnNonceGapDependencies, 'signer'> & { readonly nfts: Pick<Nfts, 'reserveTokenIds'> };

/**
 * Reserves the signer's next nonce for an admitted request. If no nonce can be reserved, releases the request's
 * idempotency key, its share of the daily count and its places in a limited supply.
 */
export const reserve = async (
  dependencies: ReserveDependencies,
  { signer, taken }: Admitted,
): Promise<ReservedNonce> => {
  try {
    return await reserveNonce(dependencies, signer.id);
  } catch (error) {
    await giveBack(dependencies, taken);
    throw error;
  }
};

/**
 * Reserves a nonce and token ids concurrently, which saves the time of one write. If only the token ids are reserved,
 * they stay unused: ids may have gaps. If only the nonce is reserved, it is filled with a noop transaction.
 */
export const reserveWithTokenIds = async (
  dependencies: ReserveWithTokenIdsDependencies,
  { signer: { id, signer }, taken, feeQuote }: Admitted,
  wanted: CollectionKey & { readonly count: number },
): Promise<ReservedNonce & { readonly firstTokenId: string }> => {
  const [reserved, ids] = await Promise.allSettled([
    reserveNonce(dependencies, id),
    dependencies.nfts.reserveTokenIds(wanted),
  ]);
  if (reserved.status === 'rejected') {
    await giveBack(dependencies, taken);
    throw reserved.reason;
  }
  if (ids.status === 'rejected') {
    await fillOwnNonceGap({ ...dependencies, signer }, { signer: id, nonce: reserved.value.nonce, feeQuote });
    await giveBack(dependencies, taken);
    throw ids.reason;
  }
  return { ...reserved.value, firstTokenId: ids.value };
};

type RecordDependencies = RecordTransactionDependencies &
  GiveBackDependencies & { readonly backpressure: Pick<Backpressure, 'apply'> };

/**
 * Records an admitted request. If the request fails, or if another request with its key already has a result, releases
 * the request's idempotency key, its share of the daily count and its places in a limited supply.
 *
 * If it is unknown whether the request was recorded, only the idempotency key and the lease of a claim are released:
 * - Releasing them is safe. A write that has already succeeded has completed the key, so the release changes
 *   nothing. A write that the database executes after the release is refused, because the hold is gone.
 * - The daily count is not reduced, because the request may have been recorded.
 * - The places stay reserved until another mint finds out whether the tokens were recorded.
 */
export const givingBack = async <Outcome extends { readonly outcome: string }>(
  dependencies: GiveBackDependencies & { readonly backpressure: Pick<Backpressure, 'apply'> },
  { taken, record }: { readonly taken: Taken; readonly record: () => Promise<Outcome> },
): Promise<Outcome> => {
  try {
    const recorded = await record();
    if (recorded.outcome === 'repeated') await giveBack(dependencies, taken);
    return recorded;
  } catch (error) {
    if (error instanceof LogBusyError) dependencies.backpressure.apply();
    if (error instanceof RecordingUnknownError) {
      await releaseHold(dependencies, taken.hold);
      await releaseLease(dependencies, taken.lease);
    } else await giveBack(dependencies, taken);
    throw error;
  }
};

/** Records the transaction of an admitted request. If that fails, gives back what the request holds. */
export const record = async (
  dependencies: RecordDependencies,
  { signer, feeQuote, taken, startedAt }: Admitted,
  { reserved, ...transaction }: NewTransaction & { readonly reserved: ReservedNonce },
): Promise<Recorded> => {
  const { hold, lease, places } = taken;
  const order = { signer, reserved, feeQuote, transaction, hold, lease, places, startedAt };
  return givingBack(dependencies, { taken, record: () => recordTransaction(dependencies, order) });
};

interface BroadcastRecordedDependencies {
  readonly chain: Pick<Chain, 'broadcast'>;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly settings: Pick<TransactionSettings, 'inFlightCap'>;
}

/**
 * Sends the recorded transaction, if the in-flight cap and the handler's remaining time allow it. Otherwise the waiter
 * sends it. Never throws, because `broadcast` returns an outcome for every failure.
 */
export const broadcastRecorded = async (
  { chain, clock, logger, settings }: BroadcastRecordedDependencies,
  {
    entry,
    state,
    startedAt,
  }: { readonly entry: Entry; readonly state: SignerState; readonly startedAt: number },
): Promise<void> => {
  const { nonce } = entry;
  if (!isInFlight({ nonce, minedCount: state.minedCount, cap: settings.inFlightCap })) return;
  if (clock() >= sendingDeadline(startedAt)) return;
  for (const { raw } of entry.attempts) {
    const { outcome, detail } = await chain.broadcast(raw);
    if (outcome !== 'accepted' && outcome !== 'already-known') {
      logger.warn('Broadcast without success; the waiter will send the transaction again', {
        nonce,
        outcome,
        detail,
      });
    }
  }
};

/** The dependencies of every request that becomes a transaction. */
export type SubmitDependencies = AdmitDependencies &
  ReserveDependencies &
  RecordDependencies &
  BroadcastRecordedDependencies & {
    readonly holds: Holds;
    readonly keys: KeyRing;
    readonly signers: Pick<Signers, 'find'>;
  };
