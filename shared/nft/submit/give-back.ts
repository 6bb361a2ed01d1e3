import type { Logger } from '../../platform/logger.ts';
import type { ClaimLease, ClaimLeases } from '../ports/claim-leases.ts';
import type { Counting, DailyCounts } from '../ports/daily-counts.ts';
import type { Hold, Holds } from '../ports/holds.ts';
import type { Places, Supplies } from '../ports/supplies.ts';

export interface GiveBackDependencies {
  readonly holds: Pick<Holds, 'release'>;
  readonly leases: Pick<ClaimLeases, 'release'>;
  readonly counts: Pick<DailyCounts, 'giveBack'>;
  readonly supplies: Pick<Supplies, 'giveBack'>;
  readonly logger: Logger;
}

/** What an admitted request has taken. All of it is given back if the request creates nothing. */
export interface Taken {
  readonly hold: Hold | undefined;
  readonly counted: Counting;
  /** Set for the claim of a reserved token: keeps other claims of the same holder waiting. */
  readonly lease?: ClaimLease | undefined;
  /** Set for a mint into a collection with a limited supply. */
  readonly places?: Places;
}

const notReleased = 'Idempotency key or lease not released; it ends by itself';

/** Releases the idempotency key, so that the caller can retry the request immediately. */
export const releaseHold = async (
  { holds, logger }: Pick<GiveBackDependencies, 'holds' | 'logger'>,
  hold: Hold | undefined,
): Promise<void> => {
  try {
    if (hold !== undefined) await holds.release(hold);
  } catch (cause) {
    logger.warn(notReleased, { cause });
  }
};

/** Releases the lease of a claim, so that other claims of the holder need not wait. */
export const releaseLease = async (
  { leases, logger }: Pick<GiveBackDependencies, 'leases' | 'logger'>,
  lease: ClaimLease | undefined,
): Promise<void> => {
  try {
    if (lease !== undefined) await leases.release(lease);
  } catch (cause) {
    logger.warn(notReleased, { cause });
  }
};

/**
 * For a request that created nothing, releases its idempotency key, its share of the daily count, and its places in a
 * limited supply. Never throws. What cannot be released now becomes free later: the key when its lease expires, the
 * count at the end of the day, and the places when a later mint releases them.
 */
export const giveBack = async (
  dependencies: GiveBackDependencies,
  { hold, counted, lease, places }: Taken,
): Promise<void> => {
  await releaseHold(dependencies, hold);
  await releaseLease(dependencies, lease);
  try {
    await dependencies.counts.giveBack(counted);
  } catch (cause) {
    dependencies.logger.warn('Daily count not reduced, although the request created nothing', { cause });
  }
  try {
    if (places !== undefined) await dependencies.supplies.giveBack(places);
  } catch (cause) {
    dependencies.logger.warn('Places of a limited supply not given back; a later mint will free them', {
      cause,
    });
  }
};
