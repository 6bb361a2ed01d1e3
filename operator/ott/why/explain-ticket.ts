import { ChainUnavailableError } from '../../../shared/chain/errors.ts';
import { type Address, checksummed } from '../../../shared/chain/hex.ts';
import type { Event } from '../../../shared/ott/events/event.ts';
import type { TicketHoldings } from '../../../shared/ott/ports/ticket-holdings.ts';
import {
  type ReservedTicketDependencies,
  type ReservedTickets,
  reservedTickets,
  voidTokensOf,
} from '../../../shared/ott/tickets/reserved-tickets.ts';
import type { Clock } from '../../../shared/platform/time/clock.ts';
import type { OpenWalletsDependencies } from '../../../shared/wallets/open-wallets.ts';
import { holderOf } from '../../../shared/wallets/wallet.ts';
import { ineffectiveVoids, someIds } from '../tickets/ineffective-voids.ts';
import { givenAway, howGot, type TicketGiftsDependencies } from './ticket-gifts.ts';

export interface ExplainTicketDependencies
  extends OpenWalletsDependencies,
    ReservedTicketDependencies,
    Omit<TicketGiftsDependencies, 'users' | 'tokens'> {
  readonly holdings: TicketHoldings;
  readonly clock: Clock;
}

/** Whether a user holds a ticket for the event, and the reason in plain words. */
export interface TicketFinding {
  readonly isHeld: boolean;
  readonly because: string;
}

const tokenText = (contract: Address, tokenId: string): string =>
  `token ${tokenId} of ${checksummed(contract)}`;

/** Explains each token that the user has claimed and whose mint is not final. */
const explainClaims = async (
  { holdings }: Pick<ExplainTicketDependencies, 'holdings'>,
  { claimedTokens }: Pick<ReservedTickets, 'claimedTokens'>,
): Promise<readonly TicketFinding[]> => {
  const claims = [...claimedTokens].flatMap(([contract, ids]) =>
    ids.map((tokenId) => ({ contract, tokenId })),
  );
  return Promise.all(
    claims.map(async ({ contract, tokenId }) => {
      const claim = `${tokenText(contract, tokenId)} was claimed, and its mint is pending`;
      try {
        const isHeld = await holdings.isHeld({
          wallets: [],
          contracts: [],
          voidTokens: new Map(),
          claimedTokens: new Map([[contract, [tokenId]]]),
        });
        const because = isHeld
          ? 'until it is mined, it gives access'
          : 'it is mined already, so only the wallets count';
        return { isHeld, because: `${claim}: ${because}` };
      } catch (error) {
        if (!(error instanceof ChainUnavailableError)) throw error;
        return { isHeld: true, because: `${claim}: while no RPC endpoint answers, it gives access` };
      }
    }),
  );
};

/**
 * Checks a user's reserved tickets, then the user's wallets, in the same way as a request to play the stream, and
 * explains each of them.
 *
 * @throws ChainUnavailableError
 */
export const explainTicket = async (
  dependencies: ExplainTicketDependencies,
  { userSub, event }: { readonly userSub: string; readonly event: Pick<Event, 'tickets'> },
): Promise<TicketFinding> => {
  const { wallets, users, voidTickets, holdings, clock } = dependencies;
  const contracts = (event.tickets ?? []).map(({ contractAddress }) => contractAddress);
  const [stored, registrations, voidTokens] = await Promise.all([
    wallets.find(holderOf(userSub)),
    users.registrationsOf([userSub]),
    voidTokensOf(dependencies, contracts),
  ]);
  const registrationId = registrations.get(userSub);
  if (registrationId === undefined) return { isHeld: false, because: `${userSub} is not registered` };
  const found = await reservedTickets(dependencies, { registrationId, contracts, voidTokens });
  if (found.reserved !== undefined) {
    const { contract, tokenId } = found.reserved;
    const because = `${tokenText(contract, tokenId)} is reserved for ${userSub}, so neither wallets nor the chain are asked`;
    const got = await howGot(dependencies, { token: found.reserved, userSub, registrationId });
    return { isHeld: true, because: [because, ...(got === undefined ? [] : [got])].join('; ') };
  }
  const [claims, gifts] = await Promise.all([
    explainClaims(dependencies, found),
    givenAway(dependencies, { userSub, registrationId, contracts }),
  ]);
  const linked = stored?.registrationId === registrationId ? stored.wallets : [];
  if (linked.length === 0 && claims.length === 0) {
    const because = `no ticket is reserved for ${userSub}, who has linked no wallet`;
    return { isHeld: false, because: [because, ...gifts].join('; ') };
  }
  if (claims.some(({ isHeld }) => isHeld)) {
    return { isHeld: true, because: claims.map(({ because }) => because).join('; ') };
  }

  const now = clock();
  const ofWallets = await Promise.all(
    linked.map(async ({ address, opensFrom, opensUntil }) => {
      if (opensFrom > now) {
        const from = new Date(opensFrom).toISOString();
        return {
          isHeld: false,
          because: `${checksummed(address)} was linked to another user before, so its tickets give no access until ${from}`,
        };
      }
      if (opensUntil !== undefined && opensUntil <= now) {
        const until = new Date(opensUntil).toISOString();
        return {
          isHeld: false,
          because: `${checksummed(address)} is a contract, and its link expired at ${until}: the user must link it again`,
        };
      }
      const isHeld = await holdings.isHeld({
        wallets: [address],
        contracts,
        voidTokens,
        claimedTokens: new Map(),
      });
      const because = `${checksummed(address)} holds ${isHeld ? 'a ticket' : 'no ticket'}`;
      return { isHeld, because };
    }),
  );
  const [others, ineffective] = await Promise.all([
    holdings.notErc721(contracts),
    ineffectiveVoids({ voidTickets, holdings }, contracts),
  ]);
  return {
    isHeld: ofWallets.some(({ isHeld }) => isHeld),
    because: [
      ...claims.map(({ because }) => because),
      ...gifts,
      ...ofWallets.map(({ because }) => because),
      ...others.map((contract) => `there is no NFT collection (ERC-721) at ${checksummed(contract)}`),
      ...[...voidTokens].map(([contract, ids]) => `void tokens of ${checksummed(contract)}: ${someIds(ids)}`),
      ...ineffective,
    ].join('; '),
  };
};
