import type { Clock } from '../../clock.ts';
import { inParallel } from '../../in-parallel.ts';
import type { Logger } from '../../logger.ts';
import type { CollectionKey } from '../collection/nft.ts';
import { SupplyExhaustedError } from '../errors.ts';
import type { Nfts } from '../ports/nfts.ts';
import type { Places, Supplies } from '../ports/supplies.ts';
import { gapPatienceMilliseconds } from '../transactions/settings.ts';
import type { Admitted } from './admit.ts';
import { type GiveBackDependencies, giveBack } from './give-back.ts';

export type SupplyDependencies = GiveBackDependencies & {
  readonly supplies: Supplies;
  readonly nfts: Pick<Nfts, 'find'>;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly randomId: () => string;
};

/** An admitted mint whose tokens have places. */
export interface Placed extends Admitted {
  readonly held: Admitted['held'] & { readonly places: Places };
  /** Places that requests took so long ago that they have died, or stand still. */
  readonly abandoned: readonly Places[];
}

/** How many abandoned requests one mint settles: a few beside its own work, more when it would otherwise be refused. */
const settledAtMost = { whileMinting: 3, beforeRefusing: 40 } as const;
const settledAtOnce = 10;

/**
 * Keeps the places of abandoned requests that recorded their tokens, and gives back those of the others. The first token
 * tells, because all of them are recorded in one write. Where there is none, the request may only stand still, so its
 * places are fenced off: from then on it cannot record. A second look then decides. Returns whether any are free again.
 */
const settleAbandoned = async (
  { supplies, nfts }: Pick<SupplyDependencies, 'supplies' | 'nfts'>,
  abandoned: readonly Places[],
): Promise<boolean> => {
  const freed = await inParallel(abandoned, {
    atOnce: settledAtOnce,
    run: async (places) => {
      const isRecorded = async () =>
        (await nfts.find({ ...places, tokenId: places.firstTokenId })) !== undefined;
      const isRecordedBeforeFence = async () => {
        await supplies.fence(places);
        return isRecorded();
      };
      const isKept = (await isRecorded()) || (await isRecordedBeforeFence());
      await (isKept ? supplies.keep(places) : supplies.giveBack(places));
      return !isKept;
    },
  });
  return freed.includes(true);
};

/**
 * Takes places of a limited supply for an admitted mint, before anything of the signer is taken. When too few are left,
 * it settles abandoned requests and tries once more. A mint that gets no places gives back what it holds.
 *
 * @throws SupplyExhaustedError
 */
export const takePlaces = async (
  dependencies: SupplyDependencies,
  admitted: Admitted,
  wanted: CollectionKey & { readonly count: number; readonly maxSupply: number },
): Promise<Placed> => {
  const { supplies, clock, randomId } = dependencies;
  const owner = randomId();
  const take = async () => {
    const now = clock();
    const taking = await supplies.take({ ...wanted, owner, takenAt: now });
    const isAbandoned = ({ takenAt }: Places) => now - takenAt >= gapPatienceMilliseconds;
    return { ...taking, abandoned: taking.unsettled.filter(isAbandoned) };
  };
  try {
    let taking = await take();
    if (taking.places === undefined) {
      const abandoned = taking.abandoned.slice(0, settledAtMost.beforeRefusing);
      if (await settleAbandoned(dependencies, abandoned)) taking = await take();
    }
    const { places, abandoned, left } = taking;
    if (places === undefined) throw new SupplyExhaustedError({ ...wanted, left });
    return { ...admitted, held: { ...admitted.held, places }, abandoned };
  } catch (error) {
    await giveBack(dependencies, admitted.held);
    throw error;
  }
};

/**
 * Keeps the places of recorded tokens, and settles some abandoned requests, so that these never pile up. It never throws:
 * later mints settle what is left.
 */
export const keepPlaces = async (
  dependencies: SupplyDependencies,
  { held: { places }, abandoned }: Placed,
): Promise<void> => {
  const { supplies, logger } = dependencies;
  try {
    await supplies.keep(places);
    await settleAbandoned(dependencies, abandoned.slice(0, settledAtMost.whileMinting));
  } catch (cause) {
    logger.warn('Places of a limited supply are left for others to settle', { cause });
  }
};
