import type { Logger } from '../../logger.ts';
import { settledValue } from '../../settled-value.ts';
import type { CollectionKey } from '../collection/nft.ts';
import type { Nfts } from '../ports/nfts.ts';
import { type FillOwnGapDependencies, fillOwnGap } from '../transactions/gaps.ts';
import { type ReservedNonce, type ReserveNonceDependencies, reserveNonce } from '../transactions/nonce.ts';
import type { Admitted } from './admit.ts';
import { type GiveBackDependencies, giveBack } from './give-back.ts';

export type ReserveDependencies = ReserveNonceDependencies &
  GiveBackDependencies & { readonly logger: Logger };

export type ReserveWithTokenIdsDependencies = ReserveDependencies &
  Omit<FillOwnGapDependencies, 'signer'> & { readonly nfts: Pick<Nfts, 'reserveTokenIds'> };

/** Takes the signer's next nonce for an admitted request; one that gets none gives back what it holds. */
export const reserve = async (
  dependencies: ReserveDependencies,
  { signer, held }: Admitted,
): Promise<ReservedNonce> => {
  try {
    return await reserveNonce(dependencies, signer.id);
  } catch (error) {
    await giveBack(dependencies, held);
    throw error;
  }
};

/**
 * Takes nonce and token ids side by side, which makes a mint shorter by a write: ids may have holes, and a nonce whose
 * ids cannot be had is filled.
 */
export const reserveWithTokenIds = async (
  dependencies: ReserveWithTokenIdsDependencies,
  { signer: { id, signer }, held, feeQuote }: Admitted,
  wanted: CollectionKey & { readonly count: number },
): Promise<ReservedNonce & { readonly firstTokenId: string }> => {
  const [reserved, ids] = await Promise.allSettled([
    reserveNonce(dependencies, id),
    dependencies.nfts.reserveTokenIds(wanted),
  ]);
  try {
    return { ...settledValue(reserved), firstTokenId: settledValue(ids) };
  } catch (error) {
    if (reserved.status === 'fulfilled') {
      await fillOwnGap({ ...dependencies, signer }, { signer: id, nonce: reserved.value.nonce, feeQuote });
    }
    await giveBack(dependencies, held);
    throw error;
  }
};
