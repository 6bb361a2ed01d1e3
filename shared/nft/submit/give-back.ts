import type { Logger } from '../../logger.ts';
import type { Claim, Claims } from '../ports/claims.ts';
import type { Counting, DailyCounts } from '../ports/daily-counts.ts';

export interface GiveBackDependencies {
  readonly claims: Pick<Claims, 'release'>;
  readonly counts: Pick<DailyCounts, 'giveBack'>;
  readonly logger: Logger;
}

/** What an admitted request holds; it is given back when the request makes nothing. */
export interface HeldClaims {
  readonly claim: Claim | undefined;
  readonly counted: Counting;
}

/** Releases the key, so that its request can be made again at once. */
export const releaseClaim = async (
  { claims, logger }: Pick<GiveBackDependencies, 'claims' | 'logger'>,
  claim: Claim | undefined,
): Promise<void> => {
  try {
    if (claim !== undefined) await claims.release(claim);
  } catch (cause) {
    logger.warn('The key stays claimed until its lease is over', { cause });
  }
};

/**
 * Gives back what a request holds that made nothing. It never throws: what it cannot give back ends with the claim's
 * lease, or with the day.
 */
export const giveBack = async (
  dependencies: GiveBackDependencies,
  { claim, counted }: HeldClaims,
): Promise<void> => {
  await releaseClaim(dependencies, claim);
  try {
    await dependencies.counts.giveBack(counted);
  } catch (cause) {
    dependencies.logger.warn('What made nothing stays counted for the day', { cause });
  }
};
