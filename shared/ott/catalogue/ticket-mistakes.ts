import { isDeepStrictEqual } from 'node:util';
import { ChainUnavailableError } from '../../chain/errors.ts';
import type { Address } from '../../chain/hex.ts';
import type { Event } from '../events/event.ts';
import type { TicketHoldings } from '../ports/ticket-holdings.ts';
import type { Signing } from '../streams/signed-path.ts';

/** How many contracts one batch request to an RPC endpoint checks. Each contract takes three calls. */
const contractsAtOnce = 30;

/** Whether an event gets other tickets. Tickets that stay as they are stored are not judged again. */
export const hasOtherTickets = (
  before: Pick<Event, 'tickets'> | undefined,
  after: Pick<Event, 'tickets'>,
): boolean => !isDeepStrictEqual(before?.tickets, after.tickets);

/**
 * Finds the contracts in the events' tickets that are not ERC-721 collections on the stage's chain. An ERC-20 contract
 * also reports balances: as a ticket, it would give access to everyone who holds that currency.
 *
 * @throws ChainUnavailableError when no RPC endpoint answers.
 */
export const judgeTickets = async (
  { holdings }: { readonly holdings: Pick<TicketHoldings, 'notErc721'> },
  {
    events,
    judged = new Map(),
  }: {
    readonly events: readonly Pick<Event, 'tickets'>[];
    /**
     * Whether a contract is an ERC-721 collection. Contracts listed here are not checked again; new ones are added. Only
     * for work that ends soon: an address at which there is no collection may get one. @default every contract is checked
     */
    readonly judged?: Map<Address, boolean>;
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
    throw new ChainUnavailableError({
      message: `Cannot check whether the tickets name NFT collections: ${cause.message}`,
      cause,
    });
  }
};

/** The reasons why an event's tickets are invalid on this stage. */
export const ticketMistakes = (
  { tickets = [] }: Pick<Event, 'tickets'>,
  { signing, notErc721 }: { readonly signing: Signing; readonly notErc721: ReadonlySet<Address> },
): string[] => {
  if (tickets.length > 0 && signing !== 'cookies') {
    return [
      'tickets: need a stage that signs playback with cookies, because with signed URLs a viewer who has sold the ticket would keep access for too long',
    ];
  }
  return tickets.flatMap(({ contractAddress }, index) =>
    notErc721.has(contractAddress)
      ? [`tickets[${index}].contract_address: there is no NFT collection (ERC-721) at this address`]
      : [],
  );
};
