import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Contract } from '../../../shared/nft/collections/contract.ts';
import { batchTokensAtMost } from '../../../shared/nft/collections/limits.ts';
import {
  DailyLimitReachedError,
  IdempotencyKeyInUseError,
  IdempotencyKeyReusedError,
} from '../../../shared/nft/errors.ts';
import type { Nft } from '../../../shared/nft/tokens/nft.ts';
import { Broken, withFault } from '../../support/nft/faults.ts';
import { expectInvariants } from '../../support/nft/invariants.ts';
import { receivers, startWorld, type World } from '../../support/nft/world.ts';
import { anApplication } from '../../support/platform/applications.ts';
import { startDatabase, type TestDatabase } from '../../support/platform/dynamodb.ts';

let database: TestDatabase;
let world: World;
let contract: Contract;

beforeAll(async () => {
  database = await startDatabase();
  world = await startWorld({ database, passMilliseconds: 1_000 });
  contract = await world.deploy();
  await world.untilFinal();
});

afterAll(async () => {
  await world.stop();
  await database.stop();
});

const destinations = receivers(3);

const entriesFrom = async (nonce: number) => {
  const state = await world.ports.signers.find(world.signerId);
  return world.ports.transactionLog.range({
    signer: world.signerId,
    from: nonce,
    to: state?.nextNonce ?? nonce,
  });
};

const nextNonce = async (): Promise<number> =>
  (await world.ports.signers.find(world.signerId))?.nextNonce ?? Number.NaN;

/**
 * Expects every token of the batch to be confirmed for its receiver, and the batch's key to give the same tokens again.
 */
const expectBatch = async (nfts: readonly Nft[], key: string, to = destinations): Promise<void> => {
  const first = Number(nfts[0]?.tokenId);
  expect(nfts.map(({ tokenId }) => Number(tokenId))).toEqual(to.map((_, index) => first + index));
  expect(nfts.map(({ destination }) => destination)).toEqual(to);
  const again = await world.mintBatch({ contract: nfts[0]?.contract ?? '0x', destinations: to, key });
  expect(again.map(same)).toEqual(nfts.map(same));
  expect(again.filter(({ status }) => status !== 'confirmed')).toEqual([]);
};

/** What tells one token of a batch from another. */
const same = ({ tokenId, destination, metadata }: Nft) => ({ tokenId, destination, metadata });

describe('a batch mint', () => {
  it.each([1, 2, batchTokensAtMost])(
    'of %i tokens is one entry of the transaction log and that many tokens',
    async (tokens) => {
      const key = `of-${tokens}`;
      const to = receivers(tokens);
      const into = await world.deploy();
      const nonce = await nextNonce();

      const nfts = await world.mintBatch({ contract: into.address, destinations: to, key });
      await world.untilFinal();

      expect(await entriesFrom(nonce)).toMatchObject([
        { purpose: { kind: 'mint', firstTokenId: nfts[0]?.tokenId, destinations: to }, status: 'confirmed' },
      ]);
      expect(new Set(nfts.map(({ transactionHash }) => transactionHash)).size).toBe(1);
      await expectBatch(nfts, key, to);
      await expectInvariants(world, { contract: into, promised: nfts.map((nft) => ({ nft })) });
    },
  );

  it('is made once if five requests ask for it with one idempotency key', async () => {
    const nonce = await nextNonce();
    const ask = () => world.mintBatch({ contract: contract.address, destinations, key: 'raced' });

    const answers = await Promise.allSettled([ask(), ask(), ask(), ask(), ask()]);
    for (const answer of answers) {
      if (answer.status === 'rejected') expect(answer.reason).toBeInstanceOf(IdempotencyKeyInUseError);
    }
    await world.untilFinal();

    const nfts = await ask();
    for (const answer of answers) {
      if (answer.status === 'fulfilled') {
        expect(answer.value.map(same)).toEqual(nfts.map(same));
      }
    }
    const entries = await entriesFrom(nonce);
    expect(entries.filter(({ purpose }) => purpose.kind === 'mint')).toHaveLength(1);
    await expectBatch(nfts, 'raced');
    await expectInvariants(world, { contract, promised: nfts.map((nft) => ({ nft })) });
  });

  it('is rejected if another batch has used its idempotency key', async () => {
    await world.mintBatch({ contract: contract.address, destinations, key: 'other' });

    await expect(
      world.mintBatch({ contract: contract.address, destinations: receivers(2), key: 'other' }),
    ).rejects.toBeInstanceOf(IdempotencyKeyReusedError);
  });

  it('adds all of its tokens to the daily count, or none', async () => {
    const count = (by: number, limit: number) =>
      world.ports.counts.count({ applicationId: 'counted', what: 'mints', by, day: '2026-11-21', limit });

    expect([await count(3, 4), await count(2, 4), await count(1, 4), await count(1, 4)]).toEqual([
      true,
      false,
      true,
      false,
    ]);
  });

  it('reserves no nonce if it exceeds what is left of the daily limit', async () => {
    const nonce = await nextNonce();
    const application = anApplication({ limits: { contractsPerDay: 1, mintsPerDay: destinations.length } });

    await expect(
      world.mintBatch({ contract: contract.address, destinations, application }),
    ).rejects.toBeInstanceOf(DailyLimitReachedError);

    expect(await nextNonce()).toBe(nonce);
  });

  it('ends with every token failed if the contract reverts', async () => {
    const failing = await world.deploy();
    await world.untilFinal();
    await world.anvil.rpc('anvil_setCode', failing.address, '0x5f5ffd');

    const nfts = await world.mintBatch({ contract: failing.address, destinations });
    await world.untilFinal();

    const found = await world.ports.nfts.findRange({
      applicationId: failing.applicationId,
      contract: failing.address,
      from: nfts[0]?.tokenId ?? '',
      to: nfts.at(-1)?.tokenId ?? '',
    });
    expect(found.map(({ status, failureReason }) => [status, failureReason?.split(':')[0]])).toEqual(
      destinations.map(() => ['failed', 'REVERTED']),
    );
  });

  it('is repeated as a whole at another nonce if another transaction used its nonce', async () => {
    const into = await world.deploy();
    await world.untilFinal();
    const nonce = await nextNonce();
    const { ports } = withFault(world.ports, { at: 'chain.broadcast', when: 'before', mode: 'crash' });
    const to = receivers(batchTokensAtMost);
    const order = { contract: into.address, destinations: to, key: 'superseded' };
    await expect(world.mintBatch({ ...order, ports })).rejects.toBeInstanceOf(Broken);
    const raw = await world.ports.signer.sign({
      nonce,
      to: await world.ports.signer.address(),
      data: '0x',
      gas: 21_000n,
      maxFeePerGas: 100_000_000_000n,
      maxPriorityFeePerGas: 100_000_000_000n,
    });
    await world.anvil.rpc('eth_sendRawTransaction', raw.raw);

    await world.untilFinal();

    expect(await entriesFrom(nonce)).toMatchObject([
      { status: 'superseded' },
      { status: 'confirmed', supersedes: nonce },
    ]);
    const nfts = await world.mintBatch(order);
    await expectBatch(nfts, 'superseded', to);
    await expectInvariants(world, { contract: into, promised: nfts.map((nft) => ({ nft })) });
  });
});
