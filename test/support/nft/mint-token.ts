import { type Mint, type MintDependencies, mintTokens } from '../../../shared/nft/submit/mint.ts';
import type { Nft } from '../../../shared/nft/tokens/nft.ts';

/** Mints one token with `mintTokens`. */
export const mintToken = async (
  dependencies: MintDependencies,
  { destination, metadata, ...mint }: Omit<Mint, 'tokens'> & Mint['tokens'][number],
): Promise<Nft> => {
  const [nft] = await mintTokens(dependencies, { ...mint, tokens: [{ destination, metadata }] });
  if (nft === undefined) throw new RangeError('A mint of one token returned no token');
  return nft;
};
