import { describe, expect, it } from 'vitest';
import { explainTicket } from '../../../../operator/ott/why/explain-ticket.ts';
import { ChainUnavailableError } from '../../../../shared/chain/errors.ts';
import type { Line } from '../../../../shared/nft/history/line.ts';
import { standInOf } from '../../../../shared/nft/reservations/stand-in.ts';
import type { Nft } from '../../../../shared/nft/tokens/nft.ts';
import type { TicketHoldings } from '../../../../shared/ott/ports/ticket-holdings.ts';
import { aReservedToken, ticketCollection as collection } from '../../../support/ott/builders.ts';
import { inMemoryHeldTokens } from '../../../support/ott/in-memory.ts';

const registrationId = 'registration of anna';
const anna = '1'.repeat(32);
const gone = '2'.repeat(32);
/** The gift of token 7 on 20 November. */
const gift = (from: string, to: string): Line => ({
  contract: collection,
  tokens: { from: '7', to: '7' },
  at: Date.parse('2026-11-20T09:15:00Z'),
  what: 'given',
  count: 1,
  given: { from: standInOf(from), to: standInOf(to) },
});

const explain = (
  tokens: readonly Nft[],
  {
    isHeld,
    voids = [],
    gifts = [],
  }: {
    isHeld?: TicketHoldings['isHeld'];
    voids?: readonly string[];
    gifts?: readonly Line[];
  } = {},
) =>
  explainTicket(
    {
      users: { registrationsOf: async () => new Map([['anna', registrationId]]) },
      wallets: { find: async () => undefined },
      voidTickets: {
        ofContracts: async () =>
          new Map(
            voids.length === 0
              ? []
              : [[collection, voids.map((tokenId) => ({ contract: collection, tokenId, voidedAt: 0 }))]],
          ),
      },
      tokens: inMemoryHeldTokens(tokens),
      holdings: {
        isHeld: isHeld ?? (() => Promise.reject(new Error('the chain was asked'))),
        notErc721: async () => [],
        withoutOwner: async () => new Map(),
      },
      lines: {
        ofToken: async ({ tokenId }) => ({
          lines: gifts.filter(({ tokens }) => tokens.from === tokenId),
          isMore: false,
        }),
        givenBy: async ({ giver }) =>
          gifts
            .filter(({ given }) => given?.from === giver)
            .map(({ contract, tokens, at }) => ({ contract, tokenId: tokens.from, at })),
      },
      subs: {
        find: async () => ({ applicationId: 'fan-app', applicationUserSub: anna, isLinked: true }),
        registrationsOf: async ({ applicationUserSubs }) =>
          new Map(
            applicationUserSubs
              .filter((each) => each === anna)
              .map((each) => [each, { userSub: 'anna', registrationId }]),
          ),
      },
      contracts: { applicationOf: async () => 'fan-app' },
      clock: () => 0,
    },
    { userSub: 'anna', event: { tickets: [{ contractAddress: collection }] } },
  );

describe('the explanation whether a user holds a ticket', () => {
  it('answers yes for a reserved ticket, without a call to the chain', async () => {
    expect(await explain([aReservedToken(registrationId, { tokenId: '7' })])).toEqual({
      isHeld: true,
      because: expect.stringMatching(
        /^token 7 of 0x7+ is reserved for anna, so neither wallets nor the chain are asked$/,
      ),
    });
  });

  it('says who had a reserved ticket before, and who has got one that was given away', async () => {
    const own = await explain([aReservedToken(registrationId, { tokenId: '7' })], {
      gifts: [gift(gone, anna)],
    });
    const away = await explain([], { gifts: [gift(anna, gone)] });

    expect(own.because).toMatch(
      /; it was given to anna on 2026-11-20T09:15:00\.000Z; until then reserved for a user who is not registered any more$/,
    );
    expect(away).toEqual({
      isHeld: false,
      because: expect.stringMatching(
        /^no ticket is reserved for anna, who has linked no wallet; token 7 of 0x7+ was given to a user who is not registered any more on 2026-11-20T09:15:00\.000Z; until then reserved for anna$/,
      ),
    });
  });

  it('answers no for a reserved ticket that is void or reserved for another user', async () => {
    const because = 'no ticket is reserved for anna, who has linked no wallet';

    expect(await explain([aReservedToken(registrationId)], { voids: ['1'] })).toEqual({
      isHeld: false,
      because,
    });
    expect(await explain([aReservedToken('registration of bruno')])).toEqual({ isHeld: false, because });
  });

  it.each([
    [
      'is yes for a claimed ticket that is not mined yet',
      async () => true,
      true,
      /until it is mined, it gives access/,
    ],
    [
      'depends on the linked wallets for a claimed ticket that is mined',
      async () => false,
      false,
      /only the wallets count/,
    ],
    [
      'is yes for a claimed ticket while no RPC endpoint answers',
      () => Promise.reject(new ChainUnavailableError({ message: 'out' })),
      true,
      /while no RPC endpoint answers, it gives access/,
    ],
  ])('%s', async (_, isHeld, expected, because) => {
    const claimed = aReservedToken(registrationId, { status: 'pending' });

    expect(await explain([claimed], { isHeld })).toEqual({
      isHeld: expected,
      because: expect.stringMatching(because),
    });
  });
});
