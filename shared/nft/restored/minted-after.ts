import { type Address, lowerCase } from '../../chain/hex.ts';
import type { BlockId } from '../../chain/receipt.ts';
import { inParallel } from '../../platform/in-parallel.ts';
import type { Logger } from '../../platform/logger.ts';
import { decodeOwner, encodeOwnerOf } from '../collections/collection.ts';
import type { Chain } from '../ports/chain.ts';
import type { CollectionKey } from '../tokens/nft.ts';
import { newQuestions } from './questions.ts';

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

/** How many ids are looked up as of one block. Nodes forget the state of a block after some minutes. */
const idsOfBlock = 1_000;

interface MintedAfterDependencies {
  readonly chain: Pick<Chain, 'call' | 'finalizedBlock'>;
  readonly logger: Pick<Logger, 'info'>;
  /** Waits until the chain may have another final block. */
  readonly wait: () => Promise<void>;
}

/**
 * Finds the tokens of a collection that were minted after the restored counter of ids was saved. Their ids are higher
 * than the counter, and may have gaps. `last` is not lower than any of them. What the chain does not answer is asked
 * again, as long as it takes.
 */
export const mintedAfter = async (
  { chain, logger, wait }: MintedAfterDependencies,
  { contract }: Pick<CollectionKey, 'contract'>,
  after: number,
): Promise<{ readonly last: number; readonly ids: readonly number[] }> => {
  const minted: number[] = [];
  let at: BlockId | undefined;
  const { ask, lastError } = newQuestions();
  for (let from = after + 1; ; from += emptyAtLeast) {
    if ((from - after - 1) % idsOfBlock === 0) at = undefined;
    const found: number[] = [];
    let ids = Array.from({ length: emptyAtLeast }, (_, index) => from + index);
    while (ids.length > 0) {
      at ??= (await ask(() => chain.finalizedBlock()))?.answer;
      const block = at;
      const owners =
        block === undefined
          ? []
          : await inParallel(ids, {
              atOnce: callsAtOnce,
              run: (id) => ask(() => ownerAt({ chain }, { contract, id, at: block })),
            });
      found.push(...ids.filter((_, index) => owners[index]?.answer !== undefined));
      ids = ids.filter((_, index) => owners[index] === undefined);
      if (ids.length === 0) break;
      logger.info('Too few RPC endpoints answer, so it is not known yet which tokens were minted', {
        error: lastError(),
      });
      at = undefined;
      await wait();
    }
    minted.push(...found);
    if (found.length === 0) return { last: from + emptyAtLeast + reservedAtMost - 1, ids: minted };
  }
};
