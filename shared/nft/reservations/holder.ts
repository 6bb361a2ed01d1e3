import { createHash } from 'node:crypto';
import type { Address } from '../../chain/hex.ts';
import { type BurnField, isGone } from '../tokens/gone.ts';
import type { Nft } from '../tokens/nft.ts';

/**
 * A hash that identifies the holder of a reserved token. It is computed from the registration and the contract alone,
 * is of no use after the registration has ended, and cannot be matched with hashes for other contracts.
 */
export const reservationHolder = ({
  registrationId,
  contract,
}: {
  readonly registrationId: string;
  readonly contract: Address;
}): string =>
  createHash('sha256')
    .update(JSON.stringify([registrationId, contract]))
    .digest('hex');

/**
 * - `held`: the token is reserved for this holder.
 * - `until-minted`: its claim is pending. The holder holds it as long as the chain does not have it. From then on, the
 *   chain decides.
 * - `none`: it is not this holder's, or it is minted or gone.
 */
export const holdingOf = (
  { status, holder: current, ...nft }: Pick<Nft, 'status' | 'holder' | BurnField>,
  holder: string,
): 'held' | 'until-minted' | 'none' => {
  if (current !== holder || isGone(nft)) return 'none';
  if (status === 'reserved') return 'held';
  return status === 'pending' ? 'until-minted' : 'none';
};
