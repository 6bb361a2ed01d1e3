import { describe, expect, it } from 'vitest';
import type { Chain, Hash } from '../../../shared/nft/ports/chain.ts';
import { expectInvariants, expectSettledSigner } from '../../support/nft/invariants.ts';
import type { World } from '../../support/nft/world.ts';
import { worldOfATest } from '../../support/nft/world-of-a-test.ts';

const startWorld = worldOfATest();
let world: World;

const hasSuperseded = (): boolean => world.raised.some(({ event }) => event === 'EntrySuperseded');

/** Endpoints that know nothing of one transaction by its hash, for all time. */
const hiding = (hash: Hash): Chain => {
  const { chain } = world.ports;
  return {
    ...chain,
    receipts: async (hashes) => new Map([...(await chain.receipts(hashes)), [hash, null]]),
    lookUpReceipts: async (question) =>
      new Map([...(await chain.lookUpReceipts(question)), [hash, { outcome: 'absent' }]]),
    places: async (hashes) => new Map([...(await chain.places(hashes)), [hash, 'absent']]),
  };
};

const start = async () => {
  world = await startWorld({ anvil: { blockTimeSeconds: 0.25 }, passMilliseconds: 1_000 });
  const contract = await world.deploy();
  await world.settle();
  return contract;
};

describe('a mined transaction that no endpoint knows by its hash', () => {
  it('is found by what it made, and nothing is made again', async () => {
    const contract = await start();
    const nft = await world.mint({ contract: contract.address, key: 'hidden' });
    const chain = hiding(nft.transactionHash);

    await world.settle(
      40_000,
      world.executionsOver(() => ({ ...world.ports, chain })),
    );

    expect(hasSuperseded()).toBe(false);
    expect(await world.ports.nfts.find(nft)).toMatchObject({
      status: 'confirmed',
      transactionHash: nft.transactionHash,
    });
    await expectInvariants(world, { contract, promised: [{ nft, key: 'hidden' }] });
  });

  it.each(['mint', 'deploy'] as const)(
    'is the one that a %s names, not the one that was made in its place and reverted',
    async (kind) => {
      const contract = await start();
      const made =
        kind === 'mint'
          ? await world.mint({ contract: contract.address })
          : await world.deploy({ name: 'Hidden' });
      const hidden = hiding(made.transactionHash);
      const chain: Chain = {
        ...hidden,
        findEvent: async (question) => (hasSuperseded() ? hidden.findEvent(question) : { outcome: 'absent' }),
      };

      await world.settle(
        40_000,
        world.executionsOver(() => ({ ...world.ports, chain })),
      );

      expect(hasSuperseded()).toBe(true);
      const found =
        'tokenId' in made ? await world.ports.nfts.find(made) : await world.ports.contracts.find(made);
      expect(found).toMatchObject({ status: 'confirmed', transactionHash: made.transactionHash });
      await expectSettledSigner(world);
    },
  );
});
