import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { setDestination } from '../../../shared/nft/reservations/set-destination.ts';
import { updateTokenMetadata } from '../../../shared/nft/submit/update.ts';
import type { DocumentClient } from '../../../shared/platform/store/client.ts';
import { someMetadata } from '../../support/nft/metadata.ts';
import { receivers, startWorld, type World } from '../../support/nft/world.ts';
import { startDatabase, type TestDatabase } from '../../support/platform/dynamodb.ts';

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

describe('the writes of a request', () => {
  const counting = () => {
    const counts: number[] = [];
    const documents: DocumentClient = {
      ...database.documents,
      transactWriteOnce: async (input) => {
        counts.push(input.TransactItems?.length ?? 0);
        return database.documents.transactWriteOnce(input);
      },
    };
    return { counts, ports: world.portsOver(documents) };
  };

  it('are as many as without a history for a mint, a batch of 95 and a reservation of 95', async () => {
    const { address: contract } = await world.deploy({ options: { maxSupply: 1_000 } });
    const { applicationUserSub } = await world.register();
    const { counts, ports } = counting();

    await world.mint({ contract, ports, key: 'one' });
    await world.mintBatch({ contract, ports, key: 'many', destinations: receivers(95) });
    await world.reserve({
      contract,
      ports,
      key: 'reserved',
      users: Array.from({ length: 95 }, () => applicationUserSub),
    });

    // The tokens, and: the log's entry, the check of the places, and the result of the idempotency key. A reservation has
    // no entry.
    expect(counts).toEqual([1 + 3, 95 + 3, 95 + 2]);
  });

  it('are one more for a gift and for new metadata of 95 reserved tokens', async () => {
    const { address: contract, applicationId } = await world.deploy();
    const [ana, bruno] = [await world.register(), await world.register()];
    const made = await world.reserve({
      contract,
      users: Array.from({ length: 95 }, () => ana.applicationUserSub),
    });
    const { counts, ports } = counting();
    const request = (key: string) => ({
      application: { ...world.application, id: applicationId },
      idempotency: { scope: key, key, body: {} },
      contract,
    });

    await setDestination(world.submitDependencies(ports), {
      ...request('give'),
      tokenId: '1',
      destination: bruno.applicationUserSub,
    });
    await updateTokenMetadata(world.submitDependencies(ports), {
      ...request('rename'),
      from: '1',
      metadata: made.map(() => someMetadata('New')),
    });

    expect(counts).toEqual([1 + 1 + 1, 95 + 1 + 1]);
  });
});
