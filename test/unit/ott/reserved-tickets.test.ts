import { describe, expect, it } from 'vitest';
import { ChainUnavailableError } from '../../../shared/chain/errors.ts';
import type { Address } from '../../../shared/chain/hex.ts';
import type { Nft } from '../../../shared/nft/tokens/nft.ts';
import type { EntitlementAnswer } from '../../../shared/ott/ports/entitlement.ts';
import type { TicketMemory } from '../../../shared/ott/ports/grant-memory.ts';
import type { TicketHoldings } from '../../../shared/ott/ports/ticket-holdings.ts';
import { cachedHoldings } from '../../../shared/ott/tickets/check-tickets.ts';
import { ticketTokens } from '../../../shared/ott/tickets/reserved-tickets.ts';
import {
  anEvent,
  anOttApplication,
  aReservedToken,
  ticketCollection as collection,
} from '../../support/ott/builders.ts';
import { ottCalls } from '../../support/ott/calls.ts';
import { inMemoryEvents, inMemoryHeldTokens, toldEntitlement } from '../../support/ott/in-memory.ts';
import {
  asksChain,
  dimensions,
  expectedOutcome,
  type ReservedCase,
} from '../../support/ott/tickets/reserved-oracle.ts';

const otherCollection: Address = `0x${'8'.repeat(40)}`;
const wallet: Address = `0x${'a'.repeat(40)}`;
const now = Date.parse('2026-05-01T19:00:00Z');
const ticketSeconds = 60;
const registrationId = 'registration of anna';

const revocation = (status: 'pending' | 'failed') => ({
  nonce: 1,
  transactionHash: '0x' as const,
  status,
  createdAt: '',
});

const tokenOf: Record<ReservedCase['ticket'], readonly Nft[]> = {
  none: [],
  reserved: [aReservedToken(registrationId)],
  'reserved and void': [aReservedToken(registrationId)],
  'reserved for somebody else': [aReservedToken('registration of bruno')],
  'reserved in another collection': [aReservedToken(registrationId, { contract: otherCollection })],
  'reserved before the user registered again': [aReservedToken('earlier registration of anna')],
  'about to be revoked': [aReservedToken(registrationId, { revocation: revocation('pending') as never })],
  revoked: [aReservedToken(registrationId, { status: 'failed', failureReason: 'revoked' })],
  claimed: [aReservedToken(registrationId, { status: 'pending', destination: wallet })],
  'claimed and void': [aReservedToken(registrationId, { status: 'pending', destination: wallet })],
  'claimed, and final': [aReservedToken(registrationId, { status: 'confirmed', destination: wallet })],
};

const entitlementOf = ({ entitlement, viewer }: ReservedCase): EntitlementAnswer => {
  const vip = viewer === 'VIP';
  if (entitlement === 'out') return { outcome: 'unavailable' };
  return entitlement === 'success'
    ? { outcome: 'success', vip }
    : { outcome: 'denied', reason: entitlement, vip };
};

/**
 * Prepares the calls of a case. Counts the queries about wallets and to the chain, and keeps the end of the last
 * signature.
 */
const setUp = (given: ReservedCase, grants?: TicketMemory) => {
  const seen = { wallets: 0, chain: 0, endsAt: 0 };
  const isVoid = given.ticket.endsWith('and void');
  const isHeld: TicketHoldings['isHeld'] = async ({ wallets, claimedTokens, voidTokens }) => {
    seen.chain += 1;
    if (given.chain === 'out') throw new ChainUnavailableError({ message: 'out' });
    if (given.chain === 'has no such token') return claimedTokens.size > 0;
    // A token that is still reserved is in no wallet: then the wallet holds another one.
    const held = given.ticket.startsWith('claimed') ? '1' : '2';
    const isVoidThere = voidTokens.get(collection)?.includes(held) ?? false;
    return given.chain === 'says the wallet' && wallets.includes(wallet) && !isVoidThere;
  };
  const calls = ottCalls({
    events: inMemoryEvents([
      anEvent({
        access: given.access,
        status: given.status,
        geoblocking: { enabled: true, mode: 'block', countries: ['CH'] },
        ...(given.access === 'paid' && { tickets: [{ contractAddress: collection }] }),
      }),
    ]),
    applications: [anOttApplication()],
    entitlement: toldEntitlement(() => entitlementOf(given)),
    geolocation: {
      countryOf: async () => ({ outcome: 'answered', country: given.country === 'blocked' ? 'CH' : 'SE' }),
    },
    signer: {
      signing: 'none',
      sign: async ({ stream, endsAt }) => {
        seen.endsAt = endsAt ?? 0;
        return { url: stream.url, expiresAt: null, cookies: [] };
      },
    },
    tickets: {
      users: { registrationsOf: async () => new Map([['anna', registrationId]]) },
      wallets: {
        find: async () => {
          seen.wallets += 1;
          const linked = { address: wallet, linkedAt: 0, opensFrom: 0, proof: '' };
          return given.wallet === 'none'
            ? undefined
            : { userSub: 'anna', registrationId, version: 1, wallets: [linked] };
        },
      },
      voidTickets: {
        ofContracts: async () =>
          new Map(isVoid ? [[collection, [{ contract: collection, tokenId: '1', voidedAt: 0 }]]] : []),
      },
      ...ticketTokens(inMemoryHeldTokens(tokenOf[given.ticket]), { clock: () => now }),
      holdings: cachedHoldings({ isHeld }, { clock: () => now }),
      memory: grants && { grants, boundMilliseconds: 300_000 },
      clock: () => now,
      logger: { warn: () => {}, error: () => {} },
      ticketSeconds,
    },
    clock: () => now,
  });
  const headers: Record<string, string> =
    given.viewer === 'not logged in' ? {} : { authorization: 'Bearer anna@web' };
  return { seen, play: () => calls.stream('final', { headers }) };
};

const everyCombination = (): ReservedCase[] =>
  Object.entries(dimensions).reduce<Record<string, string>[]>(
    (cases, [name, values]) => cases.flatMap((given) => values.map((value) => ({ ...given, [name]: value }))),
    [{}],
  ) as unknown as ReservedCase[];

/** Every combination. If the case looks for no ticket, one chain and one set of wallets suffice. */
const everyCase = (): ReservedCase[] =>
  everyCombination().filter(
    ({ viewer, access, country, entitlement, wallet: linked, chain }) =>
      (viewer === 'logged in' &&
        access === 'paid' &&
        country === 'allowed' &&
        entitlement === 'no_purchase') ||
      (linked === 'linked' && chain === 'says the wallet'),
  );

const aCase = (fields: Partial<ReservedCase>): ReservedCase => ({
  viewer: 'logged in',
  access: 'paid',
  country: 'allowed',
  status: 'LIVE',
  entitlement: 'no_purchase',
  ticket: 'reserved',
  wallet: 'none',
  chain: 'out',
  ...fields,
});

describe('a ticket that is reserved for a viewer', () => {
  it('gives the expected access, and causes a call to the chain only when the tables are not enough, in all cases', async () => {
    const wrong: unknown[] = [];
    const counts = new Map<string, number>();

    for (const given of everyCase()) {
      const { seen, play } = setUp(given);
      const { status, body } = await play();
      const outcome = status === 200 ? '200' : `${status} ${(body as { message: string }).message}`;
      const expected = { outcome: expectedOutcome(given), isChainAsked: asksChain(given) };
      counts.set(expected.outcome, (counts.get(expected.outcome) ?? 0) + 1);
      if (outcome !== expected.outcome || seen.chain > 0 !== expected.isChainAsked) {
        wrong.push({ given, outcome, chain: seen.chain, expected });
      }
    }

    expect(wrong.slice(0, 3)).toEqual([]);
    expect(Math.min(...counts.values())).toBeGreaterThan(20);
    expect(counts.size).toBe(7);
  });

  it('gives access without a call for wallets or the chain, until ticketSeconds have passed', async () => {
    const { seen, play } = setUp(aCase({ wallet: 'linked', chain: 'out' }));

    expect((await play()).status).toBe(200);

    expect(seen).toEqual({ wallets: 0, chain: 0, endsAt: now + ticketSeconds * 1_000 });
  });

  it.each(['has no such token', 'says the wallet', 'out'] as const)(
    'gives access while it is claimed and the chain %s, until ticketSeconds have passed',
    async (chain) => {
      const { seen, play } = setUp(aCase({ ticket: 'claimed', wallet: 'linked', chain }));

      expect((await play()).status).toBe(200);

      expect(seen.endsAt).toBe(now + ticketSeconds * 1_000);
    },
  );

  describe('opens the stream while the entitlement service is out', () => {
    const askedAt = now - 10_000;
    /** The service answered ten seconds ago. The chain has not answered since the ticket was claimed. */
    const memory = (lastAnswer: 'no denial' | 'denial' = 'no denial') => {
      const recorded: unknown[] = [];
      const grants: TicketMemory = {
        record: async (_, decision) => void recorded.push(decision),
        granted: async () => undefined,
        undenied: async () => (lastAnswer === 'denial' ? undefined : { askedAt }),
      };
      return { recorded, grants };
    };

    it.each([
      ['reserved', 'out'],
      ['claimed', 'has no such token'],
      ['claimed', 'out'],
    ] as const)(
      'while it is %s and the chain %s, until ticketSeconds after the last answer',
      async (ticket, chain) => {
        const { grants, recorded } = memory();
        const { seen, play } = setUp(aCase({ entitlement: 'out', ticket, wallet: 'linked', chain }), grants);

        expect((await play()).status).toBe(200);

        expect(seen.endsAt).toBe(askedAt + ticketSeconds * 1_000);
        expect(recorded).toEqual([]);
      },
    );

    it('but not once it is minted', async () => {
      const { grants, recorded } = memory();
      const given = aCase({
        entitlement: 'out',
        ticket: 'claimed',
        wallet: 'linked',
        chain: 'says the wallet',
      });

      expect((await setUp(given, grants).play()).status).toBe(503);

      expect(recorded).toEqual([]);
    });

    it('but not for a viewer whom the service denied, and asks the chain nothing', async () => {
      const given = aCase({ entitlement: 'out', ticket: 'claimed', chain: 'has no such token' });
      const { seen, play } = setUp(given, memory('denial').grants);

      expect((await play()).status).toBe(503);

      expect(seen.chain).toBe(0);
    });
  });
});
