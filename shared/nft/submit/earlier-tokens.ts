import type { CollectionKey, Nft } from '../collection/nft.ts';
import { IdempotencyKeyReusedError, NftNotFoundError } from '../errors.ts';
import type { ResourceReference } from '../ports/claims.ts';
import type { Nfts } from '../ports/nfts.ts';

/** The tokens that an earlier request with the same idempotency key created, in their current state. */
export const earlierTokens = async (
  { nfts }: { readonly nfts: Pick<Nfts, 'findRange'> },
  collection: CollectionKey,
  result: ResourceReference,
): Promise<Nft[]> => {
  if (result.kind !== 'nfts') throw new IdempotencyKeyReusedError();
  const { from, to } = result;
  const found = await nfts.findRange({ ...collection, from, to });
  if (found.length === 0) throw new NftNotFoundError({ address: collection.contract, tokenId: from });
  return found;
};
