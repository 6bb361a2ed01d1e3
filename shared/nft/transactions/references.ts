import type { ResourceReference } from '../ports/holds.ts';
import type { Nft } from '../tokens/nft.ts';

/** The result of a key that created or changed these tokens, whose ids are consecutive. */
export const referenceOfTokens = (
  tokens: readonly Pick<Nft, 'contract' | 'tokenId'>[],
): ResourceReference => {
  const [first, last] = [tokens.at(0), tokens.at(-1)];
  if (first === undefined || last === undefined) throw new Error('There must be at least one token');
  return { kind: 'nfts', address: first.contract, from: first.tokenId, to: last.tokenId };
};
