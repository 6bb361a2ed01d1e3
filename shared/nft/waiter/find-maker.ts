import type { EventFilter } from '../../chain/event-log.ts';
import type { BlockId } from '../../chain/receipt.ts';
import type { TransactionKind } from '../../platform/watched.ts';
import { anyEventOf, mintEvent } from '../collections/collection.ts';
import { updateFor } from '../collections/updates.ts';
import type { Chain, EventLookup } from '../ports/chain.ts';
import type { Entry } from '../transactions/entry.ts';
import { type BurningKind, type ByKind, burnsToken, byKind } from '../transactions/purpose.ts';

/**
 * Finds the transaction that did this entry's work, by an event that only that transaction can have emitted: the first
 * event of the deployed contract, the `Transfer` that minted the token, or the `Transfer` that burnt the token. This
 * also works when no endpoint knows the transaction by its hash.
 */
export const findMaker = (
  { chain }: { readonly chain: Pick<Chain, 'findEvent'> },
  { entry, since, at }: { readonly entry: Entry; readonly since: number; readonly at: BlockId },
): Promise<EventLookup> => {
  const isUnlimited = entry.reopened !== undefined;
  const of = (filter: EventFilter) => chain.findEvent({ ...filter, since, at, isUnlimited });
  const ofNone = (): Promise<EventLookup> => Promise.resolve({ outcome: 'absent' });
  const { purpose } = entry;
  if (burnsToken(purpose)) return of({ address: purpose.contract, topics: updateFor(purpose).log.topics });
  const rows: ByKind<Promise<EventLookup>, Exclude<TransactionKind, BurningKind>> = {
    deploy: ({ contract }) => of(anyEventOf(contract)),
    mint: ({ contract, firstTokenId }) =>
      of(mintEvent({ collection: contract, tokenId: BigInt(firstTokenId) })),
    // After a claim that failed, another one may have minted the token to another address.
    claim: ({ contract, tokenId, destination }) =>
      of(mintEvent({ collection: contract, tokenId: BigInt(tokenId), destination })),
    // Anybody's transaction may repeat these without harm, so it does not matter who made them.
    'update-metadata': ofNone,
    'update-contract-metadata': ofNone,
    'set-royalty': ofNone,
    'set-base': ofNone,
    noop: ofNone,
  };
  return byKind(rows, purpose);
};
