import { ChainUnavailableError } from '../../../shared/chain/errors.ts';
import { type Address, checksummed } from '../../../shared/chain/hex.ts';
import type { TicketHoldings } from '../../../shared/ott/ports/ticket-holdings.ts';
import type { VoidTickets } from '../../../shared/ott/ports/void-tickets.ts';

export interface InspectVoidsDependencies {
  readonly voidTickets: Pick<VoidTickets, 'ofContracts'>;
  readonly holdings: Pick<TicketHoldings, 'withoutOwner'>;
}

/** How many contracts' void tokens are read at once. */
const contractsAtOnce = 100;
const idsShown = 10;

/** At most ten ids, and how many more there are. */
export const someIds = (ids: readonly string[]): string =>
  ids.length <= idsShown
    ? ids.join(', ')
    : `${ids.slice(0, idsShown).join(', ')} and ${ids.length - idsShown} more`;

/**
 * Finds the void tokens of these contracts that may still give access to events, because their contract names no owner.
 * Returns one sentence for each such contract.
 */
export const ineffectiveVoids = async (
  { voidTickets, holdings }: InspectVoidsDependencies,
  contracts: readonly Address[],
): Promise<readonly string[]> => {
  const sentences: string[] = [];
  for (let from = 0; from < contracts.length; from += contractsAtOnce) {
    const voids = await voidTickets.ofContracts(contracts.slice(from, from + contractsAtOnce));
    if (voids.size === 0) continue;
    const tokens = new Map([...voids].map(([contract, of]) => [contract, of.map(({ tokenId }) => tokenId)]));
    try {
      for (const [contract, ids] of await holdings.withoutOwner(tokens)) {
        sentences.push(
          `${checksummed(contract)} names no owner (ownerOf) of these void tokens: ${someIds(ids)}. If they were not burned, they still give access`,
        );
      }
    } catch (error) {
      if (!(error instanceof ChainUnavailableError)) throw error;
      sentences.push(`Whether void tokens still give access could not be checked: ${error.message}`);
    }
  }
  return sentences;
};
