import { ChainUnavailableError } from '../../shared/nft/errors.ts';
import type { Address } from '../../shared/nft/hex.ts';
import type { Event } from '../../shared/ott/event.ts';
import type { TicketHoldings } from '../../shared/ott/ports/ticket-holdings.ts';
import type { Signing } from '../../shared/ott/signed-path.ts';
import { OperatorError } from '../operator-error.ts';

/** Contracts asked about in one request, with three questions each. */
const contractsAtOnce = 30;

/**
 * Finds the contracts of the events' tickets that are no ERC-721 collections on the stage's chain. An ERC-20 contract
 * has balances as well, and would open the event to everyone who holds its coin.
 *
 * @throws OperatorError when no endpoint answers.
 */
export const judgeTickets = async (
  { holdings }: { readonly holdings: Pick<TicketHoldings, 'notErc721'> },
  {
    events,
    judged,
  }: {
    readonly events: readonly Pick<Event, 'tickets'>[];
    /** Earlier findings, by contract: whether it is an ERC-721 collection. */
    readonly judged: Map<Address, boolean>;
  },
): Promise<ReadonlySet<Address>> => {
  const named = events.flatMap(({ tickets = [] }) => tickets.map(({ contractAddress }) => contractAddress));
  const unknown = [...new Set(named)].filter((contract) => !judged.has(contract));
  for (let from = 0; from < unknown.length; from += contractsAtOnce) {
    const asked = unknown.slice(from, from + contractsAtOnce);
    const others = new Set(await ask(holdings, asked));
    for (const contract of asked) judged.set(contract, !others.has(contract));
  }
  return new Set(named.filter((contract) => judged.get(contract) === false));
};

const ask = async (holdings: Pick<TicketHoldings, 'notErc721'>, contracts: readonly Address[]) => {
  try {
    return await holdings.notErc721(contracts);
  } catch (cause) {
    if (!(cause instanceof ChainUnavailableError)) throw cause;
    throw new OperatorError({
      message: `The contracts of tickets cannot be checked for ERC-721: ${cause.message}`,
      cause,
    });
  }
};

/** The mistakes in an event's tickets on this stage. */
export const ticketMistakes = (
  { tickets = [] }: Pick<Event, 'tickets'>,
  { signing, notErc721 }: { readonly signing: Signing; readonly notErc721: ReadonlySet<Address> },
): string[] => {
  if (tickets.length > 0 && signing !== 'cookies') {
    return ['tickets: need a stage that signs with cookies, since nothing else ends when a ticket is sold'];
  }
  return tickets.flatMap(({ contractAddress }, index) =>
    notErc721.has(contractAddress)
      ? [
          `tickets[${index}].contract_address: is no ERC-721 collection on the stage’s chain (it does not say so by ERC-165)`,
        ]
      : [],
  );
};
