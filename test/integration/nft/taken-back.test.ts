import { waitFor } from 'template-runtime/testing/wait.ts';
import { describe, expect, it } from 'vitest';
import type { Nft } from '../../../shared/nft/tokens/nft.ts';
import { expectFinishedSigner, expectInvariants } from '../../support/nft/invariants.ts';
import type { World, WorldOptions } from '../../support/nft/world.ts';
import { worldOfATest } from '../../support/nft/world-of-a-test.ts';
import { remedy } from '../../support/platform/remedy.ts';

const startWorld = worldOfATest();

/** Mints four tokens and makes them final, on a chain high enough to roll back to before them. */
const startWithTokens = async (options: Omit<WorldOptions, 'database'> = {}) => {
  const world = await startWorld({
    passMilliseconds: 1_000,
    ...options,
  });
  await world.anvil.rpc('anvil_mine', '0x20');
  const contract = await world.deploy();
  await world.untilFinal();
  const nfts: Nft[] = [];
  for (let count = 0; count < 4; count += 1) nfts.push(await world.mint({ contract: contract.address }));
  await world.untilFinal();
  return { world, contract, promised: nfts.map((nft) => ({ nft })) };
};

const minedCount = async (world: World): Promise<number> =>
  Number(await world.anvil.rpc('eth_getTransactionCount', await world.ports.signer.address(), 'latest'));

const takeBack = async (world: World): Promise<void> => {
  await world.anvil.rpc('anvil_reorg', 12, []);
};

describe('final transactions that the chain loses', () => {
  it('are sent again by the scheduled check, confirmed as before, and reported', async () => {
    const { world, contract, promised } = await startWithTokens();
    await takeBack(world);
    expect(await minedCount(world)).toBeLessThan(5);

    remedy('a-confirmed-transaction-vanished');
    await waitFor(async () => {
      await world.watch();
      expect(await minedCount(world)).toBe(5);
    });

    expect(world.raised.map(({ event }) => event)).toContain('ConfirmedVanished');
    await expectInvariants(world, { contract, promised });
    for (const { nft } of promised) {
      expect(await world.ports.chain.whereabouts([nft.transactionHash])).toEqual(
        new Map([[nft.transactionHash, 'mined']]),
      );
    }
  });

  it('are sent again with higher fees if the old fees are too low by then', async () => {
    const { world, contract, promised } = await startWithTokens({ replaceAfterMilliseconds: 500 });
    await world.anvil.rpc('evm_setIntervalMining', 0);
    await takeBack(world);
    await world.anvil.rpc('anvil_setNextBlockBaseFeePerGas', '0xba43b7400');

    await waitFor(async () => {
      await world.watch();
      // Only the head of the queue is replaced, so each replacement has to be mined before the next.
      const latest = await minedCount(world);
      const entry = await world.ports.transactionLog.find({ signer: world.signerId, nonce: latest });
      const hashes = entry?.attempts.map(({ hash }) => hash) ?? [];
      const places = await world.ports.chain.whereabouts(hashes);
      if ([...places.values()].includes('pool')) {
        await world.anvil.rpc('anvil_mine', '0x1');
        await world.anvil.rpc('anvil_setNextBlockBaseFeePerGas', '0xba43b7400');
      }
      expect(await minedCount(world)).toBe(5);
    });

    await expectInvariants(world, { contract, promised });
  });

  it('are sent again for each of three signers, of which only one has work', async () => {
    const ids: string[] = [];
    const world = await startWorld({
      passMilliseconds: 1_000,
      signers: 3,
      applications: { assignSigner: async ({ applicationId }) => ids[Number(applicationId)] ?? '' },
    });
    ids.push(...world.signerIds);
    await world.anvil.rpc('anvil_mine', '0x20');
    const all = [0, 1, 2].map((index) => ({ ...world.application, id: String(index) }));
    const contracts = await Promise.all(all.map((application) => world.deploy({ application })));
    expect(contracts.map(({ signer }) => signer)).toEqual(world.signerIds);
    await world.untilFinal();

    await takeBack(world);
    const [contract] = contracts;
    const [application] = all;
    if (contract === undefined || application === undefined) throw new Error('There is no contract');
    const nft = await world.mint({ contract: contract.address, application });
    await waitFor(async () => {
      await world.watch();
      for (const { address } of contracts) {
        expect(await world.anvil.rpc('eth_getCode', address, 'latest')).not.toBe('0x');
      }
    });
    await world.untilFinal();

    await expectInvariants(world, { contract, application, promised: [{ nft }] });
    for (const id of world.signerIds) await expectFinishedSigner(world, id);
    expect(
      new Set(
        world.raised.flatMap(({ event, fields }) => (event === 'ConfirmedVanished' ? [fields.signer] : [])),
      ),
    ).toEqual(new Set(world.signerIds));
  });
});

describe("an outsider's use of a key whose signer has no work", () => {
  it('is reported by the scheduled check, and the next token is minted as usual', async () => {
    const { world, contract, promised } = await startWithTokens();
    const nonce = await minedCount(world);
    await world.useNonce(nonce);

    await waitFor(async () => {
      await world.watch();
      expect(world.raised.map(({ event }) => event)).toContain('KeyUsedElsewhere');
    });
    await world.untilFinal();
    const nft = await world.mint({ contract: contract.address });
    await world.untilFinal();

    const told = world.raised.filter(({ event }) => event === 'KeyUsedElsewhere');
    expect(told.map(({ fields }) => fields)).toEqual([
      { signer: world.signerId, next: nonce, mined: nonce + 1 },
    ]);
    await expectInvariants(world, { contract, promised: [...promised, { nft }] });
  });
});
