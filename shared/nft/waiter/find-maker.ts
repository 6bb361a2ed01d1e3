import { anyEventOf, mintEvent } from '../collection/collection.ts';
import { updateFor } from '../collection/updates.ts';
import type { Entry } from '../entry.ts';
import type { BlockId, Chain, EventLookup } from '../ports/chain.ts';

/**
 * Finds the transaction that did this entry's work, by an event that only that transaction can have emitted: the first
 * event of the deployed contract, the `Transfer` that minted the token, or the `Transfer` that burnt the token. This
 * also works when no endpoint knows the transaction by its hash.
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
    case 'revoke':
      return chain.findEvent({ address: purpose.contract, ...updateFor(purpose).log, since, at });
    default:
      return Promise.resolve({ outcome: 'absent' });
  }
};
