import type { Clock } from '../../shared/clock.ts';
import { checksummed } from '../../shared/nft/hex.ts';
import type { Event } from '../../shared/ott/event.ts';
import type { TicketHoldings } from '../../shared/ott/ports/ticket-holdings.ts';
import type { VoidTickets } from '../../shared/ott/ports/void-tickets.ts';
import type { OpenWalletsDependencies } from '../../shared/wallets/open-wallets.ts';
import { holderOf } from '../../shared/wallets/wallet.ts';

export interface ExplainTicketDependencies extends OpenWalletsDependencies {
  readonly voidTickets: Pick<VoidTickets, 'ofContracts'>;
  readonly holdings: TicketHoldings;
  readonly clock: Clock;
}

/** Whether a ticket opens the event, in plain words. */
export interface TicketFinding {
  readonly isHeld: boolean;
  readonly because: string;
}

/**
 * Asks about a user's wallets as the stream call does, and says what each of them opens.
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
    linked.map(async ({ address, opensFrom }) => {
      if (opensFrom > now) {
        const from = new Date(opensFrom).toISOString();
        return {
          isHeld: false,
          because: `${checksummed(address)} was another user's, and waits until ${from}`,
        };
      }
      const isHeld = await holdings.isHeld({ wallets: [address], contracts, voidTokens });
      const because = `${checksummed(address)} holds ${isHeld ? 'a token' : 'none'}`;
      return { isHeld, because };
    }),
  );
  const others = await holdings.notErc721(contracts);
  return {
    isHeld: ofWallets.some(({ isHeld }) => isHeld),
    because: [
      ...ofWallets.map(({ because }) => because),
      ...others.map((contract) => `${checksummed(contract)} is no ERC-721 collection`),
      ...[...voidTokens].map(([contract, ids]) => `of ${checksummed(contract)} void: ${ids.join(', ')}`),
    ].join('; '),
  };
};
