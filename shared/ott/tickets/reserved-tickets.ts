import type { Address } from '../../chain/hex.ts';
import type { HeldTokens } from '../../nft/ports/held-tokens.ts';
import { holdingOf, reservationHolder } from '../../nft/reservations/holder.ts';
import type { Nft, NftKey } from '../../nft/tokens/nft.ts';
import { newCache } from '../../platform/cache.ts';
import type { Clock } from '../../platform/time/clock.ts';
import type { RememberedQuestion } from '../ports/grant-memory.ts';
import type { HoldingQuestion } from '../ports/ticket-holdings.ts';
import type { VoidTickets } from '../ports/void-tickets.ts';

export interface ReservedTicketDependencies {
  readonly voidTickets: Pick<VoidTickets, 'ofContracts'>;
  readonly tokens: HeldTokens;
}

export interface ReservedTickets {
  /** A ticket that is reserved for the viewer. @default the viewer has none */
  readonly reserved?: NftKey;
  /** The tickets that the viewer has claimed, and whose mint is not final. May be incomplete if one is reserved. */
  readonly claimedTokens: HoldingQuestion['claimedTokens'];
}

/**
 * The token that last gave a viewer access to an event. A renewal reads it together with everything else that it depends
 * on, instead of searching for it after that.
 */
export interface LatestTickets {
  /** The token as it is now. */
  read(question: RememberedQuestion): Promise<Nft | undefined>;
  remember(question: RememberedQuestion, token: NftKey): void;
}

/** A viewer renews a stream within this time. */
const latestMilliseconds = 60 * 60_000;

/** The tokens to search for tickets, and a memory of what was found. */
export const ticketTokens = (
  tokens: HeldTokens,
  { clock }: { readonly clock: Clock },
): { readonly tokens: HeldTokens; readonly latestTickets: LatestTickets } => {
  const latest = newCache<NftKey>({
    capacity: 10_000,
    lifetimeMilliseconds: latestMilliseconds,
    clock,
  });
  const keyOf = ({ userSub, eventId }: RememberedQuestion): string => JSON.stringify([userSub, eventId]);
  return {
    tokens,
    latestTickets: {
      read: async (question) => {
        const token = latest.get(keyOf(question));
        return token && tokens.find(token);
      },
      remember: (question, { applicationId, contract, tokenId }) =>
        latest.set(keyOf(question), { applicationId, contract, tokenId }),
    },
  };
};

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
    latest,
  }: Pick<HoldingQuestion, 'contracts' | 'voidTokens'> & {
    readonly registrationId: string;
    /** A token that may be reserved for the user. @default none is known */
    readonly latest?: Nft | undefined;
  },
): Promise<ReservedTickets> => {
  if (latest !== undefined && contracts.includes(latest.contract)) {
    const { contract } = latest;
    const holder = reservationHolder({ registrationId, contract });
    const isVoid = voidTokens.get(contract)?.includes(latest.tokenId) ?? false;
    if (!isVoid && holdingOf(latest, holder) === 'held')
      return { reserved: latest, claimedTokens: new Map() };
  }
  const found = await Promise.all(
    contracts.map((contract) =>
      ofContract(dependencies, { registrationId, contract, voids: new Set(voidTokens.get(contract)) }),
    ),
  );
  const reserved = found.find((one) => one.reserved !== undefined)?.reserved;
  return {
    reserved,
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
    if (holding === 'held') return { contract, claimed, reserved: token };
    if (holding === 'until-minted') claimed.push(tokenId);
  }
  return { contract, claimed, reserved: undefined };
};
