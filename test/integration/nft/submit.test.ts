import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ChainUnavailableError } from '../../../shared/chain/errors.ts';
import { DailyLimitReachedError, LogBusyError } from '../../../shared/nft/errors.ts';
import { holdKey } from '../../../shared/nft/store/nft-items.ts';
import { backpressure } from '../../../shared/nft/submit/backpressure.ts';
import { keptKey } from '../../../shared/nft/submit/idempotency.ts';
import { patient } from '../../../shared/platform/time/patience.ts';
import { Broken, withFault } from '../../support/nft/faults.ts';
import { expectInvariants } from '../../support/nft/invariants.ts';
import { someMetadata } from '../../support/nft/metadata.ts';
import { mintToken } from '../../support/nft/mint-token.ts';
import { receiver, startWorld, type World } from '../../support/nft/world.ts';
import { anApplication } from '../../support/platform/applications.ts';
import { startDatabase, type TestDatabase } from '../../support/platform/dynamodb.ts';

const kept = { applicationId: 'one', key: keptKey('kept') };

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

describe('a new collection and a new token', () => {
  it('are pending in the response, and confirmed when the chain has finalized them', async () => {
    const contract = await world.deploy({ key: 'collection' });
    const nft = await world.mint({ contract: contract.address, key: 'token' });

    expect(contract.status).toBe('pending');
    expect(nft).toMatchObject({ status: 'pending', tokenId: '1' });
    await world.untilFinal();
    expect(await world.ports.contracts.find(contract)).toMatchObject({ status: 'confirmed' });
    await expectInvariants(world, { contract, promised: [{ nft, key: 'token' }] });
  });

  it('remain the results of their idempotency keys, without lease and expiry', async () => {
    const { address } = await world.deploy({ key: 'kept' });
    await world.mint({ contract: address, key: 'kept' });

    const { Items = [] } = await database.documents.query({
      TableName: world.tables.Requests,
      KeyConditionExpression: 'pk = :pk',
      ExpressionAttributeValues: { ':pk': holdKey({ ...kept, operation: '' }).pk },
    });

    expect(Items).toHaveLength(2);
    for (const item of Items) {
      expect(Object.keys(item).sort()).toEqual(['bodyHash', 'owner', 'pk', 'result', 'sk', 'state']);
    }
  });
});

describe('a request that has spent most of its time waiting for the chain', () => {
  it('is rejected before it takes anything, because its handler could end halfway', async () => {
    const contract = await world.deploy();
    const { chain } = world.ports;
    const slow = {
      ...chain,
      balance: async (...question: Parameters<typeof chain.balance>) => {
        world.skip(patient(6_500));
        return chain.balance(...question);
      },
    };
    const before = await world.ports.signers.find(world.signerId);
    const order = { contract: contract.address, key: 'late' };

    const late = world.mint({ ...order, ports: { ...world.ports, chain: slow } });

    await expect(late).rejects.toBeInstanceOf(ChainUnavailableError);
    expect((await world.ports.signers.find(world.signerId))?.nextNonce).toBe(before?.nextNonce);
    const nft = await world.mint(order);
    await world.untilFinal();
    await expectInvariants(world, { contract, promised: [{ nft, key: 'late' }] });
  });
});

describe('a transaction log that was busy at each try', () => {
  it('gives out no nonce for a second, while earlier results are still returned', async () => {
    const { ports } = world;
    const contract = await world.deploy();
    const made = await world.mint({ contract: contract.address, key: 'made' });
    let now = world.clock();
    const submitting = {
      ...world.submitDependencies(),
      backpressure: backpressure(() => now),
      pause: async () => {},
    };
    const busy = { outcome: 'busy', reason: 'TransactionConflict' } as const;
    const transactionLog = { ...ports.transactionLog, record: async () => busy };
    const mint = (key: string, over: Partial<typeof submitting> = {}) =>
      mintToken(
        { ...submitting, ...over },
        {
          application: world.application,
          idempotency: { scope: `mint into ${contract.address}`, key, body: [undefined, undefined] },
          contract: contract.address,
          destination: receiver,
          metadata: someMetadata(),
        },
      );
    const nextNonce = async () => (await ports.signers.find(world.signerId))?.nextNonce;

    await expect(mint('hot', { transactionLog })).rejects.toBeInstanceOf(LogBusyError);
    const taken = await nextNonce();
    await expect(mint('hot')).rejects.toBeInstanceOf(LogBusyError);
    const repeated = await mint('made');

    expect(await nextNonce()).toBe(taken);
    expect(repeated.tokenId).toBe(made.tokenId);
    now += 1_000;
    const nft = await mint('hot');
    // The nonce of the first try was not filled, since the log took nothing. It is given up after some time.
    world.skip(patient(20_000));
    await world.untilFinal();
    await expectInvariants(world, { contract, promised: [{ nft }, { nft: made }] });
  });
});

describe('the daily limit', () => {
  it('counts one for concurrent requests with one key, and none for a request that failed', async () => {
    const application = anApplication({ id: 'limited', limits: { contractsPerDay: 1, mintsPerDay: 2 } });
    const contract = await world.deploy({ application });
    const order = { contract: contract.address, application };
    const failing = withFault(world.ports, { at: 'signer.sign', when: 'before', mode: 'lost' });

    const racing = await Promise.allSettled(
      Array.from({ length: 8 }, () => world.mint({ ...order, key: 'raced' })),
    );
    await expect(world.mint({ ...order, key: 'failed', ports: failing.ports })).rejects.toBeInstanceOf(
      Broken,
    );
    const second = await world.mint({ ...order, key: 'second' });

    expect(racing.some(({ status }) => status === 'fulfilled')).toBe(true);
    expect(second.status).toBe('pending');
    await expect(world.mint({ ...order, key: 'third' })).rejects.toBeInstanceOf(DailyLimitReachedError);
    await world.untilFinal();
  });
});
