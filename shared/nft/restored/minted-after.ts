import { inParallel } from '../../platform/in-parallel.ts';
import { decodeOwner, encodeOwnerOf } from '../collection/collection.ts';
import type { CollectionKey } from '../collection/nft.ts';
import type { Chain } from '../ports/chain.ts';

/** How many ids in a row must have no token. Requests that died leave gaps, a batch of up to 95 ids at a time. */
const emptyAtLeast = 200;
const callsAtOnce = 16;

/**
 * Finds the tokens of a collection that were minted after its counter of ids was kept. Their ids follow the counter,
 * with gaps. `last` is an id above all of them.
 * @throws ChainUnavailableError
 */
export const mintedAfter = async (
  { chain }: { readonly chain: Pick<Chain, 'call' | 'finalizedBlock'> },
  { contract }: Pick<CollectionKey, 'contract'>,
  after: number,
): Promise<{ readonly last: number; readonly count: number }> => {
  const at = await chain.finalizedBlock();
  const isMinted = async (id: number): Promise<boolean> => {
    const owner = await chain.call({ to: contract, data: encodeOwnerOf(BigInt(id)) }, at);
    return owner.outcome === 'returned' && decodeOwner(owner.data) !== undefined;
  };
  let count = 0;
  for (let from = after + 1; ; from += emptyAtLeast) {
    const ids = Array.from({ length: emptyAtLeast }, (_, index) => from + index);
    const found = (await inParallel(ids, { atOnce: callsAtOnce, run: isMinted })).filter(Boolean).length;
    count += found;
    if (found === 0) return { last: from + emptyAtLeast - 1, count };
  }
};
