import { inParallel } from '../../platform/in-parallel.ts';
import { decodeOwner, encodeOwnerOf } from '../collection/collection.ts';
import type { CollectionKey } from '../collection/nft.ts';
import { type Address, lowerCase } from '../hex.ts';
import type { BlockId, Chain } from '../ports/chain.ts';

/** How many ids in a row must have no token. Requests that died leave gaps, a batch of up to 95 ids at a time. */
const emptyAtLeast = 200;
const callsAtOnce = 16;
/**
 * How many further ids are left out. The chain does not show the tokens that were reserved and are lost, whose ids were
 * promised to users.
 */
const reservedAtMost = 100_000;

/** The owner of a token as of a block. `undefined` if it does not exist. @throws ChainUnavailableError */
export const ownerAt = async (
  { chain }: { readonly chain: Pick<Chain, 'call'> },
  { contract, id, at }: { readonly contract: Address; readonly id: number; readonly at: BlockId },
): Promise<Address | undefined> => {
  const owner = await chain.call({ to: contract, data: encodeOwnerOf(BigInt(id)) }, at);
  const address = owner.outcome === 'returned' ? decodeOwner(owner.data) : undefined;
  return address && lowerCase(address);
};

/**
 * Finds the tokens of a collection that were minted after the restored counter of ids was saved. Their ids are higher
 * than the counter, and may have gaps. `last` is not lower than any of them.
 * @throws ChainUnavailableError
 */
export const mintedAfter = async (
  { chain }: { readonly chain: Pick<Chain, 'call' | 'finalizedBlock'> },
  { contract }: Pick<CollectionKey, 'contract'>,
  after: number,
): Promise<{ readonly last: number; readonly ids: readonly number[] }> => {
  const at = await chain.finalizedBlock();
  const minted: number[] = [];
  for (let from = after + 1; ; from += emptyAtLeast) {
    const ids = Array.from({ length: emptyAtLeast }, (_, index) => from + index);
    const owners = await inParallel(ids, {
      atOnce: callsAtOnce,
      run: (id) => ownerAt({ chain }, { contract, id, at }),
    });
    const found = ids.filter((_, index) => owners[index] !== undefined);
    minted.push(...found);
    if (found.length === 0) return { last: from + emptyAtLeast + reservedAtMost - 1, ids: minted };
  }
};
