import { IdempotencyKeyReusedError } from '../errors.ts';
import type { ResourceReference } from '../ports/holds.ts';
import type { Nfts } from '../ports/nfts.ts';
import type { CollectionKey, Nft } from '../tokens/nft.ts';
import { requireRange } from '../tokens/token-range.ts';

/**
 * The tokens that an earlier request with the same idempotency key created, in their current state.
 *
 * @throws IdempotencyKeyReusedError if that request created something else; NftNotFoundError if a token is missing: with
 * the others alone, the caller would take them for all.
 */
export const earlierTokens = async (
  { nfts }: { readonly nfts: Pick<Nfts, 'findRange'> },
  collection: CollectionKey,
  result: ResourceReference,
): Promise<readonly Nft[]> => {
  if (result.kind !== 'nfts') throw new IdempotencyKeyReusedError();
  return requireRange(nfts, { ...collection, from: result.from, to: result.to });
};
