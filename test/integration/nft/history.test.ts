import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Address, checksummed } from '../../../shared/chain/hex.ts';
import { setDestination } from '../../../shared/nft/reservations/set-destination.ts';
import { cancelEntry } from '../../../shared/nft/waiter/operator-actions.ts';
import { patient } from '../../../shared/platform/time/patience.ts';
import { withFault } from '../../support/nft/faults.ts';
import { histories, caller as one, toldIn, untimed } from '../../support/nft/histories.ts';
import { receivers, startWorld, type World } from '../../support/nft/world.ts';
import { createTables, startDatabase, type TestDatabase } from '../../support/platform/dynamodb.ts';

let database: TestDatabase;
let world: World;
let stories: ReturnType<typeof histories>;
const [wallet] = receivers(1) as [Address];

beforeAll(async () => {
  database = await startDatabase();
  world = await startWorld({ database, passMilliseconds: 1_000 });
  stories = histories(world, database, await createTables(database, ['Events'], 'history'));
});
afterAll(async () => {
  await world.stop();
  await database.stop();
});

describe('the history of a token that nobody has claimed', () => {
  it('tells the customer for whom it was reserved, and to whom it was given', async () => {
    const { address } = await world.deploy({ application: one });
    const { calls, path, ana, bruno, clara, createdAt } = await stories.givenTwice(address);

    const { status, body } = await calls.history({ path });

    expect(status).toBe(200);
    expect(body.known_from).toBe(createdAt);
    expect(untimed(body)).toEqual([
      { what: 'reserved', to: ana.applicationUserSub },
      { what: 'given', from: ana.applicationUserSub, to: bruno.applicationUserSub },
      { what: 'given', from: bruno.applicationUserSub, to: clara.applicationUserSub },
    ]);
  });

  it('has no gift twice if its request is repeated, with its key or without', async () => {
    const { address } = await world.deploy({ application: one });
    const { calls, path, bruno, clara, give } = await stories.givenTwice(address);

    await give(bruno, 'to-bruno-0123456789');
    await give(clara, 'to-clara-0123456789');
    await give(clara);

    expect(untimed((await calls.history({ path })).body).map(({ what }) => what)).toEqual([
      'reserved',
      'given',
      'given',
    ]);
  });

  it('tells each user only the part in which the token was the user’s, and names nobody else', async () => {
    const { address } = await world.deploy({ application: one });
    const { calls, path, ana, bruno, clara } = await stories.givenTwice(address);
    const stranger = await world.register(undefined, one);

    const partOf = async ({ userSub }: typeof ana) => calls.ownHistory({ path, user: userSub });

    expect(untimed((await partOf(ana)).body)).toEqual([
      { what: 'reserved', to: ana.applicationUserSub },
      { what: 'given', from: ana.applicationUserSub, to: null },
    ]);
    expect(untimed((await partOf(bruno)).body)).toEqual([
      { what: 'given', from: null, to: bruno.applicationUserSub },
      { what: 'given', from: bruno.applicationUserSub, to: null },
    ]);
    const last = (await partOf(clara)).body;
    expect(untimed(last)).toEqual([{ what: 'given', from: null, to: clara.applicationUserSub }]);
    expect(last.known_from).toBe(toldIn(last)[0]?.at);
    expect(await partOf(stranger)).toMatchObject({ status: 404, body: { message: 'NFT_NOT_FOUND' } });
  });

  it('is not found by another application and its users, nor of a token that does not exist', async () => {
    const { address } = await world.deploy({ application: one });
    const { calls, path, clara } = await stories.givenTwice(address);

    expect(await calls.history({ path, as: 'two' })).toMatchObject({
      status: 404,
      body: { message: 'CONTRACT_NOT_FOUND' },
    });
    expect(await calls.history({ path: { ...path, id: '99' } })).toMatchObject({
      status: 404,
      body: { message: 'NFT_NOT_FOUND' },
    });
    expect(await calls.ownHistory({ path, user: clara.userSub, as: 'two' })).toMatchObject({
      status: 404,
      body: { message: 'NFT_NOT_FOUND' },
    });
  });

  it('names no user who is not registered any more', async () => {
    const { address } = await world.deploy({ application: one });
    const { calls, path, ana, clara, bruno } = await stories.givenTwice(address);
    const trace = await world.ports.users.trace(bruno.userSub);
    if (trace === undefined) throw new Error('Bruno is not registered');
    await database.documents.delete({ TableName: world.tables.Users, Key: { user_sub: bruno.userSub } });

    expect(untimed((await calls.history({ path })).body)).toEqual([
      { what: 'reserved', to: ana.applicationUserSub },
      { what: 'given', from: ana.applicationUserSub, to: null },
      { what: 'given', from: null, to: clara.applicationUserSub },
    ]);
  });
});

describe('the history of a token that was claimed', () => {
  it('tells the claim, the mint, the void and the revocation, with their times and transactions', async () => {
    const { address } = await world.deploy({ application: one, options: { revocable: true } });
    const { calls, path, ana, bruno, clara, createdAt } = await stories.givenTwice(address);
    await calls.assign({ path, body: { destination: checksummed(wallet) } });
    const pending = await calls.history({ path });
    await world.untilFinal();
    for (const repeated of [1, 2]) {
      expect({ repeated, status: (await calls.voided({ path })).status }).toEqual({ repeated, status: 200 });
    }
    await calls.revoke({ path });
    await world.untilFinal();

    const { body } = await calls.history({ path });

    expect(untimed(pending.body).slice(-2)).toMatchObject([
      { what: 'claimed', from: clara.applicationUserSub, to: checksummed(wallet) },
      { what: 'minted', status: 'pending', to: checksummed(wallet) },
    ]);
    const hash = expect.stringMatching(/^0x[0-9a-f]{64}$/);
    expect(untimed(body)).toEqual([
      { what: 'reserved', to: ana.applicationUserSub },
      { what: 'given', from: ana.applicationUserSub, to: bruno.applicationUserSub },
      { what: 'given', from: bruno.applicationUserSub, to: clara.applicationUserSub },
      { what: 'claimed', from: clara.applicationUserSub, to: checksummed(wallet) },
      { what: 'minted', to: checksummed(wallet), transaction_hash: hash, status: 'confirmed' },
      { what: 'voided' },
      { what: 'revoked', transaction_hash: hash, status: 'confirmed' },
    ]);
    const part = await calls.ownHistory({ path, user: clara.userSub });
    expect(untimed(part.body)).toEqual([
      { what: 'given', from: null, to: clara.applicationUserSub },
      { what: 'claimed', from: clara.applicationUserSub, to: checksummed(wallet) },
      { what: 'minted', to: checksummed(wallet), transaction_hash: hash, status: 'confirmed' },
      { what: 'voided' },
      { what: 'revoked', transaction_hash: hash, status: 'confirmed' },
    ]);
    expect(toldIn(body)[0]?.at).toBe(createdAt);
    const found = await stories.lookedUp(path);
    expect(found.map((line) => line.replace(/nonce \d+: /, '').split(/[:,;] | in block| \(/)[0])).toEqual([
      `reserved for ${ana.applicationUserSub}`,
      `given to ${bruno.applicationUserSub}`,
      `given to ${clara.applicationUserSub}`,
      'accepted and recorded',
      'mined',
      'confirmed at finality',
      'made void',
      'accepted and recorded',
      'mined',
      'confirmed at finality',
    ]);
    expect(found[1]).toContain(`until then reserved for ${ana.applicationUserSub} (setTokenDestination)`);
  });

  it('tells a claim that failed, after which the token is the user’s again', async () => {
    const { address } = await world.deploy({ application: one });
    const { calls, path, ana, clara } = await stories.givenTwice(address);
    const { ports } = withFault(world.ports, { at: 'transactionLog.record', when: 'after', mode: 'crash' });
    const key = { applicationId: one.id, contract: address, tokenId: path.id };
    await setDestination(world.submitDependencies(ports), {
      application: one,
      idempotency: { scope: 'claim', key: undefined, body: {} },
      contract: address,
      tokenId: path.id,
      destination: wallet,
    }).catch(() => {});
    const { nonce = -1 } = (await world.ports.nfts.find(key)) ?? {};
    await cancelEntry(world.submitDependencies(), { signer: world.signerId, nonce });
    world.skip(patient(20_000));
    await world.untilFinal();
    await calls.assign({ path, body: { destination: ana.applicationUserSub } });

    const { body } = await calls.history({ path });

    expect(body.known_from).toBe(toldIn(body)[0]?.at);
    expect(untimed(body).slice(3)).toEqual([
      { what: 'claimed', from: clara.applicationUserSub },
      { what: 'minted', status: 'failed', transaction_hash: expect.stringMatching(/^0x/) },
      { what: 'given', from: clara.applicationUserSub, to: ana.applicationUserSub },
    ]);
    expect(untimed((await calls.ownHistory({ path, user: ana.userSub })).body)).toEqual([
      { what: 'reserved', to: ana.applicationUserSub },
      { what: 'given', from: ana.applicationUserSub, to: null },
      { what: 'given', from: null, to: ana.applicationUserSub },
    ]);
  });
});
