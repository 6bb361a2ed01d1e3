import { describe, expect, it } from 'vitest';
import { earlierTokens } from '../../../shared/nft/submit/earlier-tokens.ts';
import type { Nft } from '../../../shared/nft/tokens/nft.ts';

const contract = `0x${'1'.repeat(40)}` as const;
const collection = { applicationId: 'one', contract };

/** The answer to a repeated request that made the tokens 7 to 9, of which the table has these. */
const answerOf = async (...tokenIds: readonly string[]): Promise<readonly string[]> => {
  const nfts = { findRange: async () => tokenIds.map((tokenId) => ({ ...collection, tokenId }) as Nft) };
  const result = { kind: 'nfts', address: contract, from: '7', to: '9' } as const;
  return (await earlierTokens({ nfts }, collection, result)).map(({ tokenId }) => tokenId);
};

describe('a repeated request for tokens', () => {
  it('is answered with all of them', async () => {
    await expect(answerOf('7', '8', '9')).resolves.toEqual(['7', '8', '9']);
  });

  it.each([
    { has: ['8'], missing: '7' },
    { has: ['7', '9'], missing: '8' },
    { has: ['7', '8'], missing: '9' },
    { has: [], missing: '7' },
  ])('is refused while the table has lost some of them, and has only $has', async ({ has, missing }) => {
    await expect(answerOf(...has)).rejects.toThrow(`Contract ${contract} has no token ${missing}`);
  });
});
