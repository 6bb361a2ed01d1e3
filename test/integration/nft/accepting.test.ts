import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startDatabase, type TestDatabase } from '../../support/dynamodb.ts';
import { expectInvariants } from '../../support/nft/invariants.ts';
import { startWorld, type World } from '../../support/nft/world.ts';

let database: TestDatabase;
let world: World;

beforeAll(async () => {
  database = await startDatabase();
  world = await startWorld({ database });
});

afterAll(async () => {
  await world.stop();
  await database.stop();
});

describe('a collection and a token', () => {
  it('are pending when they are answered, and confirmed when the chain made them final', async () => {
    const contract = await world.deploy({ key: 'collection' });
    const nft = await world.mint({ contract: contract.address, key: 'token' });

    expect(contract.status).toBe('pending');
    expect(nft).toMatchObject({ status: 'pending', tokenId: '1' });
    await world.settle();
    expect(await world.ports.contracts.find(contract)).toMatchObject({ status: 'confirmed' });
    await expectInvariants(world, { contract, promised: [{ nft, key: 'token' }] });
  });
});
