import { checksummed } from '../../../shared/nft/hex.ts';
import type { Event } from '../../../shared/ott/event.ts';
import type { TicketHoldings } from '../../../shared/ott/ports/ticket-holdings.ts';
import type { VoidTickets } from '../../../shared/ott/ports/void-tickets.ts';
import type { Clock } from '../../../shared/platform/clock.ts';
import type { OpenWalletsDependencies } from '../../../shared/wallets/open-wallets.ts';
import { holderOf } from '../../../shared/wallets/wallet.ts';
import { ineffectiveVoids, someIds } from '../tickets/ineffective-voids.ts';

export interface ExplainTicketDependencies extends OpenWalletsDependencies {
  readonly voidTickets: Pick<VoidTickets, 'ofContracts'>;
  readonly holdings: TicketHoldings;
  readonly clock: Clock;
}

/** Whether a user holds a ticket for the event, and the reason in plain words. */
export interface TicketFinding {
  readonly isHeld: boolean;
  readonly because: string;
}

/**
 * Checks a user's wallets for a ticket in the same way as a request to play the stream, and explains each wallet.
 *
 * @throws ChainUnavailableError
 */
export const explainTicket = async (
  { wallets, users, voidTickets, holdings, clock }: ExplainTicketDependencies,
  { userSub, event }: { readonly userSub: string; readonly event: Pick<Event, 'tickets'> },
): Promise<TicketFinding> => {
  const contracts = (event.tickets ?? []).map(({ contractAddress }) => contractAddress);
  const [stored, registrations, voids] = await Promise.all([
    wallets.find(holderOf(userSub)),
    users.registrationsOf([userSub]),
    voidTickets.ofContracts(contracts),
  ]);
  const registrationId = registrations.get(userSub);
  if (registrationId === undefined) return { isHeld: false, because: `${userSub} is not registered` };
  const linked = stored?.registrationId === registrationId ? stored.wallets : [];
  if (linked.length === 0) return { isHeld: false, because: `${userSub} has linked no wallet` };

  const voidTokens = new Map(
    [...voids].map(([contract, tokens]) => [contract, tokens.map(({ tokenId }) => tokenId)]),
  );
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
      const isHeld = await holdings.isHeld({ wallets: [address], contracts, voidTokens });
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
      ...ofWallets.map(({ because }) => because),
      ...others.map((contract) => `there is no NFT collection (ERC-721) at ${checksummed(contract)}`),
      ...[...voidTokens].map(([contract, ids]) => `void tokens of ${checksummed(contract)}: ${someIds(ids)}`),
      ...ineffective,
    ].join('; '),
  };
};
