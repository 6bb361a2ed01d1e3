import type { Logger } from '../../platform/logger.ts';
import type { Claim, Claims } from '../ports/claims.ts';
import type { Counting, DailyCounts } from '../ports/daily-counts.ts';
import type { Places, Supplies } from '../ports/supplies.ts';

export interface GiveBackDependencies {
  readonly claims: Pick<Claims, 'release'>;
  readonly counts: Pick<DailyCounts, 'giveBack'>;
  readonly supplies: Pick<Supplies, 'giveBack'>;
  readonly logger: Logger;
}

/** What an admitted request has reserved. All of it is released if the request creates nothing. */
export interface HeldClaims {
  readonly claim: Claim | undefined;
  readonly counted: Counting;
  /** Set for the claim of a reserved token: keeps other claims of the same holder waiting. */
  readonly lease?: Claim;
  /** Set for a mint into a collection with a limited supply. */
  readonly places?: Places;
}

/** Releases the idempotency key, so that the caller can retry the request immediately. */
export const releaseClaim = async (
  { claims, logger }: Pick<GiveBackDependencies, 'claims' | 'logger'>,
  claim: Claim | undefined,
): Promise<void> => {
  try {
    if (claim !== undefined) await claims.release(claim);
  } catch (cause) {
    logger.warn('Idempotency key or lease not released; it ends by itself', { cause });
  }
};

/**
 * For a request that created nothing, releases its idempotency key, its share of the daily count, and its places in a
 * limited supply. Never throws. What cannot be released now becomes free later: the key when its lease expires, the
 * count at the end of the day, and the places when a later mint releases them.
 */
export const giveBack = async (
  dependencies: GiveBackDependencies,
  { claim, counted, lease, places }: HeldClaims,
): Promise<void> => {
  await releaseClaim(dependencies, claim);
  await releaseClaim(dependencies, lease);
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
