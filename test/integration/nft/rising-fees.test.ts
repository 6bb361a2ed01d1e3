import { waitFor } from 'template-runtime/testing/wait.ts';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ChainUnavailableError } from '../../../shared/chain/errors.ts';
import { batchTokensAtMost } from '../../../shared/nft/collections/limits.ts';
import { bumpEntry, cancelEntry } from '../../../shared/nft/waiter/operator-actions.ts';
import { withFault } from '../../support/nft/faults.ts';
import { expectFinishedSigner, expectInvariants } from '../../support/nft/invariants.ts';
import { startRpcFaultProxy } from '../../support/nft/rpc-fault-proxy.ts';
import { receivers, type World, type WorldOptions } from '../../support/nft/world.ts';
import { worldOfATest } from '../../support/nft/world-of-a-test.ts';

const gwei = 1_000_000_000n;

const startWorld = worldOfATest();
let world: World;

/** Deploys a collection and makes it final, on a chain that makes blocks only on demand. */
const startStill = async (options: Omit<WorldOptions, 'database'>) => {
  world = await startWorld({ anvil: { noMining: true }, passMilliseconds: 1_000, ...options });
  const contract = await world.deploy();
  await mineBlocks(5);
  await world.untilFinal();
  return contract;
};

const mineBlocks = (count: number) => world.anvil.rpc('anvil_mine', `0x${count.toString(16)}`);

const setBaseFee = (wei: bigint) =>
  world.anvil.rpc('anvil_setNextBlockBaseFeePerGas', `0x${wei.toString(16)}`);

/** Records a mint that no node hears of. */
const mintUnheard = async (contract: `0x${string}`, key: string): Promise<void> => {
  const { ports } = withFault(world.ports, { at: 'chain.broadcast', when: 'before', mode: 'crash' });
  await expect(world.mint({ contract, key, ports })).rejects.toThrow();
};

const attemptsOf = async (nonce: number) =>
  (await world.ports.transactionLog.find({ signer: world.signerId, nonce }))?.attempts ?? [];

describe('a transaction that no node accepted because the base fee rose above its fees', () => {
  it('gets higher fees, and is mined with the transactions behind it', async () => {
    const contract = await startStill({ replaceAfterMilliseconds: 500 });
    await mintUnheard(contract.address, 'unheard');
    await setBaseFee(50n * gwei);

    await waitFor(async () => {
      await world.watch();
      const [, ...replacements] = (await attemptsOf(1)).map(({ hash }) => hash);
      // A replacement is recorded before it is sent. It has to be in the pool before blocks are mined.
      expect([...(await world.ports.chain.whereabouts(replacements)).values()]).toContain('pool');
    });
    await mineBlocks(5);
    await world.untilFinal();

    const nft = await world.mint({ contract: contract.address, key: 'unheard' });
    await expectInvariants(world, { contract, promised: [{ nft, key: 'unheard' }] });
  });
});

describe('a base fee above the ceiling', () => {
  const feeCeiling = 100n * gwei;

  const startAboveTheCeiling = async () => {
    const contract = await startStill({ replaceAfterMilliseconds: 200, settings: { feeCeiling } });
    const nft = await world.mint({ contract: contract.address });
    await setBaseFee(2n * feeCeiling);
    // Fees are cached for a block, and the mint may have read them a moment before.
    await waitFor(async () =>
      expect(await world.ports.chain.fees()).toMatchObject({ baseFeePerGas: 2n * feeCeiling }),
    );
    return { signer: world.signerId, nonce: nft.nonce };
  };

  it('prevents replacements, because they could not be mined either', async () => {
    const place = await startAboveTheCeiling();

    await waitFor(async () => {
      await world.watch();
      expect(world.raised.map(({ event }) => event)).toContain('FeeCeilingReached');
    });

    expect(await attemptsOf(place.nonce)).toHaveLength(1);
    expect(await bumpEntry(world.submitDependencies(), place)).toMatchObject({ outcome: 'refused' });
    await setBaseFee(gwei);
    await mineBlocks(5);
    await world.untilFinal();
    await expectFinishedSigner(world);
  });

  it('does not prevent a cancellation for which the operator sets a higher ceiling', async () => {
    const place = await startAboveTheCeiling();

    expect(await cancelEntry(world.submitDependencies(), place)).toMatchObject({ outcome: 'refused' });
    expect(
      await cancelEntry(world.submitDependencies(), { ...place, feeCeiling: 5n * feeCeiling }),
    ).toMatchObject({ outcome: 'sent', broadcast: { outcome: 'accepted' } });
    await mineBlocks(5);
    await world.untilFinal();

    const entry = await world.ports.transactionLog.find(place);
    expect(entry).toMatchObject({ status: 'failed', attempts: [{}, { cancels: true }] });
    await expectFinishedSigner(world);
  });
});

describe('nodes with a limit on the cost of a transaction', () => {
  const endpointFeeCap = 10n ** 18n;
  const destinations = receivers(batchTokensAtMost);

  const startCapped = async ({ nodeCap = endpointFeeCap } = {}) => {
    const proxy = await startRpcFaultProxy({ target: '', seed: 1, faults: { feeCap: nodeCap } });
    cleanup.defer(() => proxy.stop());
    const contract = await startStill({
      replaceAfterMilliseconds: 200,
      settings: { endpointFeeCap },
      urls: ({ url }) => {
        proxy.setTarget(url);
        return [proxy.url];
      },
    });
    return { contract, feesRefused: () => proxy.counts.get('feeRefused') ?? 0 };
  };

  let cleanup: AsyncDisposableStack;
  beforeEach(() => {
    cleanup = new AsyncDisposableStack();
  });
  afterEach(() => cleanup.disposeAsync());

  /** Mines empty blocks with this base fee until the chain's fee estimate follows. */
  const letFeesBe = async (wei: bigint): Promise<void> => {
    for (let block = 0; block < 5; block += 1) {
      await setBaseFee(wei);
      await mineBlocks(1);
    }
    await setBaseFee(wei);
    await waitFor(async () => expect((await world.ports.chain.fees()).baseFeePerGas).toBe(wei));
    // Makes the fees that the waiter read before too old to use.
    world.skip(10_000);
  };

  it('get the largest batch with a fee that they accept, and no replacement that they would reject', async () => {
    const { contract, feesRefused } = await startCapped();
    await letFeesBe(100n * gwei);

    const nfts = await world.mintBatch({ contract: contract.address, destinations });
    await setBaseFee(400n * gwei);
    const [first] = nfts;
    const nonce = first?.nonce ?? Number.NaN;
    await waitFor(async () => {
      await world.watch();
      expect(world.raised.map(({ event }) => event)).toContain('FeeCeilingReached');
    });
    expect(await attemptsOf(nonce)).toHaveLength(1);
    await setBaseFee(gwei);
    await mineBlocks(5);
    await world.untilFinal();

    expect(feesRefused()).toBe(0);
    await expectInvariants(world, { contract, promised: nfts.map((nft) => ({ nft })) });
  });

  it('get no batch that they would reject, and continue with single mints', async () => {
    const { contract, feesRefused } = await startCapped();
    await letFeesBe(200n * gwei);
    const before = await world.ports.signers.find(world.signerId);

    await expect(world.mintBatch({ contract: contract.address, destinations })).rejects.toBeInstanceOf(
      ChainUnavailableError,
    );
    expect((await world.ports.signers.find(world.signerId))?.nextNonce).toBe(before?.nextNonce);
    const nft = await world.mint({ contract: contract.address });
    await mineBlocks(5);
    await world.untilFinal();

    expect(feesRefused()).toBe(0);
    await expectInvariants(world, { contract, promised: [{ nft }] });
  });

  it("reject a batch if their limit is below the stage's, and continue after its cancellation", async () => {
    const { contract, feesRefused } = await startCapped({ nodeCap: endpointFeeCap / 2n });
    await letFeesBe(100n * gwei);
    const [refused] = await world.mintBatch({ contract: contract.address, destinations });
    const behind = await world.mint({ contract: contract.address });
    const place = { signer: world.signerId, nonce: refused?.nonce ?? Number.NaN };
    expect(feesRefused()).toBeGreaterThan(0);
    await mineBlocks(5);
    expect(await world.ports.nfts.find(behind)).toMatchObject({ status: 'pending' });

    expect(await cancelEntry(world.submitDependencies(), place)).toMatchObject({
      outcome: 'sent',
      broadcast: { outcome: 'accepted' },
    });
    await mineBlocks(5);
    await world.untilFinal();

    expect(await world.ports.transactionLog.find(place)).toMatchObject({ status: 'failed' });
    expect(await world.ports.nfts.find(behind)).toMatchObject({ status: 'confirmed' });
    await expectFinishedSigner(world);
  });
});
