import type { Address } from '../nft/hex.ts';
import type { HeldTokens } from '../nft/ports/held-tokens.ts';
import { holdingOf, reservationHolder } from '../nft/reservation/holder.ts';
import type { HoldingQuestion } from './ports/ticket-holdings.ts';
import type { VoidTickets } from './ports/void-tickets.ts';

export interface ReservedTicketDependencies {
  readonly voidTickets: Pick<VoidTickets, 'ofContracts'>;
  readonly tokens: HeldTokens;
}

export interface ReservedTickets {
  /** A ticket that is reserved for the viewer. @default the viewer has none */
  readonly reserved?: { readonly contract: Address; readonly tokenId: string };
  /** The tickets that the viewer has claimed, and whose mint is not final. May be incomplete if one is reserved. */
  readonly claimedTokens: HoldingQuestion['claimedTokens'];
}

/** The ids of the void tokens of these contracts. Contracts without void tokens are left out. */
export const voidTokensOf = async (
  { voidTickets }: Pick<ReservedTicketDependencies, 'voidTickets'>,
  contracts: readonly Address[],
): Promise<HoldingQuestion['voidTokens']> =>
  new Map(
    [...(await voidTickets.ofContracts(contracts))].map(([contract, tokens]) => [
      contract,
      tokens.map(({ tokenId }) => tokenId),
    ]),
  );

/**
 * The tickets of these contracts that are reserved for the user with this registration, or claimed by the user. Void
 * tokens do not count. Reads no further than needed to find a reserved one.
 */
export const reservedTickets = async (
  dependencies: Pick<ReservedTicketDependencies, 'tokens'>,
  {
    registrationId,
    contracts,
    voidTokens,
  }: Pick<HoldingQuestion, 'contracts' | 'voidTokens'> & { readonly registrationId: string },
): Promise<ReservedTickets> => {
  const found = await Promise.all(
    contracts.map((contract) =>
      ofContract(dependencies, { registrationId, contract, voids: new Set(voidTokens.get(contract)) }),
    ),
  );
  const reserved = found.find((one) => one.reserved !== undefined)?.reserved;
  return {
    ...(reserved !== undefined && { reserved }),
    claimedTokens: new Map(
      found.flatMap(({ contract, claimed }) => (claimed.length === 0 ? [] : [[contract, claimed]])),
    ),
  };
};

const ofContract = async (
  { tokens }: Pick<ReservedTicketDependencies, 'tokens'>,
  {
    registrationId,
    contract,
    voids,
  }: { readonly registrationId: string; readonly contract: Address; readonly voids: ReadonlySet<string> },
) => {
  const holder = reservationHolder({ registrationId, contract });
  const claimed: string[] = [];
  for await (const token of tokens.heldBy({ holder })) {
    const { tokenId } = token;
    if (token.contract !== contract || voids.has(tokenId)) continue;
    const holding = holdingOf(token, holder);
    if (holding === 'held') return { contract, claimed, reserved: { contract, tokenId } };
    if (holding === 'until-minted') claimed.push(tokenId);
  }
  return { contract, claimed, reserved: undefined };
};
