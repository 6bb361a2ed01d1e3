import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Address } from '../../../shared/chain/hex.ts';
import type { Contract } from '../../../shared/nft/collections/contract.ts';
import { claimOwnToken } from '../../../shared/nft/reservations/claim-own.ts';
import { holdingOf, reservationHolder } from '../../../shared/nft/reservations/holder.ts';
import { setDestination } from '../../../shared/nft/reservations/set-destination.ts';
import { standInOf } from '../../../shared/nft/reservations/stand-in.ts';
import { nftKey } from '../../../shared/nft/store/nft-items.ts';
import { dynamoDbUserTokens } from '../../../shared/nft/store/user-tokens.ts';
import { revokeToken, updateTokenMetadata } from '../../../shared/nft/submit/update.ts';
import type { Nft } from '../../../shared/nft/tokens/nft.ts';
import { cancelEntry } from '../../../shared/nft/waiter/operator-actions.ts';
import { decisionOf } from '../../../shared/notifications/publish/decision-notifications.ts';
import { patient } from '../../../shared/platform/time/patience.ts';
import { type Fault, heldAt, withFault } from '../../support/nft/faults.ts';
import { expectFinishedSigner } from '../../support/nft/invariants.ts';
import { someMetadata } from '../../support/nft/metadata.ts';
import { mintedIds } from '../../support/nft/minted-ids.ts';
import { type Ports, receivers, startWorld, type World } from '../../support/nft/world.ts';
import { startDatabase, type TestDatabase } from '../../support/platform/dynamodb.ts';

let database: TestDatabase;
let world: World;

beforeAll(async () => {
  database = await startDatabase();
  world = await startWorld({ database, passMilliseconds: 1_000 });
});
afterAll(async () => {
  await world.stop();
  await database.stop();
});

type User = Awaited<ReturnType<World['register']>>;
const [wallet, otherWallet] = receivers(2) as [Address, Address];

/** A user with two linked wallets, and a token that is reserved for the user. */
const aTicket = async (options: Parameters<World['deploy']>[0] = {}) => {
  const contract = await world.deploy(options);
  const user = await world.register();
  const [nft] = await world.reserve({ contract: contract.address, users: [user.applicationUserSub] });
  if (nft === undefined) throw new Error('Nothing was reserved');
  return { contract, user, nft };
};

const claim = (
  { user, nft }: { readonly user: User; readonly nft: Nft },
  {
    address = wallet,
    ports,
    linkedAt = 0,
    claimAfterSeconds = 60,
    claimsPerDay = 1_000,
  }: {
    readonly address?: Address;
    readonly ports?: Ports;
    readonly linkedAt?: number;
    readonly claimAfterSeconds?: number;
    readonly claimsPerDay?: number;
  } = {},
): Promise<Nft> =>
  claimOwnToken(
    {
      ...world.submitDependencies(ports),
      wallets: {
        find: async () => ({
          ...user,
          version: 1,
          wallets: [wallet, otherWallet].map((each) => ({
            address: each,
            linkedAt,
            opensFrom: 0,
            proof: '',
          })),
        }),
      },
      claimAfterSeconds,
      claimsPerDay,
    },
    {
      application: world.application,
      userSub: user.userSub,
      contract: nft.contract,
      tokenId: nft.tokenId,
      address,
    },
  );

const update = (contract: Pick<Contract, 'address'>, key?: string) => ({
  application: world.application,
  idempotency: { scope: `change ${contract.address}`, key, body: {} },
  contract: contract.address,
});

const assign = (nft: Nft, destination: string, { key, ports }: { key?: string; ports?: Ports } = {}) =>
  setDestination(world.submitDependencies(ports), {
    ...update({ address: nft.contract }, key),
    tokenId: nft.tokenId,
    destination,
  });

const revoke = (nft: Nft, { key, ports }: { key?: string; ports?: Ports } = {}) =>
  revokeToken(world.submitDependencies(ports), {
    ...update({ address: nft.contract }, key),
    tokenId: nft.tokenId,
  });

const now = async (nft: Nft): Promise<Nft> => {
  const found = await world.ports.nfts.find(nft);
  if (found === undefined) throw new Error('The token is gone');
  return found;
};

const holderOf = ({ user, nft }: { readonly user: User; readonly nft: Nft }): string =>
  reservationHolder({ registrationId: user.registrationId, contract: nft.contract });

/** Records a claim that is not sent, and has its transaction cancelled. */
const failedClaim = async (ticket: { readonly user: User; readonly nft: Nft }): Promise<void> => {
  const { ports } = withFault(world.ports, { at: 'transactionLog.record', when: 'after', mode: 'crash' });
  await claim(ticket, { ports }).catch(() => {});
  const { nonce } = await now(ticket.nft);
  const cancelled = await cancelEntry(world.submitDependencies(), { signer: world.signerId, nonce });
  expect(cancelled).toMatchObject({ outcome: 'sent' });
  world.skip(patient(20_000));
  await world.untilFinal();
};

const entryOf = async ({ nonce }: Nft) => world.ports.transactionLog.find({ signer: world.signerId, nonce });

describe('the claim of a reserved token', () => {
  it('mints the token to the user’s wallet once, and returns the same token when it is repeated', async () => {
    const ticket = await aTicket({ options: { maxSupply: 1 } });

    const claimed = await claim(ticket);
    const again = await claim(ticket);
    const holding = holdingOf(await now(ticket.nft), holderOf(ticket));
    await world.untilFinal();
    const minted = await now(ticket.nft);

    expect(claimed).toMatchObject({ status: 'pending', destination: wallet, tokenId: ticket.nft.tokenId });
    expect(again).toEqual(claimed);
    expect(holding).toBe('until-minted');
    expect(minted).toMatchObject({ status: 'confirmed', destination: wallet });
    expect(minted.holder).toBeUndefined();
    expect(await claim(ticket)).toEqual(minted);
    await expect(claim(ticket, { address: otherWallet })).rejects.toMatchObject({
      code: 'NFT_ALREADY_CLAIMED',
    });
    expect(await mintedIds(world, ticket.contract.address)).toEqual(['1']);
    const entry = await entryOf(minted);
    expect(entry && decisionOf(entry)).toMatchObject({
      part: 'claim',
      status: 'confirmed',
      tokens: { first: '1', count: 1 },
    });
  });

  it("is rejected for another user's token, for a new or unlinked wallet, and above the daily limit", async () => {
    const ticket = await aTicket();
    const other = await aTicket();
    const before = await world.ports.signers.find(world.signerId);
    const [, , unlinked] = receivers(3);

    await expect(claim({ ...ticket, nft: other.nft })).rejects.toMatchObject({ code: 'NFT_NOT_FOUND' });
    await expect(claim({ ...ticket, user: await world.register() })).rejects.toMatchObject({
      code: 'NFT_NOT_FOUND',
    });
    await expect(claim(ticket, { address: unlinked as Address })).rejects.toMatchObject({
      code: 'WALLET_NOT_LINKED',
    });
    const linkedAt = world.clock() - 20_000;
    await expect(claim(ticket, { linkedAt })).rejects.toMatchObject({
      code: 'WALLET_TOO_NEW',
      headers: { 'retry-after': expect.stringMatching(/^(39|40)$/) },
      details: { available_at: new Date(linkedAt + 60_000).toISOString() },
    });
    await expect(claim(ticket, { claimsPerDay: 0 })).rejects.toMatchObject({ code: 'LIMIT_TOO_SMALL' });

    expect((await world.ports.signers.find(world.signerId))?.nextNonce).toBe(before?.nextNonce);
    expect(await now(ticket.nft)).toEqual(ticket.nft);
  });

  it('keeps the token reserved if the mint fails, so that it can be claimed again', async () => {
    const ticket = await aTicket({ options: { maxSupply: 1 } });

    await failedClaim(ticket);
    const failed = await now(ticket.nft);
    await expect(world.mint({ contract: ticket.contract.address })).rejects.toMatchObject({
      code: 'SUPPLY_EXHAUSTED',
    });
    await claim(ticket, { address: otherWallet });
    await world.untilFinal();

    expect(failed).toMatchObject({
      ...ticket.nft,
      failureReason: expect.stringContaining('CANCELLED'),
      version: 2,
    });
    expect(holdingOf(failed, holderOf(ticket))).toBe('held');
    const minted = await now(ticket.nft);
    expect(minted).toMatchObject({ status: 'confirmed', destination: otherWallet });
    expect(minted.failureReason).toBeUndefined();
    expect(await mintedIds(world, ticket.contract.address)).toEqual(['1']);
  });

  it.each<Fault>([
    { at: 'signers.reserveNonce', when: 'after', mode: 'crash' },
    { at: 'transactionLog.record', when: 'after', mode: 'lost' },
  ])('mints once when it is repeated after a fault ($mode $when $at)', async (fault) => {
    const ticket = await aTicket();
    const { ports, hasHappened } = withFault(world.ports, fault);

    await claim(ticket, { ports }).catch(() => {});
    expect(hasHappened()).toBe(true);
    world.skip(patient(20_000));
    await claim(ticket);
    world.skip(patient(20_000));
    await world.untilFinal();

    expect(await now(ticket.nft)).toMatchObject({ status: 'confirmed', destination: wallet });
    expect(await mintedIds(world, ticket.contract.address)).toEqual(['1']);
    await expectFinishedSigner(world);
  });

  it('is rejected before it takes a nonce while another claim of the user runs', async () => {
    const ticket = await aTicket();
    const [second] = await world.reserve({
      contract: ticket.contract.address,
      users: [ticket.user.applicationUserSub],
    });
    await world.untilFinal();
    const before = (await world.ports.signers.find(world.signerId))?.nextNonce ?? Number.NaN;
    const still = heldAt(world.ports, 'signers.reserveNonce');
    const first = claim(ticket, { ports: still.ports });
    await still.isReached;

    for (const nft of [ticket.nft, second as Nft]) {
      await expect(claim({ ...ticket, nft })).rejects.toMatchObject({ code: 'CLAIM_IN_PROGRESS' });
    }
    await expect(assign(ticket.nft, otherWallet)).rejects.toMatchObject({ code: 'CLAIM_IN_PROGRESS' });
    still.goOn();
    await first;
    await claim({ ...ticket, nft: second as Nft });

    expect((await world.ports.signers.find(world.signerId))?.nextNonce).toBe(before + 2);
    await world.untilFinal();
    expect(await mintedIds(world, ticket.contract.address)).toEqual(['1', '2']);
  });

  it('reserves no nonce if another claim has taken the token since it was read', async () => {
    const ticket = await aTicket();
    await world.untilFinal();
    const before = (await world.ports.signers.find(world.signerId))?.nextNonce ?? Number.NaN;
    const still = heldAt(world.ports, 'leases.take');
    const late = claim(ticket, { ports: still.ports });
    await still.isReached;

    const claimed = await claim(ticket);
    still.goOn();

    expect(await late).toEqual(claimed);
    expect((await world.ports.signers.find(world.signerId))?.nextNonce).toBe(before + 1);
    await world.untilFinal();
  });

  it('is rejected if another change of the token was recorded first, and its nonce is filled', async () => {
    const ticket = await aTicket();
    const bruno = await world.register();
    const still = heldAt(world.ports, 'transactionLog.record');
    const late = claim(ticket, { ports: still.ports });
    await still.isReached;

    await assign(ticket.nft, bruno.applicationUserSub);
    still.goOn();

    await expect(late).rejects.toMatchObject({ code: 'NFT_NOT_FOUND' });
    await world.untilFinal();
    expect(await now(ticket.nft)).toMatchObject({
      status: 'reserved',
      holder: holderOf({ ...ticket, user: bruno }),
    });
    expect(await mintedIds(world, ticket.contract.address)).toEqual([]);
    await expectFinishedSigner(world);
  });
});

describe('the destination of a reserved token', () => {
  it('changes to another user, who alone holds it then, and a repeated call changes nothing', async () => {
    const ticket = await aTicket();
    const bruno = await world.register();

    const given = await assign(ticket.nft, bruno.applicationUserSub, { key: 'gift' });
    await expect(claim(ticket)).rejects.toMatchObject({ code: 'NFT_NOT_FOUND' });
    await assign(ticket.nft, ticket.user.applicationUserSub);
    const repeated = await assign(ticket.nft, bruno.applicationUserSub, { key: 'gift' });

    expect(given).toMatchObject({ status: 'reserved', destination: standInOf(bruno.applicationUserSub) });
    expect(holdingOf(given, holderOf(ticket))).toBe('none');
    expect(holdingOf(given, holderOf({ ...ticket, user: bruno }))).toBe('held');
    expect(repeated.destination).toBe(ticket.nft.destination);
  });

  it('is changed by only one of two concurrent requests', async () => {
    const ticket = await aTicket();
    const others = await Promise.all([world.register(), world.register()]);
    const still = heldAt(world.ports, 'reservations.change');
    const late = assign(ticket.nft, others[0].applicationUserSub, { ports: still.ports });
    await still.isReached;

    await assign(ticket.nft, others[1].applicationUserSub);
    still.goOn();

    await expect(late).rejects.toMatchObject({ code: 'CONFLICT' });
    expect((await now(ticket.nft)).reservedFor).toBe(standInOf(others[1].applicationUserSub));
  });

  it('can become an address, which mints the token and ends the reservation', async () => {
    const ticket = await aTicket();

    const claimed = await assign(ticket.nft, otherWallet);
    await world.untilFinal();

    expect(claimed).toMatchObject({ status: 'pending', destination: otherWallet });
    expect(await now(ticket.nft)).toMatchObject({ status: 'confirmed' });
    expect(await assign(ticket.nft, otherWallet)).toMatchObject({ status: 'confirmed' });
    await expect(assign(ticket.nft, ticket.user.applicationUserSub)).rejects.toMatchObject({
      code: 'NFT_NOT_RESERVED',
    });
  });

  it('cannot become another user in a collection whose tokens cannot be transferred', async () => {
    const ticket = await aTicket({ options: { transferable: false } });
    const bruno = await world.register();

    await expect(assign(ticket.nft, bruno.applicationUserSub)).rejects.toMatchObject({
      code: 'NOT_TRANSFERABLE',
    });
    await expect(assign(ticket.nft, 'f'.repeat(32))).rejects.toMatchObject({ code: 'USER_NOT_FOUND' });
    expect(await assign(ticket.nft, ticket.user.applicationUserSub)).toEqual(ticket.nft);
    expect(await assign(ticket.nft, wallet)).toMatchObject({ status: 'pending' });
  });

  it.each<Fault>([
    { at: 'reservations.change', when: 'before', mode: 'lost' },
    { at: 'reservations.change', when: 'after', mode: 'lost' },
    { at: 'reservations.change', when: 'after', mode: 'crash' },
  ])('is changed once by a request with a fault ($mode $when $at)', async (fault) => {
    const ticket = await aTicket();
    const bruno = await world.register();
    const { ports, hasHappened } = withFault(world.ports, fault);

    await assign(ticket.nft, bruno.applicationUserSub, { key: 'once', ports }).catch(() => {});
    expect(hasHappened()).toBe(true);
    world.skip(patient(20_000));
    await assign(ticket.nft, bruno.applicationUserSub, { key: 'once' });

    expect(await now(ticket.nft)).toMatchObject({
      reservedFor: standInOf(bruno.applicationUserSub),
      version: 1,
    });
  });
});

describe('the revocation of a reserved token', () => {
  it('fails the token at once, frees its place in the supply once, and makes it unclaimable', async () => {
    const ticket = await aTicket({ options: { maxSupply: 1, revocable: true } });
    const { ports } = withFault(world.ports, { at: 'reservations.change', when: 'after', mode: 'lost' });

    const revoked = await revoke(ticket.nft, { ports, key: 'refund' });
    const again = await revoke(ticket.nft);
    const repeated = await revoke(ticket.nft, { key: 'refund' });

    expect(revoked).toMatchObject({ status: 'failed', failureReason: 'revoked' });
    expect([again, repeated]).toEqual([revoked, revoked]);
    expect(holdingOf(revoked, holderOf(ticket))).toBe('none');
    await expect(claim(ticket)).rejects.toMatchObject({ code: 'NFT_FAILED' });
    const next = await world.mint({ contract: ticket.contract.address });
    expect(next.tokenId).toBe('2');
    await expect(world.mint({ contract: ticket.contract.address })).rejects.toMatchObject({
      code: 'SUPPLY_EXHAUSTED',
    });
  });

  it('is rejected in a collection without revocations', async () => {
    const ticket = await aTicket();

    await expect(revoke(ticket.nft)).rejects.toMatchObject({ code: 'NOT_REVOCABLE' });
  });

  it('burns the token after its mint if a claim is pending', async () => {
    const ticket = await aTicket({ options: { revocable: true } });
    await claim(ticket);

    const revoked = await revoke(ticket.nft);
    expect(holdingOf(revoked, holderOf(ticket))).toBe('none');
    await world.untilFinal();

    expect(await now(ticket.nft)).toMatchObject({
      status: 'confirmed',
      revocation: { status: 'confirmed' },
    });
  });
});

describe('the metadata of reserved tokens', () => {
  it('changes without a transaction, but not in one call together with minted tokens', async () => {
    const ticket = await aTicket();
    const { address } = ticket.contract;
    await world.mint({ contract: address });
    const change = (metadata: readonly string[], key?: string) =>
      updateTokenMetadata(world.submitDependencies(), {
        ...update(ticket.contract, key),
        from: '1',
        metadata: metadata.map(someMetadata),
      });
    const before = await world.ports.signers.find(world.signerId);

    const [changed] = await change(['New seat'], 'seat');
    const [repeated] = await change(['New seat'], 'seat');
    await expect(change(['New seat', 'Other seat'])).rejects.toMatchObject({ code: 'NFT_NOT_RESERVED' });

    expect(changed).toMatchObject({ metadata: { name: 'New seat' }, status: 'reserved' });
    expect(changed?.metadataChange).toBeUndefined();
    expect(repeated).toEqual(changed);
    expect((await world.ports.signers.find(world.signerId))?.nextNonce).toBe(before?.nextNonce);
  });
});

describe('the lists of tokens', () => {
  it('contain a reserved token under its user, and the user’s own list contains claimed tokens too', async () => {
    const ticket = await aTicket();
    const { contract, user } = ticket;
    const bruno = await world.register();
    const { address } = contract;
    const more = await world.reserve({
      contract: address,
      users: Array.from({ length: 4 }, () => user.applicationUserSub),
    });
    await claim(ticket);
    await assign(more[0] as Nft, bruno.applicationUserSub);
    const mine = dynamoDbUserTokens({ client: database.documents, tableName: world.tables.Nfts });
    const applicationId = world.application.id;
    const listed = async (destination: string) => {
      const page = await world.ports.nfts.list({ applicationId, contract: address, destination, limit: 10 });
      return page.items.map(({ tokenId }) => tokenId);
    };
    const owned = async ({ applicationUserSub }: User) => {
      const reservedFor = standInOf(applicationUserSub);
      const ids: string[] = [];
      for (let after: string | undefined; ; ) {
        const page = await mine.list({
          applicationId,
          reservedFor,
          limit: 2,
          ...(after !== undefined && { after }),
        });
        ids.push(...page.items.map(({ tokenId }) => tokenId));
        after = page.next;
        if (after === undefined) return ids;
      }
    };

    expect(await listed(user.applicationUserSub)).toEqual(['5', '4', '3']);
    expect(await listed(bruno.applicationUserSub)).toEqual(['2']);
    expect(await listed(wallet)).toEqual(['1']);
    expect(await listed(ticket.nft.destination)).toEqual([]);
    expect(await owned(user)).toEqual(['5', '4', '3', '1']);
    expect(await owned(bruno)).toEqual(['2']);
  });
});

describe('an attribute that a later release has stored in a reserved token', () => {
  it('is kept when the token is given to another user, changed, and claimed', async () => {
    const ticket = await aTicket();
    const bruno = await world.register();
    const key = { TableName: world.tables.Nfts, Key: nftKey(ticket.nft) };
    await database.documents.update({
      ...key,
      UpdateExpression: 'SET laterAttribute = :kept',
      ExpressionAttributeValues: { ':kept': 'kept' },
    });

    await assign(ticket.nft, bruno.applicationUserSub);
    await updateTokenMetadata(world.submitDependencies(), {
      ...update(ticket.contract),
      from: '1',
      metadata: [someMetadata('New seat')],
    });
    // Only the next transaction to be mined can be cancelled.
    await world.untilFinal();
    await failedClaim({ ...ticket, user: bruno });
    await claim({ ...ticket, user: bruno });
    await world.untilFinal();

    const { Item } = await database.documents.get(key);
    expect(Item).toMatchObject({ laterAttribute: 'kept', status: 'confirmed' });
  });
});

describe('a supply of 100 tokens under 300 concurrent requests', () => {
  it('is never exceeded, and can be used completely', async () => {
    const contract = await world.deploy({ options: { maxSupply: 100, revocable: true } });
    const { address } = contract;
    const user = await world.register();
    await world.untilFinal();
    const reserved: Nft[] = [];
    let refused = 0;
    const ask = async (index: number): Promise<void> => {
      const token = reserved[index % Math.max(1, reserved.length)];
      try {
        if (index % 6 === 5 && token !== undefined) await revoke(token);
        else if (index % 6 === 4 && token !== undefined) await claim({ user, nft: token });
        else if (index % 6 === 3) await world.mint({ contract: address });
        else reserved.push(...(await world.reserve({ contract: address, users: [user.applicationUserSub] })));
      } catch (error) {
        expect(error).toMatchObject({
          code: expect.stringMatching(
            /^(SUPPLY_EXHAUSTED|CLAIM_IN_PROGRESS|CONFLICT|NFT_FAILED|SERVICE_UNAVAILABLE|CHAIN_UNAVAILABLE|NFT_NOT_FOUND)$/,
          ),
        });
        refused += 1;
      }
    };

    for (let from = 0; from < 300; from += 30) {
      await Promise.all(Array.from({ length: 30 }, (_, index) => ask(from + index)));
    }
    world.skip(patient(20_000));
    await world.untilFinal();
    const live = async () => {
      const range = { applicationId: world.application.id, contract: address, from: '1', to: '1000' };
      return (await world.ports.nfts.findRange(range)).filter(({ status }) => status !== 'failed').length;
    };
    const before = await live();
    let added = 0;
    for (; added <= 100; added += 1) {
      try {
        await world.reserve({ contract: address, users: [user.applicationUserSub] });
      } catch (error) {
        expect(error).toMatchObject({ code: 'SUPPLY_EXHAUSTED' });
        break;
      }
    }

    expect(refused).toBeGreaterThan(0);
    expect(before).toBeLessThanOrEqual(100);
    expect(before + added).toBe(100);
    expect(await live()).toBe(100);
  });
});
