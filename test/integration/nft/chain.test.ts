import { waitFor } from 'template-runtime/testing/wait.ts';
import { describe, expect, it } from 'vitest';
import { ChainUnavailableError } from '../../../shared/chain/errors.ts';
import type { Address } from '../../../shared/chain/hex.ts';
import type { Signer } from '../../../shared/nft/ports/chain.ts';
import { startAnvil } from '../../support/nft/anvil.ts';
import { firstThen, withFault } from '../../support/nft/faults.ts';
import { expectFinishedSigner, expectInvariants } from '../../support/nft/invariants.ts';
import type { World, WorldOptions } from '../../support/nft/world.ts';
import { worldOfATest } from '../../support/nft/world-of-a-test.ts';
import { remedy } from '../../support/platform/remedy.ts';

const startWorld = worldOfATest();
let world: World;

const start = async (options: Omit<WorldOptions, 'database'> = {}): Promise<void> => {
  world = await startWorld({
    passMilliseconds: 1_000,
    ...options,
  });
};

const mineBlocks = (count: number) => world.anvil.rpc('anvil_mine', `0x${count.toString(16)}`);

/** A signer whose transactions run out of gas. */
const starving = (signer: Signer): Signer => ({
  ...signer,
  sign: (transaction) => signer.sign({ ...transaction, gas: 450_000n }),
});

describe('a chain reorganisation before finality', () => {
  it('does not confirm the removed transactions, which are sent again', async () => {
    await start({ anvil: { noMining: true } });
    const contract = await world.deploy();
    await mineBlocks(5);
    await world.untilFinal();
    const nft = await world.mint({ contract: contract.address, key: 'reorganised' });
    await mineBlocks(1);
    expect(await world.ports.chain.whereabouts([nft.transactionHash])).toEqual(
      new Map([[nft.transactionHash, 'mined']]),
    );

    await world.watch();
    await world.anvil.rpc('anvil_reorg', 1, []);
    await waitFor(async () => {
      const [place] = (await world.ports.chain.whereabouts([nft.transactionHash])).values();
      expect(place).toBe('pool');
    });
    expect(await world.ports.nfts.find(nft)).toMatchObject({ status: 'pending' });
    await mineBlocks(1);
    expect(await world.ports.nfts.find(nft)).toMatchObject({ status: 'pending' });
    await mineBlocks(5);
    await world.untilFinal();

    await expectInvariants(world, { contract, promised: [{ nft, key: 'reorganised' }] });
  });
});

/** Gives the collection another owner, so that the service can no longer mint. */
const expropriate = async (contract: string): Promise<void> => {
  const owner = (await world.ports.signer.address()).slice(2).toLowerCase();
  for (let slot = 0; slot < 32; slot += 1) {
    const at = `0x${slot.toString(16)}`;
    const value = String(await world.anvil.rpc('eth_getStorageAt', contract, at, 'latest'));
    if (!value.includes(owner)) continue;
    await world.anvil.rpc(
      'anvil_setStorageAt',
      contract,
      `0x${slot.toString(16).padStart(64, '0')}`,
      value.replace(owner, '9'.padStart(40, '0')),
    );
    return;
  }
  throw new Error('The collection has no owner');
};

describe('a mint that reverts', () => {
  it('ends as failed with its reason', async () => {
    await start();
    const contract = await world.deploy();
    await world.untilFinal();
    await expropriate(contract.address);

    const nft = await world.mint({ contract: contract.address, key: 'reverts' });
    await world.untilFinal();

    const failed = await world.mint({ contract: contract.address, key: 'reverts' });
    expect(failed).toMatchObject({ tokenId: nft.tokenId, status: 'failed' });
    expect(failed.failureReason).toContain('OwnableUnauthorizedAccount');
    await expectFinishedSigner(world);
  });
});

describe('a deployment that fails', () => {
  it('fails the twenty mints that depend on it', async () => {
    await start();
    const signer = starving(world.ports.signer);
    const contract = await world.deploy({ ports: { ...world.ports, signer } });
    const mints = await Promise.all(
      Array.from({ length: 20 }, () => world.mint({ contract: contract.address })),
    );

    await world.untilFinal();

    const failed = await world.ports.contracts.find(contract);
    expect(failed).toMatchObject({ status: 'failed', failureReason: expect.stringContaining('REVERTED') });
    for (const nft of mints) {
      expect(await world.ports.nfts.find(nft)).toMatchObject({
        status: 'failed',
        failureReason: expect.stringContaining('CONTRACT_FAILED'),
      });
    }
    await expectFinishedSigner(world);
    await expect(world.mint({ contract: contract.address })).rejects.toMatchObject({
      code: 'CONTRACT_FAILED',
    });

    remedy('a-transaction-failed');
    const again = await world.deploy({ key: 'a new key' });
    await world.untilFinal();
    expect(await world.ports.contracts.find(again)).toMatchObject({ status: 'confirmed' });
  });
});

describe('a signer without funds', () => {
  it('rejects requests before a nonce is taken', async () => {
    await start();
    await world.anvil.rpc('anvil_setBalance', await world.ports.signer.address(), '0x1');

    await expect(world.deploy({ key: 'poor' })).rejects.toBeInstanceOf(ChainUnavailableError);

    expect(await world.ports.signers.find(world.signerId)).toBeUndefined();
    expect(await world.ports.contracts.list({ applicationId: world.application.id, limit: 10 })).toEqual({
      items: [],
    });
    expect(world.raised.map(({ event }) => event)).toContain('FundsShort');

    remedy('funds');
    await world.anvil.rpc('anvil_setBalance', await world.ports.signer.address(), '0xde0b6b3a7640000');
    world.skip(10_000);
    const contract = await world.deploy({ key: 'poor' });
    await world.untilFinal();
    expect(await world.ports.contracts.find(contract)).toMatchObject({ status: 'confirmed' });
  });
});

describe('a transaction that is not mined', () => {
  it('is replaced with higher fees, and confirmed whichever attempt is mined', async () => {
    await start({ anvil: { noMining: true }, replaceAfterMilliseconds: 500 });
    const contract = await world.deploy();
    await world.watch();
    await waitFor(async () => {
      await world.watch();
      const entry = await world.ports.transactionLog.find({ signer: world.signerId, nonce: 0 });
      const replacements = entry?.attempts.slice(1).map(({ hash }) => hash) ?? [];
      const places = await world.ports.chain.whereabouts(replacements);
      expect([...places.values()]).toContain('pool');
    });

    await mineBlocks(5);
    await world.untilFinal();

    const entry = await world.ports.transactionLog.find({ signer: world.signerId, nonce: 0 });
    const [first, second] = entry?.attempts ?? [];
    expect(second?.maxFeePerGas).toBeGreaterThanOrEqual(((first?.maxFeePerGas ?? 0n) * 1_125n) / 1_000n);
    expect(second?.maxPriorityFeePerGas).toBeGreaterThanOrEqual(
      ((first?.maxPriorityFeePerGas ?? 0n) * 1_125n) / 1_000n,
    );
    const confirmed = await world.ports.contracts.find(contract);
    expect(confirmed?.status).toBe('confirmed');
    expect(entry?.attempts.map(({ hash }) => hash)).toContain(confirmed?.transactionHash);
    expect(confirmed?.transactionHash).not.toBe(first?.hash);
    await expectFinishedSigner(world);
  });

  it.each([
    { at: 'transactionLog.noteTried', when: 'after', mode: 'crash' },
    { at: 'transactionLog.noteTried', when: 'after', mode: 'lost' },
    { at: 'transactionLog.appendAttempt', when: 'before', mode: 'crash' },
    { at: 'transactionLog.appendAttempt', when: 'after', mode: 'crash' },
    { at: 'transactionLog.appendAttempt', when: 'after', mode: 'lost' },
  ] as const)('is replaced by the next waiter if the first one fails ($mode $when $at)', async (fault) => {
    await start({ anvil: { noMining: true }, replaceAfterMilliseconds: 500 });
    const contract = await world.deploy();
    const { ports, hasHappened } = withFault(world.ports, fault);
    const executions = world.executionsOver(firstThen(ports, world.ports));

    await waitFor(async () => {
      await world.watch(executions);
      expect(hasHappened()).toBe(true);
      const entry = await world.ports.transactionLog.find({ signer: world.signerId, nonce: 0 });
      expect(entry?.attempts.length).toBeGreaterThanOrEqual(2);
    });
    await mineBlocks(5);
    await world.untilFinal(executions);

    await expectInvariants(world, { contract, promised: [] });
  });

  it('is not replaced above the fee ceiling', async () => {
    await start({
      anvil: { noMining: true },
      replaceAfterMilliseconds: 200,
      settings: { feeCeiling: 3_100_000_000n },
    });
    await world.deploy();

    await waitFor(async () => {
      await world.watch();
      expect(world.raised.map(({ event }) => event)).toContain('FeeCeilingReached');
    });

    const entry = await world.ports.transactionLog.find({ signer: world.signerId, nonce: 0 });
    expect(entry?.attempts).toHaveLength(1);
    await mineBlocks(5);
    await world.untilFinal();
  });
});

describe('a nonce that another transaction used', () => {
  it.each(['mint', 'deploy'] as const)('causes its %s to be repeated at a new nonce', async (kind) => {
    await start();
    const contract = await world.deploy();
    await world.untilFinal();
    await world.useNonce(1);
    const { ports } = withFault(world.ports, { at: 'chain.broadcast', when: 'before', mode: 'crash' });
    const key = `superseded-${kind}`;
    const order = { contract: contract.address, key };
    const cut = kind === 'mint' ? world.mint({ ...order, ports }) : world.deploy({ key, ports });
    await expect(cut).rejects.toThrow();

    remedy('a-nonce-was-used-elsewhere');
    await world.untilFinal();

    expect(world.raised.map(({ event }) => event)).toContain('EntrySuperseded');
    if (kind === 'mint') {
      const nft = await world.mint(order);
      await expectInvariants(world, { contract, promised: [{ nft, key }] });
    } else {
      const again = await world.deploy({ key });
      expect(again.status).toBe('confirmed');
      await expectFinishedSigner(world);
    }
  });

  it('causes its mint to be repeated within half a minute, also by a pass that is already running', async () => {
    await start({ passMilliseconds: 600_000 });
    const contract = await world.deploy();
    await world.untilFinal();
    await world.useNonce(1);
    const { ports } = withFault(world.ports, { at: 'chain.broadcast', when: 'before', mode: 'crash' });
    const order = { contract: contract.address, key: 'soon' };
    await expect(world.mint({ ...order, ports })).rejects.toThrow();
    await world.watch();

    for (const looks of [1, 2]) {
      await waitFor(async () =>
        expect(await world.ports.transactionLog.find({ signer: world.signerId, nonce: 1 })).toMatchObject({
          status: 'pending',
          missingLooks: looks,
        }),
      );
      world.skip(10_000);
    }
    await world.untilFinal();

    const nft = await world.mint(order);
    await expectInvariants(world, { contract, promised: [{ nft, key: 'soon' }] });
  });

  it('supersedes a noop entry at once, because it has no work to repeat', async () => {
    const contract = await startBehindTheChain();
    const nft = await world.mint({ contract: contract.address, key: 'behind' });

    // These entries only fill their nonces, so nothing is lost if another transaction took one.
    await waitFor(async () => {
      await world.watch();
      const entries = await world.ports.transactionLog.range({ signer: world.signerId, from: 2, to: 4 });
      expect(entries).toMatchObject(Array(2).fill({ status: 'superseded', missingLooks: 0 }));
    });
    await world.untilFinal();

    await expectInvariants(world, { contract, promised: [{ nft, key: 'behind' }] });
  });

  it('is reported, unlike nonces that were reserved while the waiter read the counts', async () => {
    await start();
    const { chain } = world.ports;
    let mintsMeanwhileInto: Address | undefined;
    const late = {
      ...chain,
      transactionCounts: async (address: Address) => {
        const contract = mintsMeanwhileInto;
        if (contract === undefined) return chain.transactionCounts(address);
        mintsMeanwhileInto = undefined;
        await world.mint({ contract });
        return waitFor(async () => {
          const counts = await chain.transactionCounts(address);
          expect(counts.latest).toBe(3);
          return counts;
        });
      },
    };
    // The deployment's waiter needs this chain, too: if it is still running, it also handles the mint.
    const executions = world.executionsOver(() => ({ ...world.ports, chain: late }));
    const contract = await world.deploy();
    await world.untilFinal(executions);
    mintsMeanwhileInto = contract.address;
    await world.mint({ contract: contract.address });

    await world.untilFinal(executions);

    expect(mintsMeanwhileInto).toBeUndefined();
    expect(world.raised.map(({ event }) => event)).not.toContain('KeyUsedElsewhere');
    await expectFinishedSigner(world);
  });

  const startBehindTheChain = async () => {
    await start();
    const contract = await world.deploy();
    await world.untilFinal();
    for (const nonce of [1, 2, 3]) await world.useNonce(nonce);
    const address = await world.ports.signer.address();
    await waitFor(async () => {
      expect((await world.ports.chain.transactionCounts(address)).latest).toBe(4);
    });
    return contract;
  };

  it('is filled in the log, and new nonces start above it', async () => {
    const contract = await startBehindTheChain();

    const nft = await world.mint({ contract: contract.address, key: 'above' });
    await waitFor(async () => {
      await world.watch();
      const state = await world.ports.signers.find(world.signerId);
      expect(state?.nextNonce).toBeGreaterThanOrEqual(4);
    });
    expect(world.raised.map(({ event }) => event)).toContain('KeyUsedElsewhere');
    world.skip(30_000);
    await world.untilFinal();

    await expectInvariants(world, { contract, promised: [{ nft, key: 'above' }] });
  });
});

describe('a finalized block that does not advance', () => {
  it('leaves everything pending, is reported, and causes no transaction to be sent twice', async () => {
    await start({ anvil: { noMining: true }, passMilliseconds: 60_000, replaceAfterMilliseconds: 600_000 });
    const contract = await world.deploy();
    await mineBlocks(1);
    await world.watch();
    await waitFor(async () => {
      expect((await world.ports.signers.find(world.signerId))?.minedCount).toBe(1);
    });

    world.skip(31_000);
    await waitFor(() => {
      expect(world.raised.map(({ event }) => event)).toContain('FinalityStalled');
    });

    expect(await world.ports.contracts.find(contract)).toMatchObject({ status: 'pending' });
    const entry = await world.ports.transactionLog.find({ signer: world.signerId, nonce: 0 });
    expect(entry?.attempts).toHaveLength(1);
    await mineBlocks(5);
    await world.untilFinal();
    await expectFinishedSigner(world);
  });
});

describe('an RPC endpoint that answers but is stuck at one block', () => {
  it('is replaced by another endpoint after a while, and all work continues', async () => {
    await using stuck = await startAnvil({ noMining: true });
    await start({ urls: (anvil) => [stuck.url, anvil.url], passMilliseconds: 60_000 });
    const contract = await world.deploy({ key: 'stuck' });
    await world.watch();
    await waitFor(async () => {
      expect((await world.ports.signers.find(world.signerId))?.fees).toBeDefined();
    });
    expect(await world.anvil.rpc('eth_getTransactionByHash', contract.transactionHash)).toBeNull();

    remedy('finality-stalls');
    world.skip(31_000);
    await world.untilFinal();

    expect(world.raised.map(({ event }) => event)).toContain('FinalityStalled');
    expect(await world.ports.contracts.find(contract)).toMatchObject({ status: 'confirmed' });
    const nft = await world.mint({ contract: contract.address, key: 'after' });
    await world.untilFinal();
    await expectInvariants(world, { contract, promised: [{ nft, key: 'after' }] });
  });
});
