import { inParallel } from '../../platform/in-parallel.ts';
import type { Logger } from '../../platform/logger.ts';
import type { Clock } from '../../platform/time/clock.ts';
import { SupplyExhaustedError } from '../errors.ts';
import type { Nfts } from '../ports/nfts.ts';
import type { Places, Supplies } from '../ports/supplies.ts';
import type { CollectionKey } from '../tokens/nft.ts';
import { gapPatienceMilliseconds } from '../transactions/gaps.ts';
import type { Admitted } from './admit.ts';
import { type GiveBackDependencies, giveBack } from './give-back.ts';

export type SupplyDependencies = GiveBackDependencies & {
  readonly supplies: Supplies;
  readonly nfts: Pick<Nfts, 'find'>;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly randomId: () => string;
};

type Holding = Pick<Admitted, 'taken'>;

/** An admitted request that has reserved places in a limited supply for its tokens. */
export type Placed<Request extends Holding = Holding> = Request & {
  readonly taken: { readonly places: Places };
  /** Places that other requests reserved so long ago that these requests must have died or been suspended. */
  readonly abandoned: readonly Places[];
};

/**
 * How many abandoned requests one mint clears at most, by confirming or releasing their places: a few in every mint,
 * and more if too few places are left for this mint.
 */
const clearedAtMost = { whileMinting: 3, beforeRefusing: 40 } as const;
const clearedAtOnce = 10;

/**
 * Confirms or releases the places that abandoned requests reserved. If a request recorded its tokens, its places are
 * confirmed. Checking the first token suffices, because a request records all of its tokens in one write. If the first
 * token is missing, the request might be suspended and still record its tokens later. So `fence` first prevents the
 * request from recording, and then the token is looked up again. If the token is still missing, the places are
 * released. Returns whether any places were released.
 */
const clearAbandoned = async (
  { supplies, nfts }: Pick<SupplyDependencies, 'supplies' | 'nfts'>,
  abandoned: readonly Places[],
): Promise<boolean> => {
  const freed = await inParallel(abandoned, {
    atOnce: clearedAtOnce,
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
 * Reserves places in a limited supply for an admitted mint, before a nonce is reserved. If too few places are left,
 * confirms or releases the places of abandoned requests, and tries again if any were released. If the mint gets no
 * places, releases its idempotency key and its share of the daily count.
 *
 * @throws SupplyExhaustedError
 */
export const takePlaces = async <Request extends Holding>(
  dependencies: SupplyDependencies,
  admitted: Request,
  wanted: CollectionKey & { readonly count: number; readonly maxSupply: number },
): Promise<Placed<Request>> => {
  const { supplies, clock, randomId } = dependencies;
  const owner = randomId();
  const take = async () => {
    const now = clock();
    const taking = await supplies.take({ ...wanted, owner, takenAt: now });
    const isAbandoned = ({ takenAt }: Places) => now - takenAt >= gapPatienceMilliseconds;
    return { ...taking, abandoned: taking.marked.filter(isAbandoned) };
  };
  try {
    let taking = await take();
    if (taking.places === undefined) {
      const abandoned = taking.abandoned.slice(0, clearedAtMost.beforeRefusing);
      if (await clearAbandoned(dependencies, abandoned)) taking = await take();
    }
    const { places, abandoned, left } = taking;
    if (places === undefined) throw new SupplyExhaustedError({ ...wanted, left });
    return { ...admitted, taken: { ...admitted.taken, places }, abandoned };
  } catch (error) {
    await giveBack(dependencies, admitted.taken);
    throw error;
  }
};

/**
 * Confirms the places of recorded tokens, and confirms or releases the places of a few abandoned requests, so that
 * these requests do not accumulate. Never throws: later mints repeat what could not be done.
 */
export const keepPlaces = async (
  dependencies: SupplyDependencies,
  { taken: { places }, abandoned }: Placed,
): Promise<void> => {
  const { supplies, logger } = dependencies;
  try {
    await supplies.keep(places);
    await clearAbandoned(dependencies, abandoned.slice(0, clearedAtMost.whileMinting));
  } catch (cause) {
    logger.warn('Marks of a limited supply not removed; a later mint will remove them', { cause });
  }
};
