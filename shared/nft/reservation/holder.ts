import { createHash } from 'node:crypto';
import { isRevoked, type Nft } from '../collection/nft.ts';
import type { Address } from '../hex.ts';

/**
 * By this hash, the holder of a reserved token is found from the registration alone. It ends with the registration, and
 * cannot be matched with hashes of other contracts.
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
 * - `none`: it is not this holder's, or it is minted, revoked, or about to be revoked.
 */
export const holdingOf = (
  { status, holder: current, ...nft }: Pick<Nft, 'status' | 'holder' | 'revocation'>,
  holder: string,
): 'held' | 'until-minted' | 'none' => {
  if (current !== holder || isRevoked(nft)) return 'none';
  if (status === 'reserved') return 'held';
  return status === 'pending' ? 'until-minted' : 'none';
};
