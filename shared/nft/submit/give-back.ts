import type { Logger } from '../../logger.ts';
import type { Claim, Claims } from '../ports/claims.ts';
import type { Counting, DailyCounts } from '../ports/daily-counts.ts';
import type { Places, Supplies } from '../ports/supplies.ts';

export interface GiveBackDependencies {
  readonly claims: Pick<Claims, 'release'>;
  readonly counts: Pick<DailyCounts, 'giveBack'>;
  readonly supplies: Pick<Supplies, 'giveBack'>;
  readonly logger: Logger;
}

/** What an admitted request holds; it is given back when the request makes nothing. */
export interface HeldClaims {
  readonly claim: Claim | undefined;
  readonly counted: Counting;
  /** Of a mint where the supply is limited. */
  readonly places?: Places;
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
 * lease, or with the day; places of a limited supply are found by whoever mints next.
 */
export const giveBack = async (
  dependencies: GiveBackDependencies,
  { claim, counted, places }: HeldClaims,
): Promise<void> => {
  await releaseClaim(dependencies, claim);
  try {
    await dependencies.counts.giveBack(counted);
  } catch (cause) {
    dependencies.logger.warn('What made nothing stays counted for the day', { cause });
  }
  try {
    if (places !== undefined) await dependencies.supplies.giveBack(places);
  } catch (cause) {
    dependencies.logger.warn('Places of a limited supply are left for others to settle', { cause });
  }
};
