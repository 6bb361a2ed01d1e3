import * as fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ChainUnavailableError } from '../../../shared/chain/errors.ts';
import { type Address, lowerCase } from '../../../shared/chain/hex.ts';
import { dynamoDbHeldTokens } from '../../../shared/nft/store/held-tokens.ts';
import { nftItem } from '../../../shared/nft/store/nft-items.ts';
import type { Nft } from '../../../shared/nft/tokens/nft.ts';
import type { Event } from '../../../shared/ott/events/event.ts';
import type { EntitlementAnswer } from '../../../shared/ott/ports/entitlement.ts';
import { dynamoDbGrants, dynamoDbTicketGrants } from '../../../shared/ott/store/grants.ts';
import { getStream } from '../../../shared/ott/streams/get-stream.ts';
import { withLastKnownGood } from '../../../shared/ott/streams/last-known-good.ts';
import { createRenewals } from '../../../shared/ott/streams/renewal.ts';
import { cachedHoldings } from '../../../shared/ott/tickets/check-tickets.ts';
import { ticketTokens } from '../../../shared/ott/tickets/reserved-tickets.ts';
import { aReservedToken } from '../../support/ott/builders.ts';
import { newWallet } from '../../support/ott/tickets/tickets-over-http.ts';
import { type WalletWorld, walletWorld } from '../../support/ott/tickets/wallet-world.ts';
import { voidMarks } from '../../support/ott/void-marks.ts';
import { startDatabase, type TestDatabase } from '../../support/platform/dynamodb.ts';

const ticketSeconds = 60;
const boundSeconds = 300;
const tokenIds = ['1', '2'] as const;
/** Tokens that are not minted at first. */
const reservedIds = ['3', '4'] as const;
const people = ['ana', 'bruno'] as const;
type Person = (typeof people)[number];

let database: TestDatabase;
let world: WalletWorld;
let runs = 0;
beforeAll(async () => {
  database = await startDatabase();
  world = await walletWorld(database, {
    prefix: 'over-time',
    contracts: { isValid: async () => false },
    ticketSeconds,
  });
});
afterAll(() => database.stop());

const person = fc.constantFrom(...people);
const wallet = fc.constantFrom(0, 1);
const token = fc.constantFrom(...tokenIds);
const reservedToken = fc.constantFrom(...reservedIds);
const act = fc.oneof(
  { weight: 8, arbitrary: fc.record({ act: fc.constant('ask' as const), person }) },
  {
    weight: 4,
    arbitrary: fc.record({
      act: fc.constant('wait' as const),
      seconds: fc.constantFrom(1, 5, 14, 30, 59, 61, 90),
    }),
  },
  { weight: 3, arbitrary: fc.record({ act: fc.constant('link' as const), person, wallet }) },
  {
    weight: 3,
    arbitrary: fc.record({
      act: fc.constant('transfer' as const),
      token: fc.constantFrom(...tokenIds, ...reservedIds),
      to: fc.constantFrom(0, 1, 2),
    }),
  },
  // Reserves the token for the person, or reassigns it.
  { weight: 4, arbitrary: fc.record({ act: fc.constant('reserve' as const), token: reservedToken, person }) },
  { weight: 1, arbitrary: fc.record({ act: fc.constant('revoke' as const), token: reservedToken }) },
  {
    weight: 3,
    arbitrary: fc.record({ act: fc.constant('claim' as const), token: reservedToken, wallet }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      act: fc.constantFrom('mine' as const, 'finish' as const, 'fail' as const),
      token: reservedToken,
    }),
  },
  { weight: 1, arbitrary: fc.record({ act: fc.constant('unlink' as const), person, wallet }) },
  { weight: 1, arbitrary: fc.record({ act: fc.constant('remove' as const), person }) },
  {
    weight: 1,
    arbitrary: fc.record({
      act: fc.constant('void' as const),
      token: fc.oneof(token, reservedToken),
      isVoid: fc.boolean(),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      act: fc.constant('services' as const),
      chain: fc.boolean(),
      entitlement: fc.constantFrom('no_purchase', 'no_purchase', 'denied', 'out'),
    }),
  },
);
type Act = typeof act extends fc.Arbitrary<infer Value> ? Value : never;

/** The calls of a viewer, with real tables. The test plays the chain and the entitlement service. */
const scene = (run: number) => {
  const contract: Address = `0x${String(run).padStart(40, '7')}`;
  const subOf = (someone: Person) => `${someone}-${run}`;
  const wallets = [newWallet(), newWallet()] as const;
  const elsewhere = lowerCase(newWallet().address);
  const owners = new Map<string, Address>(tokenIds.map((id) => [id, elsewhere]));
  const voided = new Set<string>();
  const linked = new Map<Address, Person>();
  const state = { chain: true, entitlement: 'no_purchase' };
  /** The users' registrations, which end when a user is removed. */
  const registrations = new Map<Person, string>();
  const reserved = new Map<string, { readonly registration: string; readonly wallet?: Address }>();
  const { client, tables, clock, users } = world;
  const logger = { warn: () => {}, error: () => {} };
  const voidTickets = voidMarks(client, tables);
  const grants = { client, tableName: tables.Grants };
  const event: Event = {
    id: `final-${run}`,
    title: 'Final',
    description: null,
    status: 'LIVE',
    access: 'paid',
    startsAt: '2026-05-01T18:00:00.000Z',
    endsAt: null,
    image: null,
    categories: [],
    hand: {},
    tickets: [{ contractAddress: contract }],
    stream: { type: 'hls', url: 'https://streams.example.com/final/index.m3u8' },
  };
  const answers: Record<string, EntitlementAnswer> = {
    no_purchase: { outcome: 'denied', reason: 'no_purchase', vip: false },
    denied: { outcome: 'denied', reason: 'denied', vip: false },
    out: { outcome: 'unavailable' },
  };
  const dependencies = {
    context: {
      entitlement: withLastKnownGood({
        entitlement: { check: async () => answers[state.entitlement] ?? { outcome: 'unavailable' } },
        grants: dynamoDbGrants(grants),
        boundMilliseconds: boundSeconds * 1_000,
        clock,
        logger,
      }),
      geolocation: { countryOf: async () => ({ outcome: 'answered' as const, country: 'SE' }) },
    },
    events: {
      find: async () => event,
      findCounterpart: async () => {},
      streamsUnder: async function* () {},
    },
    signer: {
      signing: 'cookies' as const,
      sign: async ({ endsAt }: { readonly endsAt?: number | undefined }) => ({
        url: '',
        expiresAt: endsAt === undefined ? null : new Date(endsAt).toISOString(),
        cookies: [],
      }),
    },
    tickets: {
      users,
      wallets: world.wallets,
      voidTickets,
      ...ticketTokens(dynamoDbHeldTokens({ client, tableName: tables.Nfts }), { clock }),
      holdings: cachedHoldings(
        {
          isHeld: async ({ wallets: asked, voidTokens, claimedTokens }) => {
            if (!state.chain) throw new ChainUnavailableError({ message: 'out' });
            if (claimedTokens.get(contract)?.some((id) => !owners.has(id))) return true;
            const isVoid = (id: string) => voidTokens.get(contract)?.includes(id) ?? false;
            return [...owners].some(([id, owner]) => asked.includes(owner) && !isVoid(id));
          },
        },
        { clock },
      ),
      memory: { grants: dynamoDbTicketGrants(grants), boundMilliseconds: boundSeconds * 1_000 },
      clock,
      logger,
      ticketSeconds,
    },
    clock,
    renewalOf: createRenewals({ clock, random: Math.random, lifeSeconds: ticketSeconds }),
    logger,
  };
  const holds = (someone: Person) =>
    [...owners].some(([id, owner]) => linked.get(owner) === someone && !voided.has(id)) ||
    // A claimed token counts as held until it is minted, and while no endpoint answers.
    [...reserved].some(
      ([id, { registration }]) =>
        registration === registrations.get(someone) && !voided.has(id) && (!owners.has(id) || !state.chain),
    );
  const store = async (id: string, fields: Partial<Nft>) => {
    const registration = reserved.get(id)?.registration ?? '';
    const nft = aReservedToken(registration, { contract, tokenId: id, ...fields });
    await client.put({ TableName: tables.Nfts, Item: nftItem(nft) });
  };
  const claimOf = (id: string) => {
    const claim = reserved.get(id);
    return claim?.wallet === undefined ? undefined : { ...claim, wallet: claim.wallet };
  };

  const register = async (someone: Person) => {
    await world.register(subOf(someone));
    const registered = await users.registrationsOf([subOf(someone)]);
    registrations.set(someone, registered.get(subOf(someone)) ?? '');
  };

  return {
    holds,
    reserves: (someone: Person) =>
      [...reserved].some(
        ([id, { registration, wallet: claimed }]) =>
          registration === registrations.get(someone) && !voided.has(id) && claimed === undefined,
      ) && state.entitlement === 'no_purchase',
    /** When the signed URL or cookies expire; `undefined` if the call is refused. */
    ask: (someone: Person): Promise<number | undefined> =>
      getStream(dependencies, {
        caller: {
          applicationId: 'fan-app',
          configuration: { rules: [{ id: 'all', enabled: true }], geoblocking: undefined },
          login: { userSub: subOf(someone), clientId: 'web' },
          address: '198.51.100.9',
          country: undefined,
        },
        eventId: event.id,
        session: () => ({ sessionId: undefined }),
        isReadOnly: false,
      }).then(
        ({ signed }) => Date.parse(signed.expiresAt ?? ''),
        (error) => {
          if ('code' in error && /PURCHASE|DENIED|UNAVAILABLE/.test(error.code)) return undefined;
          throw error;
        },
      ),
    change: async (done: Exclude<Act, { readonly act: 'ask' | 'wait' }>): Promise<void> => {
      const addressOf = (index: number) => lowerCase(wallets[index as 0 | 1].address);
      switch (done.act) {
        case 'reserve': {
          if (owners.has(done.token) || claimOf(done.token) !== undefined) return;
          await register(done.person);
          const registration = registrations.get(done.person) ?? '';
          reserved.set(done.token, { registration });
          return store(done.token, {});
        }
        case 'revoke':
          if (!reserved.has(done.token) || claimOf(done.token) !== undefined) return;
          await store(done.token, { status: 'failed', holder: undefined });
          reserved.delete(done.token);
          return;
        case 'claim': {
          const own = reserved.get(done.token);
          const address = addressOf(done.wallet);
          const claimer = linked.get(address);
          if (own === undefined || own.wallet !== undefined || claimer === undefined) return;
          if (registrations.get(claimer) !== own.registration) return;
          reserved.set(done.token, { ...own, wallet: address });
          return store(done.token, { status: 'pending', destination: address });
        }
        case 'mine': {
          const claim = claimOf(done.token);
          if (claim !== undefined && !owners.has(done.token)) owners.set(done.token, claim.wallet);
          return;
        }
        case 'finish': {
          const claim = claimOf(done.token);
          if (claim === undefined || !owners.has(done.token)) return;
          await store(done.token, { status: 'confirmed', destination: claim.wallet, holder: undefined });
          reserved.delete(done.token);
          return;
        }
        case 'fail': {
          const claim = claimOf(done.token);
          if (claim === undefined || owners.has(done.token)) return;
          reserved.set(done.token, { registration: claim.registration });
          return store(done.token, {});
        }
        case 'link':
          await register(done.person);
          await world
            .link(subOf(done.person), wallets[done.wallet as 0 | 1])
            .catch((error) => {
              // A user gets ten challenges an hour. Beyond that, nothing is linked.
              if (error.code !== 'TOO_MANY_CHALLENGES') throw error;
              return undefined;
            })
            .then((made) => made && linked.set(made.address, done.person));
          return;
        case 'unlink':
          await world.unlink(subOf(done.person), addressOf(done.wallet));
          if (linked.get(addressOf(done.wallet)) === done.person) linked.delete(addressOf(done.wallet));
          return;
        case 'remove':
          await world.remove(subOf(done.person));
          registrations.delete(done.person);
          for (const [address, owner] of linked) if (owner === done.person) linked.delete(address);
          return;
        case 'transfer':
          if (owners.has(done.token)) owners.set(done.token, done.to === 2 ? elsewhere : addressOf(done.to));
          return;
        case 'void':
          if (done.isVoid) voided.add(done.token);
          else voided.delete(done.token);
          if (done.isVoid) await voidTickets.add({ contract, tokenId: done.token, voidedAt: clock() });
          else await voidTickets.remove({ contract, tokenId: done.token });
          return;
        case 'services':
          Object.assign(state, { chain: done.chain, entitlement: done.entitlement });
      }
    },
  };
};

describe('the signature for a ticket', () => {
  it('ends within ticketSeconds after the viewer lost the ticket, and is never refused for a reserved ticket', async () => {
    let granted = 0;
    let bridged = 0;
    let reservations = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(act, { minLength: 10, maxLength: 30 }), async (acts) => {
        runs += 1;
        const { holds, reserves, ask, change } = scene(runs);
        const heldLast = new Map<Person, number>();
        await change({ act: 'link', person: 'ana', wallet: 0 });
        await change({ act: 'transfer', token: '1', to: 0 });
        for (const done of acts) {
          for (const someone of people) if (holds(someone)) heldLast.set(someone, world.time.now);
          if (done.act === 'wait') world.time.now += done.seconds * 1_000;
          else if (done.act !== 'ask') await change(done);
          for (const someone of people) if (holds(someone)) heldLast.set(someone, world.time.now);
          if (done.act !== 'ask') continue;
          const isReserved = reserves(done.person);
          const endsAt = await ask(done.person);
          if (isReserved) {
            reservations += 1;
            expect(endsAt).toBe(world.time.now + ticketSeconds * 1_000);
          }
          if (endsAt === undefined) continue;
          granted += 1;
          if (!holds(done.person)) bridged += 1;
          const last = heldLast.get(done.person) ?? Number.NEGATIVE_INFINITY;
          expect(endsAt).toBeLessThanOrEqual(last + ticketSeconds * 1_000);
          expect(endsAt).toBeGreaterThan(world.time.now);
        }
      }),
      { numRuns: 30, seed: 27 },
    );
    // Otherwise nothing was tried.
    expect(granted).toBeGreaterThan(20);
    expect(bridged).toBeGreaterThan(0);
    expect(reservations).toBeGreaterThan(20);
  });
});
