import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Address, checksummed } from '../../../shared/chain/hex.ts';
import { setDestination } from '../../../shared/nft/reservations/set-destination.ts';
import { nftKey } from '../../../shared/nft/store/nft-items.ts';
import { withFault } from '../../support/nft/faults.ts';
import { histories, metadata, caller as one, toldIn, untimed } from '../../support/nft/histories.ts';
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

describe('the history of a reserved token', () => {
  it('tells changes of its metadata, voids and its revocation, each once', async () => {
    const { address } = await world.deploy({ application: one, options: { revocable: true } });
    const { calls, path, ana, bruno, clara, give } = await stories.givenTwice(address);
    const body = { destination: clara.applicationUserSub, metadata };
    const second = await calls.mint({ path: { contract_address: address }, body });
    const renamed = [{ name: 'Seat 8' }, { name: 'Seat 9' }];
    const headers = { 'idempotency-key': 'rename-0123456789' };
    for (const repeated of [1, 2]) {
      const changed = await calls.updateBatch({
        path: { contract_address: address },
        headers,
        body: { from: path.id, to: second.body.id, metadata: renamed },
      });
      expect({ repeated, status: changed.status }).toEqual({ repeated, status: 200 });
    }
    await calls.voided({ path });
    await calls.unvoided({ path });
    await calls.unvoided({ path });
    await calls.voided({ path });
    await give(ana);
    for (const repeated of [1, 2]) {
      expect({ repeated, status: (await calls.revoke({ path })).status }).toEqual({ repeated, status: 200 });
    }

    const told = (await calls.history({ path })).body;

    expect(untimed(told)).toEqual([
      { what: 'reserved', to: ana.applicationUserSub },
      { what: 'given', from: ana.applicationUserSub, to: bruno.applicationUserSub },
      { what: 'given', from: bruno.applicationUserSub, to: clara.applicationUserSub },
      { what: 'updated' },
      { what: 'voided' },
      { what: 'unvoided' },
      { what: 'voided' },
      { what: 'given', from: clara.applicationUserSub, to: ana.applicationUserSub },
      { what: 'revoked' },
    ]);
    const ofSecond = { contract_address: address, id: String(second.body.id) };
    expect(untimed((await calls.history({ path: ofSecond })).body)).toEqual([
      { what: 'reserved', to: clara.applicationUserSub },
      { what: 'updated' },
    ]);
  });

  it('has one gift if two are asked for at the same moment', async () => {
    const { address } = await world.deploy({ application: one });
    const { calls, path, ana, bruno, clara } = await stories.givenTwice(address);

    const answers = await Promise.all(
      [ana, bruno].map(({ applicationUserSub: destination }) =>
        calls.assign({ path, body: { destination } }),
      ),
    );

    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409]);
    const winner = answers[0]?.status === 200 ? ana : bruno;
    expect(untimed((await calls.history({ path })).body).slice(3)).toEqual([
      { what: 'given', from: clara.applicationUserSub, to: winner.applicationUserSub },
    ]);
  });

  it.each(['before', 'after'] as const)(
    'has one gift if the request dies %s its write, and the caller repeats it',
    async (when) => {
      const { address } = await world.deploy({ application: one });
      const { calls, path, bruno, clara, give } = await stories.givenTwice(address);
      const { ports } = withFault(world.ports, { at: 'reservations.change', when, mode: 'crash' });
      const order = {
        application: one,
        idempotency: { scope: 'give', key: undefined, body: {} },
        contract: address,
        tokenId: path.id,
        destination: bruno.applicationUserSub,
      };
      await expect(setDestination(world.submitDependencies(ports), order)).rejects.toThrow();

      await give(bruno);

      expect(untimed((await calls.history({ path })).body).slice(3)).toEqual([
        { what: 'given', from: clara.applicationUserSub, to: bruno.applicationUserSub },
      ]);
    },
  );

  it('has one void each if many tokens become void and valid at the same time', async () => {
    const { address } = await world.deploy({ application: one });
    const { calls, ana } = await stories.givenTwice(address);
    const made = await world.reserve({
      contract: address,
      application: one,
      users: Array.from({ length: 20 }, () => ana.applicationUserSub),
    });
    const paths = made.map(({ tokenId }) => ({ contract_address: address, id: tokenId }));

    const voided = await Promise.all(paths.map((path) => calls.voided({ path })));
    const unvoided = await Promise.all(paths.map((path) => calls.unvoided({ path })));

    expect(voided.map(({ status }) => status)).toEqual(made.map(() => 200));
    expect(unvoided.map(({ status }) => status)).toEqual(made.map(() => 204));
    for (const path of paths) {
      const { body } = await calls.history({ path });
      expect(untimed(body).map(({ what }) => what)).toEqual(['reserved', 'voided', 'unvoided']);
    }
  });
});

describe('a line of a later release', () => {
  it('is left out if its kind is not known, and the history says that something is missing', async () => {
    const { address } = await world.deploy({ application: one });
    const { calls, path, bruno, give } = await stories.givenTwice(address);
    await give(bruno);
    const TableName = world.tables.TokenHistory;
    const { Items = [] } = await database.documents.query({
      TableName,
      KeyConditionExpression: 'pk = :pk',
      ExpressionAttributeValues: { ':pk': address },
    });
    const [, second] = Items;
    await database.documents.put({ TableName, Item: { ...second, what: 'lent', until: 1 } });

    const { status, body } = await calls.history({ path });

    expect(status).toBe(200);
    expect(untimed(body).map(({ what }) => what)).toEqual(['reserved', 'given', 'given']);
    expect(body.known_from).toBe(toldIn(body).at(-1)?.at);
  });

  it('is told without the fields that are not known', async () => {
    const { address } = await world.deploy({ application: one });
    const { calls, path } = await stories.givenTwice(address);
    const TableName = world.tables.TokenHistory;
    const { Items = [] } = await database.documents.query({
      TableName,
      KeyConditionExpression: 'pk = :pk',
      ExpressionAttributeValues: { ':pk': address },
    });
    const before = await calls.history({ path });
    await database.documents.put({ TableName, Item: { ...Items[0], price: 7 } });

    expect(await calls.history({ path })).toEqual(before);
  });
});

describe('a token of the release before', () => {
  const ofBefore = async (changes: Readonly<Record<string, unknown>> = {}) => {
    const { address } = await world.deploy({ application: one });
    const story = await stories.givenTwice(address);
    const key = nftKey({ applicationId: one.id, contract: address, tokenId: story.path.id });
    const { Item } = await database.documents.get({ TableName: world.tables.Nfts, Key: key });
    const { hasHistory: _, ...item } = Item ?? {};
    await database.documents.put({ TableName: world.tables.Nfts, Item: { ...item, ...changes } });
    const lines = async () => {
      const { Items = [] } = await database.documents.query({
        TableName: world.tables.TokenHistory,
        KeyConditionExpression: 'pk = :pk',
        ExpressionAttributeValues: { ':pk': address },
      });
      return Items;
    };
    const forget = async (count: number) => {
      for (const { pk, sk } of (await lines()).slice(0, count)) {
        await database.documents.delete({ TableName: world.tables.TokenHistory, Key: { pk, sk } });
      }
    };
    return { ...story, address, forget };
  };

  it('is known from its first line on, and names nobody for whom it was reserved at first', async () => {
    const { calls, path, bruno, clara, forget } = await ofBefore();
    await forget(1);

    const { body } = await calls.history({ path });

    expect(body.known_from).toBe(toldIn(body)[1]?.at);
    expect(untimed(body)).toEqual([
      { what: 'reserved' },
      { what: 'given', from: bruno.applicationUserSub, to: clara.applicationUserSub },
    ]);
    expect(await stories.lookedUp(path)).toContain(
      `before ${body.known_from}, it may have been given away or void without a record`,
    );
  });

  it('has an unknown history if nothing was told of it yet, also for the user who has it', async () => {
    const { calls, path, ana, clara, forget } = await ofBefore();
    await forget(2);

    expect((await calls.history({ path })).body).toEqual({
      known_from: null,
      history: [{ at: expect.any(String), what: 'reserved' }],
    });
    expect(await calls.ownHistory({ path, user: clara.userSub })).toEqual({
      status: 200,
      body: { known_from: null, history: [] },
    });
    expect((await calls.ownHistory({ path, user: ana.userSub })).status).toBe(404);
  });

  it('tells the user who claims it the claim and what follows', async () => {
    const { calls, path, clara, forget } = await ofBefore();
    await forget(2);
    await calls.assign({ path, body: { destination: checksummed(wallet) } });
    await world.untilFinal();

    expect(untimed((await calls.ownHistory({ path, user: clara.userSub })).body)).toMatchObject([
      { what: 'claimed', from: clara.applicationUserSub, to: checksummed(wallet) },
      { what: 'minted', status: 'confirmed' },
    ]);
  });

  it('is known only after a gift that a release without lines has made, whatever was known before', async () => {
    const { calls, path, ana, clara, forget, give } = await ofBefore({ hasHistory: true });
    await give(ana);
    await forget(2);

    const { body } = await calls.history({ path });

    expect(body.known_from).toBe(toldIn(body).at(-1)?.at);
    expect(untimed(body).slice(-1)).toEqual([
      { what: 'given', from: clara.applicationUserSub, to: ana.applicationUserSub },
    ]);
    await forget(1);
    expect((await calls.history({ path })).body.known_from).toBeNull();
  });
});
