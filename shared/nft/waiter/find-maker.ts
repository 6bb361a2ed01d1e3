import { anyEventOf, mintEvent } from '../collection/collection.ts';
import type { Entry } from '../entry.ts';
import type { BlockId, Chain, EventLookup } from '../ports/chain.ts';

/**
 * The transaction that made what this entry is for, by the event that only that can have emitted: the collection's
 * `Transfer` of the token, or a contract's own first event. It is found also where no endpoint knows it by its hash.
 */
export const findMaker = (
  { chain }: { readonly chain: Pick<Chain, 'findEvent'> },
  { entry, since, at }: { readonly entry: Entry; readonly since: number; readonly at: BlockId },
): Promise<EventLookup> => {
  const { purpose } = entry;
  switch (purpose.kind) {
    case 'deploy':
      return chain.findEvent({ ...anyEventOf(purpose.contract), since, at });
    case 'mint': {
      const tokenId = BigInt(purpose.firstTokenId);
      return chain.findEvent({ ...mintEvent({ collection: purpose.contract, tokenId }), since, at });
    }
    default:
      return Promise.resolve({ outcome: 'absent' });
  }
};
