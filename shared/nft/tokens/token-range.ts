import { NftNotFoundError } from '../errors.ts';
import type { Nfts } from '../ports/nfts.ts';
import type { CollectionKey, Nft } from './nft.ts';

/** Tokens of a collection. Their ids are consecutive. */
export interface TokenRange extends CollectionKey {
  readonly from: string;
  readonly to: string;
}

/**
 * All tokens of the range, in the order of their ids. After a loss of data, some of them may be missing.
 *
 * @throws NftNotFoundError for the first token that is missing.
 */
export const requireRange = async (
  nfts: Pick<Nfts, 'findRange'>,
  range: TokenRange,
): Promise<readonly Nft[]> => {
  const found = await nfts.findRange(range);
  const byId = new Map(found.map((nft) => [nft.tokenId, nft]));
  const { from, to, contract: address } = range;
  for (let id = Number(from); id <= Number(to); id += 1) {
    if (!byId.has(String(id))) throw new NftNotFoundError({ address, tokenId: String(id) });
  }
  return found;
};
